package web

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
)

// Bounds of compressing a page on its way out.
const (
	compressLeast = 1 << 10 // bytes; a smaller page is one packet as it is
	mostPadding   = 100     // bytes
)

// Compressed is a handler whose pages are compressed for whoever takes that. It is for pages about one person, which hold what
// others must not learn. Who sees how long the answers are, and can make a person's browser ask for pages with words of his
// choice in them, could guess from the length which words a page has twice (BREACH). So nothing is compressed that another
// site asked for, as browsers tell in Sec-Fetch-Site, and for browsers that do not tell, each answer is longer by up to
// mostPadding bytes at random, in a place that gzip has for the name of a file. Tokens of forms are other ones each time
// they are shown (Forms.Fields), so they cannot be guessed piece by piece anyway.
func Compressed(run fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := run(c); err != nil {
			return err
		}
		return CompressPage(c)
	}
}

// CompressPage compresses the page that was written as an answer, under the rules of Compressed. An answer that is no page, or that
// has a tag, stays as it is.
func CompressPage(c *fiber.Ctx) error {
	r := c.Response()
	body := r.Body()
	if !bytes.HasPrefix(r.Header.ContentType(), []byte(fiber.MIMETextHTML)) || len(r.Header.ContentEncoding()) > 0 ||
		len(r.Header.Peek(fiber.HeaderETag)) > 0 {
		return nil
	}
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

// otherSites reports whether another site made the browser ask.
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
