package backup

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
)

// Names in the file. A name below mediaPrefix is the name of a photo's file below the media folder.
const (
	dumpName     = "database.dump"
	mediaPrefix  = "media/"
	manifestName = "manifest.json"
)

// format is the number of this layout. A program reads its own and older ones.
const format = 1

// Manifest describes the content and the requirements of a backup.
type Manifest struct {
	Format      int              `json:"format"`
	MadeAt      time.Time        `json:"madeAt"`
	Foyer       string           `json:"foyer"` // the build that made it
	Migration   int64            `json:"migration"`
	Server      string           `json:"server"` // Postgres's version: "15.18"
	ServerMajor int              `json:"serverMajor"`
	DumpMajor   int              `json:"dumpMajor"` // pg_dump's: an older pg_restore does not read it
	Fingerprint string           `json:"secretFingerprint"`
	Rows        map[string]int64 `json:"rows"` // by table, as SQL writes its name: public.bookings
	MediaFiles  int              `json:"mediaFiles"`
}

// Total is the number of rows of all tables.
func (m Manifest) Total() int64 {
	var n int64
	for _, rows := range m.Rows {
		n += rows
	}
	return n
}

// File is a backup that was read and found whole.
type File struct {
	Manifest
	zip  *zip.ReadCloser
	path string
}

// ErrDamaged is returned for a file that is not a complete backup.
var ErrDamaged = errors.New("the file is no backup of Foyer, or it is damaged or cut off")

// Open reads a backup from beginning to end, so that damage is found before anything is restored. The caller must
// close the File.
func Open(path string) (*File, error) {
	z, err := zip.OpenReader(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%s: %w (%w)", path, ErrDamaged, err)
	}
	f := &File{zip: z, path: path}
	if err := f.read(); err != nil {
		return nil, errors.Join(err, z.Close())
	}
	return f, nil
}

// Close closes the file.
func (f *File) Close() error { return f.zip.Close() }

func (f *File) read() error {
	dumps, manifests := 0, 0
	for _, e := range f.zip.File {
		body, err := readEntry(e)
		if err != nil {
			return fmt.Errorf("%s: %w (%s: %w)", f.path, ErrDamaged, e.Name, err)
		}
		switch {
		case e.Name == dumpName:
			dumps++
		case e.Name == manifestName:
			manifests++
			if err := json.Unmarshal(body, &f.Manifest); err != nil {
				return fmt.Errorf("%s: %w (%s: %w)", f.path, ErrDamaged, e.Name, err)
			}
		case !strings.HasPrefix(e.Name, mediaPrefix) || !fs.ValidPath(e.Name):
			return fmt.Errorf("%s: %w (it holds %q)", f.path, ErrDamaged, e.Name)
		}
	}
	switch {
	case dumps != 1 || manifests != 1:
		return fmt.Errorf("%s: %w (it lacks %s or %s)", f.path, ErrDamaged, dumpName, manifestName)
	case f.Format > format:
		return fmt.Errorf("%s was made by a newer Foyer (%s): use that one or a newer one", f.path, f.Foyer)
	case f.Format < 1 || len(f.Rows) == 0:
		return fmt.Errorf("%s: %w (empty manifest)", f.path, ErrDamaged)
	}
	return nil
}

// readEntry reads one to its end, which compares its checksum, and returns the manifest's content.
func readEntry(e *zip.File) ([]byte, error) {
	r, err := e.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if e.Name == manifestName {
		return io.ReadAll(r)
	}
	_, err = io.Copy(io.Discard, r)
	return nil, err
}

// ErrOtherSecret is returned for a backup made with another secret.
var ErrOtherSecret = errors.New("the backup was made with another secret than this one")

// Check reports whether this program, with this secret, may restore the backup; migration is its latest one. With an
// empty fingerprint the secret is not checked.
func (f *File) Check(migration int64, fingerprint string) error {
	if f.Migration > migration {
		return fmt.Errorf("the backup has migration %d, made by Foyer %s, but this program has %d: use that version or a newer one",
			f.Migration, f.Foyer, migration)
	}
	if fingerprint != "" && f.Fingerprint != fingerprint {
		return fmt.Errorf("%w: its fingerprint is %s, and this one's is %s", ErrOtherSecret, f.Fingerprint, fingerprint)
	}
	return nil
}
