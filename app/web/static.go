package web

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
)

// AssetTable is a set of finished files, as a generated package offers them: names that hold a hash of the content, and
// compressed copies, which may be nil.
type AssetTable interface {
	Each(yield func(name, contentType string, body, gzip, brotli []byte))
}

// Static serves files from memory.
type Static struct{ files map[string]*Cached }

// immutable is for addresses whose content never changes.
const immutable = "public, max-age=31536000, immutable"

// NewStatic takes in the files of a table. The tags are made here, as embedded files have no modification time.
func NewStatic(table AssetTable) *Static {
	s := &Static{files: map[string]*Cached{}}
	table.Each(func(name, contentType string, body, gz, br []byte) {
		s.files[name] = withCopies(contentType, body, gz, br)
	})
	return s
}

// Handler serves the file that the route's wildcard names, to be kept for a year: mount it under a path that ends in *,
// with GET, for names with a content hash.
func (s *Static) Handler(c *fiber.Ctx) error { return s.Serve(c, c.Params("*"), immutable) }

// Serve answers with one file.
func (s *Static) Serve(c *fiber.Ctx, name, cacheControl string) error {
	f, ok := s.files[name]
	if !ok {
		return fault.Missing()
	}
	return f.Send(c, cacheControl)
}

// FSTable is an AssetTable over a file system, for example an embed.FS: name.gz and name.br beside a file are its copies.
type FSTable struct{ FS fs.FS }

// Each reads all files. It panics when one cannot be read: they are part of the program.
func (t FSTable) Each(yield func(name, contentType string, body, gzip, brotli []byte)) {
	must := func(err error) {
		if err != nil {
			panic(fmt.Sprintf("web: embedded files: %v", err))
		}
	}
	files := map[string][]byte{}
	must(fs.WalkDir(t.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(t.FS, name)
		files[name] = body
		return err
	}))
	for name, body := range files {
		if ext := path.Ext(name); ext == ".gz" || ext == ".br" {
			if _, copied := files[strings.TrimSuffix(name, ext)]; copied {
				continue
			}
		}
		yield(name, typeByExtension(path.Ext(name)), body, files[name+".gz"], files[name+".br"])
	}
}

// typeByExtension does not ask the operating system, whose answer differs between machines.
func typeByExtension(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".json", ".map":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".ico":
		return "image/x-icon"
	case ".woff2":
		return "font/woff2"
	}
	return "application/octet-stream"
}
