package web_test

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
)

// TestCompressed: pages about one person are compressed, except for requests from another site, and their length
// reveals little.
func TestCompressed(t *testing.T) {
	w := newWorld(t)
	page := "<p>" + strings.Repeat("Reformer at nine. ", 500) + "</p>"
	serve := func(path, contentType, body string) {
		w.srv.App().Get(path, web.Compressed(func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderVary, "Turbo-Frame")
			c.Set(fiber.HeaderContentType, contentType)
			return c.SendString(body)
		}))
	}
	serve("/page", "text/html; charset=utf-8", page)
	serve("/small", "text/html; charset=utf-8", "<p>Full</p>")
	serve("/file", "text/csv", page)
	w.srv.App().Get("/tagged", web.Compressed(func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderETag, `"1"`)
		c.Set(fiber.HeaderContentType, "text/html")
		return c.SendString(page)
	}))
	for _, c := range []struct {
		path, takes, site string
		compressed        bool
	}{
		{"/page", "gzip, deflate, br, zstd", "", true},
		{"/page", "gzip", "none", true},
		{"/page", "gzip", "same-origin", true},
		{"/page", "gzip", "cross-site", false},
		{"/page", "gzip", "same-site", false},
		{"/page", "gzip;q=0", "", false},
		{"/page", "", "", false},
		{"/small", "gzip", "", false},
		{"/file", "gzip", "", false},
		{"/tagged", "gzip", "", false},
	} {
		got := w.do(req{path: c.path, headers: []string{"Accept-Encoding", c.takes, "Sec-Fetch-Site", c.site}})
		if is := got.header("Content-Encoding") == "gzip"; is != c.compressed || is && len(got.body) > len(page)/10 {
			t.Errorf("%s for %q from %q: compressed %t, %d bytes", c.path, c.takes, c.site, is, len(got.body))
		}
		if vary := got.header("Vary"); c.path == "/page" && vary != "Turbo-Frame, Accept-Encoding, Sec-Fetch-Site" {
			t.Errorf("%s: Vary %s", c.path, vary)
		}
		if c.compressed {
			plain, err := gzip.NewReader(strings.NewReader(got.body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(plain); err != nil || string(body) != page {
				t.Errorf("%v: %.100s", err, body)
			}
		}
	}
	if got := w.do(req{path: "/file", headers: []string{"Accept-Encoding", "gzip"}}); got.header("Vary") != "Turbo-Frame" {
		t.Errorf("a file varies by %s", got.header("Vary"))
	}
	lengths := map[int]bool{}
	for range 200 {
		lengths[len(w.do(req{path: "/page", headers: []string{"Accept-Encoding", "gzip"}}).body)] = true
	}
	if len(lengths) < 50 {
		t.Errorf("one page has %d lengths", len(lengths))
	}
}
