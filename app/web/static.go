package web

import (
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

// Handler serves the file that the route's wildcard names, to be kept for a year: for a GET route whose path ends in * and
// is not one of the API's, see ServeFiles.
func (s *Static) Handler(c *fiber.Ctx) error { return s.Serve(c, c.Params("*"), immutable) }

// Serve answers with one file.
func (s *Static) Serve(c *fiber.Ctx, name, cacheControl string) error {
	f, ok := s.files[name]
	if !ok {
		return fault.Missing()
	}
	return f.Send(c, cacheControl)
}

// ServeFiles serves files whose names hold a hash of their content under a path that ends in a slash, to be kept for a
// year. They are looked up before operations, so the path may be one of the API's: no file is named like a UUID.
func (s *Server) ServeFiles(prefix string, files *Static) { s.filesAt, s.files = prefix, files }

// file serves a request for one of the files, and tells whether it was one.
func (s *Server) file(c *fiber.Ctx, path string) (bool, error) {
	if s.files == nil || (c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead) {
		return false, nil
	}
	name, under := strings.CutPrefix(path, s.filesAt)
	if !under || s.files.files[name] == nil {
		return false, nil
	}
	callOf(c).route = s.filesAt + "*"
	return true, s.files.Serve(c, name, immutable)
}
