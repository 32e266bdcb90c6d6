package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"foyer/app/clock"
)

// DirConfig configures a Dir: its folder, and the addresses of its files for browsers.
type DirConfig struct {
	Root   string // the folder; made if missing
	URL    string // address of Handler, without a slash at its end
	Secret []byte // signs addresses; 32 bytes
	Clock  clock.Clock
}

// Dir stores files in a folder of this machine, one file a key. Names that begin with a dot are internal: unfinished
// files, and content types that do not follow from a key's extension.
type Dir struct {
	root   *os.Root
	url    string
	secret []byte
	clock  clock.Clock
}

var _ Store = (*Dir)(nil)

// OpenDir opens a folder, and makes it if it is missing.
func OpenDir(c DirConfig) (*Dir, error) {
	if len(c.Secret) < 32 {
		return nil, errors.New("store: the secret of a folder needs at least 32 bytes")
	}
	if err := os.MkdirAll(c.Root, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(c.Root)
	if err != nil {
		return nil, err
	}
	return &Dir{root: root, url: c.URL, secret: c.Secret, clock: c.Clock}, nil
}

// Close closes the folder.
func (d *Dir) Close() error { return d.root.Close() }

const (
	partPrefix = ".part-" // an unfinished file; after a crash, rubbish
	typePrefix = ".type-" // the content type of the file named behind it
)

// Put stores data under key.
func (d *Dir) Put(ctx context.Context, key, contentType string, data []byte) error {
	if err := errors.Join(CheckKey(key), ctx.Err()); err != nil {
		return err
	}
	if contentType != typeOf(key) { // first, so that no file has another one's type
		if err := d.write(ctx, path.Join(path.Dir(key), typePrefix+path.Base(key)), []byte(contentType)); err != nil {
			return err
		}
	}
	if err := d.write(ctx, key, data); err != nil {
		return err
	}
	if contentType == typeOf(key) {
		return d.remove(path.Join(path.Dir(key), typePrefix+path.Base(key)))
	}
	return nil
}

// write puts a whole file in its place, on the disk. A concurrent Delete may remove its empty folder, hence the
// retries.
func (d *Dir) write(ctx context.Context, name string, data []byte) (err error) {
	for range 5 {
		if err = d.makeFolder(path.Dir(name)); err != nil {
			return err
		}
		if err = d.writeOnce(name, data); !errors.Is(err, fs.ErrNotExist) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func (d *Dir) writeOnce(name string, data []byte) error {
	part := path.Join(path.Dir(name), partPrefix+rand.Text())
	f, err := d.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, bytes.NewReader(data))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = d.root.Rename(part, name)
	}
	if err != nil {
		_ = d.root.Remove(part)
		return err
	}
	return d.sync(path.Dir(name))
}

// makeFolder makes a folder and those above it, and syncs each new one's name to the disk.
func (d *Dir) makeFolder(name string) error {
	if name == "." {
		return nil
	}
	if _, err := d.root.Stat(name); err == nil {
		return nil
	}
	if err := d.makeFolder(path.Dir(name)); err != nil {
		return err
	}
	if err := d.root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := d.sync(path.Dir(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sync syncs the names in a folder to the disk.
func (d *Dir) sync(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Get opens the file under key.
func (d *Dir) Get(ctx context.Context, key string) (io.ReadCloser, Object, error) {
	if err := errors.Join(CheckKey(key), ctx.Err()); err != nil {
		return nil, Object{}, err
	}
	f, err := d.root.Open(key)
	if missing(err) {
		return nil, Object{}, ErrNotFound
	}
	if err != nil {
		return nil, Object{}, err
	}
	about, err := f.Stat()
	if err == nil && about.IsDir() {
		err = ErrNotFound
	}
	if err != nil {
		return nil, Object{}, errors.Join(err, f.Close())
	}
	kind, err := d.root.ReadFile(path.Join(path.Dir(key), typePrefix+path.Base(key)))
	if missing(err) {
		kind, err = []byte(typeOf(key)), nil
	}
	if err != nil {
		return nil, Object{}, errors.Join(err, f.Close())
	}
	return f, Object{Key: key, Size: about.Size(), ContentType: string(kind), Modified: about.ModTime().UTC()}, nil
}

// Delete deletes files, and then empty folders.
func (d *Dir) Delete(ctx context.Context, keys ...string) error {
	for _, key := range keys {
		if err := errors.Join(CheckKey(key), ctx.Err()); err != nil {
			return err
		}
		if about, err := d.root.Stat(key); missing(err) || err == nil && about.IsDir() {
			continue
		}
		if err := errors.Join(d.remove(key), d.remove(path.Join(path.Dir(key), typePrefix+path.Base(key)))); err != nil {
			return err
		}
		for folder := path.Dir(key); folder != "."; folder = path.Dir(folder) {
			if d.root.Remove(folder) != nil { // not empty
				break
			}
		}
	}
	return nil
}

// remove deletes a file for good.
func (d *Dir) remove(name string) error {
	err := d.root.Remove(name)
	if missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := d.sync(path.Dir(name)); !missing(err) {
		return err
	}
	return nil
}

// List yields the files below a prefix.
func (d *Dir) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Object{}, err)
			return
		}
		err := fs.WalkDir(d.root.FS(), path.Clean(strings.TrimSuffix(prefix, "/")), func(name string, e fs.DirEntry, err error) error {
			if missing(err) { // gone while the list is made
				return nil
			}
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if e.IsDir() || strings.HasPrefix(e.Name(), typePrefix) {
				return nil
			}
			about, err := e.Info()
			if missing(err) {
				return nil
			}
			if err != nil {
				return err
			}
			if strings.HasPrefix(e.Name(), partPrefix) {
				return d.clean(name, about)
			}
			if !yield(Object{Key: name, Size: about.Size(), Modified: about.ModTime().UTC()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Object{}, fmt.Errorf("store: list %q: %w", prefix, err))
		}
	}
}

// clean removes the unfinished file of a killed process. A live one needs no hour.
func (d *Dir) clean(name string, about fs.FileInfo) error {
	if time.Since(about.ModTime()) < time.Hour { // real time, as the file's
		return nil
	}
	return d.remove(name)
}

// missing reports whether a name, or a folder on the way to it, does not exist.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
