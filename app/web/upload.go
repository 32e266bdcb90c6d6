package web

import (
	"bytes"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"foyer/app/web/op"
)

// fileTime is how long a file may take to arrive, or to be taken: 15 MB over a phone's worst connection.
const fileTime = 5 * time.Minute

// AcceptFiles says how many bytes a request may have at addresses that are not the API's, when that is more than others may; 0: it is
// not. A surface that takes files says so before the server starts.
func (s *Server) AcceptFiles(most func(method, path string) int) { s.files = append(s.files, most) }

// ServesFiles says that files are at the addresses below root, "/media/". Who takes one has the time for it. A surface that gives files
// says so before the server starts.
func (s *Server) ServesFiles(root string) { s.given = append(s.given, root) }

// expect gives a request that brings a file the room and the time for it, and one that takes a file the time. Somewhat more than the
// file may have is read, so that who sends that keeps the connection. Who asks whether to send more is not told to go on.
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
	if !bytes.HasPrefix(h.ContentType(), []byte(op.FormType)) {
		return c
	}
	method := string(h.Method())
	before, _, _ := cutByte(h.RequestURI(), '?')
	path := string(before)
	most := s.Operations.FileMost(method, path)
	for _, of := range s.files {
		most = max(most, of(method, path))
	}
	if most > 0 {
		c.MaxRequestBodySize, c.ReadTimeout = 2*most+op.MaxBody, fileTime
	}
	return c
}

// ParseUpload makes a posted form with a file like any other: its texts are then what FormValue and PostArgs find, and the file is returned
// beside them; nil when there is none. A form of another kind stays as it is. Error: that of ReadForm; the texts up to it are there.
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
	r.Header.SetContentType(fiber.MIMEApplicationForm) // so that nobody takes it apart again
	return form.File, err
}
