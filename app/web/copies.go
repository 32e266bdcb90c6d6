package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/web/assets"
)

// Cached is a finished body with its compressed copies and its tag, made once and sent often. Compressing or hashing
// per request would cost more than everything else a cached page does.
type Cached struct {
	Status int    // 0: 200
	Type   string // content type
	Bytes  []byte
	Gzip   []byte // nil when it would not be smaller
	Brotli []byte // nil when it would not be smaller
	ETag   string
	Header []Header // sent with every answer, also with a 304
	Note   any      // of PageBody

	onDemand *copies // in place of Gzip and Brotli
}

// copies are compressed copies that are made when the first client that accepts one gets the body.
type copies struct{ gzip, brotli func() []byte }

// copiesOnDemand makes the copies of a body on demand. made is called with the size of each.
func copiesOnDemand(body []byte, made func(size int)) *copies {
	once := func(compress func([]byte) ([]byte, error)) func() []byte {
		return sync.OnceValue(func() []byte {
			out, err := compress(body)
			if err != nil || len(out) >= len(body) {
				return nil
			}
			made(len(out))
			return out
		})
	}
	return &copies{gzip: once(gzipped), brotli: once(brotlied)}
}

// copy returns the best copy among the accepted codings, and its coding: the body itself if none is accepted or
// smaller.
func (e *Cached) copy(gz, br bool) (body []byte, coding string) {
	packed := func(ready []byte, made func(*copies) []byte) []byte {
		if e.onDemand != nil {
			return made(e.onDemand)
		}
		return ready
	}
	if br {
		if body = packed(e.Brotli, func(c *copies) []byte { return c.brotli() }); body != nil {
			return body, "br"
		}
	}
	if gz {
		if body = packed(e.Gzip, func(c *copies) []byte { return c.gzip() }); body != nil {
			return body, "gzip"
		}
	}
	return e.Bytes, ""
}

// Header is one header of a response.
type Header struct{ Name, Value string }

// NewCached makes the copies of a body. It keeps the slices. Headers that change make another tag: a client that
// keeps the body has to hear of them.
func NewCached(contentType string, body []byte, header ...Header) (*Cached, error) {
	gz, err := gzipped(body)
	if err != nil {
		return nil, err
	}
	br, err := brotlied(body)
	if err != nil {
		return nil, err
	}
	return withCopies(contentType, body, gz, br, header...), nil
}

func gzipped(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.DefaultCompression)
	if err != nil {
		return nil, err
	}
	return packed(&out, w, body)
}

func brotlied(body []byte) ([]byte, error) {
	var out bytes.Buffer
	return packed(&out, brotli.NewWriterLevel(&out, 5), body)
}

// packed compresses a body with a writer to out.
func packed(out *bytes.Buffer, w io.WriteCloser, body []byte) ([]byte, error) {
	_, err := w.Write(body)
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("web: compress: %w", err)
	}
	return out.Bytes(), nil
}

// withCopies drops copies that save nothing. The tag is weak: it stands for all copies.
func withCopies(contentType string, body, gz, br []byte, header ...Header) *Cached {
	named := sha256.New()
	named.Write(body)
	for _, line := range header {
		fmt.Fprintf(named, "\n%s: %s", line.Name, line.Value)
	}
	sum := named.Sum(nil)
	e := &Cached{Type: contentType, Bytes: body, Header: header, ETag: `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
	if len(gz) > 0 && len(gz) < len(body) {
		e.Gzip = gz
	}
	if len(br) > 0 && len(br) < len(body) {
		e.Brotli = br
	}
	return e
}

// Send sends the best copy that the client accepts, or 304 if the client already has the body.
func (e *Cached) Send(c *fiber.Ctx, cacheControl string) error {
	h := &c.Response().Header
	h.Set(fiber.HeaderETag, e.ETag)
	h.Set(fiber.HeaderCacheControl, cacheControl)
	h.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	for _, line := range e.Header {
		h.Set(line.Name, line.Value)
	}
	if e.Status != 0 {
		c.Status(e.Status)
	}
	if e.Status == 0 && matchesTag(c.Request().Header.Peek(fiber.HeaderIfNoneMatch), e.ETag) {
		c.Status(fiber.StatusNotModified)
		return nil
	}
	if e.Type != "" {
		h.SetContentType(e.Type)
	}
	body, coding := e.copy(accepts(c.Request().Header.Peek(fiber.HeaderAcceptEncoding)))
	if coding != "" {
		h.Set(fiber.HeaderContentEncoding, coding)
	}
	c.Response().SetBodyRaw(body)
	return nil
}

// accepts reads Accept-Encoding. A coding with q=0 is refused by the client.
func accepts(header []byte) (gz, br bool) {
	for len(header) > 0 {
		var item []byte
		item, header, _ = cutByte(header, ',')
		coding, weight, weighted := cutByte(item, ';')
		if weighted && refusesCoding(weight) {
			continue
		}
		switch string(bytes.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			gz = true
		case "br":
			br = true
		}
	}
	return gz, br
}

func refusesCoding(weight []byte) bool {
	q, ok := bytes.CutPrefix(bytes.TrimSpace(weight), []byte("q="))
	return ok && len(bytes.Trim(q, "0.")) == 0
}

// matchesTag reads If-None-Match, comparing weakly.
func matchesTag(header []byte, tag string) bool {
	if string(bytes.TrimSpace(header)) == "*" {
		return true
	}
	opaque := tag[2:] // without W/
	for len(header) > 0 {
		var item []byte
		item, header, _ = cutByte(header, ',')
		if string(bytes.TrimPrefix(bytes.TrimSpace(item), []byte("W/"))) == opaque {
			return true
		}
	}
	return false
}

// Static serves files from memory.
type Static struct{ files map[string]*Cached }

// immutable is for addresses with content that never changes.
const immutable = "public, max-age=31536000, immutable"

// NewStatic returns a handler for finished files, by name. It computes their ETags, as embedded files have no
// modification time.
func NewStatic(files map[string]assets.File) *Static {
	s := &Static{files: map[string]*Cached{}}
	for name, f := range files {
		var header []Header
		if f.Type == assets.TypeFont { // the theme studio uses it on other sites, and browsers require CORS for a font
			header = []Header{{fiber.HeaderAccessControlAllowOrigin, "*"}, {"Cross-Origin-Resource-Policy", "cross-origin"}}
		}
		s.files[name] = withCopies(f.Type, f.Body, f.Gzip, f.Brotli, header...)
	}
	return s
}

// Handler serves the file that the route's wildcard names, with a cache lifetime of a year. It is for a GET route
// that ends in * and does not belong to the API.
func (s *Static) Handler(c *fiber.Ctx) error { return s.Serve(c, c.Params("*"), immutable) }

// Serve answers with one file.
func (s *Static) Serve(c *fiber.Ctx, name, cacheControl string) error {
	f, ok := s.files[name]
	if !ok {
		return fault.Missing()
	}
	return f.Send(c, cacheControl)
}
