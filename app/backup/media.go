package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// copyMedia puts the files below the folder into the backup. One that is deleted meanwhile is left out: its row went
// first.
func copyMedia(ctx context.Context, folder string, entry func(name string) (io.Writer, error), say func(string)) (int, error) {
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer root.Close()
	say("Copying the photos of " + folder)
	n := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case !d.Type().IsRegular():
			return nil
		}
		from, err := root.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer from.Close()
		to, err := entry(mediaPrefix + name)
		if err != nil {
			return err
		}
		n++
		_, err = io.Copy(to, from)
		return err
	})
	return n, err
}

// unpackMedia unpacks the backup's photos into a folder beside their final one, and returns the functions to call
// after the database was restored (done) and after it was not (undone).
func (f *File) unpackMedia(folder string, replace bool) (done func() error, undone func(), err error) {
	old, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if len(old) > 0 && !replace {
		return nil, nil, fmt.Errorf("%s already contains photos: --replace deletes them", folder)
	}
	fresh, before := folder+".restoring", folder+".before"
	for _, leftover := range []string{fresh, before} {
		if err := os.RemoveAll(leftover); err != nil {
			return nil, nil, err
		}
	}
	undone = func() { _ = os.RemoveAll(fresh) } // the next restore does it otherwise
	if err := f.unpackInto(fresh); err != nil {
		undone()
		return nil, nil, err
	}
	return func() error {
		if err := os.Rename(folder, before); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.Rename(fresh, folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return os.RemoveAll(before)
	}, undone, nil
}

// unpackInto makes the folder when there are photos.
func (f *File) unpackInto(folder string) error {
	if f.MediaFiles == 0 {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder) // no name leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	for _, e := range f.zip.File {
		name, is := strings.CutPrefix(e.Name, mediaPrefix)
		if !is {
			continue
		}
		from, err := e.Open()
		if err != nil {
			return err
		}
		err = writePhoto(root, name, from)
		if err = errors.Join(err, from.Close()); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return nil
}

func writePhoto(root *os.Root, name string, from io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Sync(), to.Close())
}
