package embedded

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	nativePrefix = "package/native/" // what the archive calls the directory of bin, lib and share
	linksFile    = "pg-symlinks.json"
)

// unpack writes the native part of the package's archive into dir, which it makes. An npm archive cannot hold symbolic
// links: the package lists them in a file of their own, and the server does not find its libraries without them.
func unpack(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	if err := makeParents(dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir) // no entry can lead out of dir
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return makeLinks(root)
		}
		if err != nil {
			return err
		}
		name, ok := strings.CutPrefix(path.Clean(h.Name), nativePrefix)
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		if err := writeFile(root, name, h.FileInfo().Mode().Perm(), r); err != nil {
			return err
		}
	}
}

// writeFile sets modes whatever the umask: another account than the one that unpacks may run the server.
func writeFile(root *os.Root, name string, mode os.FileMode, from io.Reader) error {
	if err := makeDirs(root, path.Dir(name)); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(f, from); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return f.Close()
}

func makeDirs(root *os.Root, dir string) error {
	if _, err := root.Stat(dir); err == nil {
		return nil
	}
	if err := makeDirs(root, path.Dir(dir)); err != nil {
		return err
	}
	if err := root.Mkdir(dir, 0o755); err != nil {
		return err
	}
	return root.Chmod(dir, 0o755)
}

func makeLinks(root *os.Root) error {
	text, err := root.ReadFile(linksFile)
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return err
	}
	for _, l := range links {
		target := strings.TrimPrefix(l.Target, "native/")
		source, err := filepath.Rel(path.Dir(target), strings.TrimPrefix(l.Source, "native/"))
		if err != nil {
			return err
		}
		if err := root.Symlink(source, target); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}
