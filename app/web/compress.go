package web

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/klauspost/compress/gzip"

	"foyer/app/web/op"
)

// Bounds of compressing an answer on its way out.
const (
	compressLeast = 1 << 10 // bytes; a smaller answer is one packet as it is
	mostPadding   = 100     // bytes
)

// Compressed compresses the pages of a handler for clients that accept it: in gzip's fastest level, because a page is
// sent once. Brotli costs twice the time at its fastest, for the same size; finished bodies (Cached) have it. It is
// for pages about one person, with content that others must not learn. An attacker that observes the length of
// answers, and can make a person's browser request pages with chosen words in them, could guess from the length the
// words that a page repeats (BREACH). So nothing is compressed if another site started the request, as browsers
// report in Sec-Fetch-Site, and for browsers without that header each answer is longer by up to mostPadding random
// bytes, in gzip's field for a file name. Form tokens differ each time they are shown (Forms.Fields), so they cannot
// be guessed piece by piece.
func Compressed(run fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := run(c); err != nil {
			return err
		}
		return CompressPage(c)
	}
}

// CompressPage compresses the page in the answer, by the rules of Compressed. An answer that is no page, or that has
// an ETag, stays unchanged.
func CompressPage(c *fiber.Ctx) error { return compress(c, fiber.MIMETextHTML) }

// CompressJSON compresses the JSON in the answer, by the rules of Compressed.
func CompressJSON(c *fiber.Ctx) error { return compress(c, op.JSONType) }

func compress(c *fiber.Ctx, contentType string) error {
	r := c.Response()
	if !bytes.HasPrefix(r.Header.ContentType(), []byte(contentType)) || len(r.Header.ContentEncoding()) > 0 ||
		len(r.Header.Peek(fiber.HeaderETag)) > 0 || r.IsBodyStream() {
		return nil
	}
	body := r.Body()
	c.Vary(fiber.HeaderAcceptEncoding, "Sec-Fetch-Site")
	if gz, _ := accepts(c.Request().Header.Peek(fiber.HeaderAcceptEncoding)); !gz || len(body) < compressLeast || otherSites(c) {
		return nil
	}
	var out bytes.Buffer
	out.Grow(len(body)/4 + mostPadding)
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(&out)
	w.Name = strings.Repeat("x", 1+rand.IntN(mostPadding))
	if _, err := w.Write(body); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	r.Header.SetContentEncoding("gzip")
	r.SetBodyRaw(out.Bytes())
	return nil
}

// otherSites reports whether another site started the request.
func otherSites(c *fiber.Ctx) bool {
	switch c.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return true
}

// compressors have a window each, most of a megabyte.
var compressors = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one of gzip's
	}
	return w
}}
