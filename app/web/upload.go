package web

import (
	"bytes"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"foyer/app/web/op"
)

// fileTime is the timeout of an upload or download: 15 MB over a phone's worst connection.
const fileTime = 5 * time.Minute

// AcceptFiles sets the maximum body size at addresses outside the API, if it is above the usual one; most returns 0
// for the usual one. A surface with uploads calls it before the server starts.
func (s *Server) AcceptFiles(most func(method, path string) int) { s.files = append(s.files, most) }

// ServesFiles declares that files are served below root, such as "/media/", with a longer timeout. A surface with
// downloads calls it before the server starts.
func (s *Server) ServesFiles(root string) { s.given = append(s.given, root) }

// expect sets the size limit and the timeout of an upload, and the timeout of a download. The limit is somewhat above
// the maximum size of the file, so that a slightly larger upload does not lose its connection. A request with Expect:
// 100-continue is not told to continue.
func (s *Server) expect(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	c := s.roomFor(h)
	switch length := h.ContentLength(); {
	case length > max(c.MaxRequestBodySize, op.MaxBody):
		h.Del(fasthttp.HeaderExpect)
	case length == -1:
		s.heads.keep(h)
	}
	return c
}

func (s *Server) roomFor(h *fasthttp.RequestHeader) (c fasthttp.RequestConfig) {
	for _, root := range s.given {
		if bytes.HasPrefix(h.RequestURI(), []byte(root)) {
			c.WriteTimeout = fileTime
		}
	}
	form := bytes.HasPrefix(h.ContentType(), []byte(op.FormType))
	prepared := bytes.HasPrefix(h.RequestURI(), []byte(op.UploadPath))
	if !form && !prepared {
		return c
	}
	method := string(h.Method())
	before, _, _ := cutByte(h.RequestURI(), '?')
	path, most := string(before), 0
	if prepared {
		most = s.Operations.UploadMost(method, path) // of a form, or of the file alone
	} else {
		most = s.Operations.FileMost(method, path)
		for _, of := range s.files {
			most = max(most, of(method, path))
		}
	}
	if most > 0 {
		c.MaxRequestBodySize, c.ReadTimeout = 2*most+op.MaxBody, fileTime
	}
	return c
}

// ParseUpload parses a posted multipart form: afterwards FormValue and PostArgs return its texts, and the file is
// returned, or nil. Other forms stay unchanged. Error: that of ReadForm; the texts before it are available.
func ParseUpload(c *fiber.Ctx) (*op.File, error) {
	r := c.Request()
	contentType := string(r.Header.ContentType())
	if !strings.HasPrefix(contentType, op.FormType) {
		return nil, nil
	}
	form, err := op.ReadForm(contentType, r.Body())
	args := r.PostArgs()
	for name, texts := range form.Texts {
		for _, text := range texts {
			args.Add(name, text)
		}
	}
	r.Header.SetContentType(fiber.MIMEApplicationForm) // so that it is not parsed again
	return form.File, err
}
