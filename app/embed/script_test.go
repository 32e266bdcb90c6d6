package embed_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"foyer/app/web/assets"
)

// scripts are the addresses that stand in studios' pages.
var scripts = map[string]string{"/embed/v1.js": "v1.js", "/embed.js": "embed.js"}

// E7, E101, E102, E104, E112: the scripts have their type, may be cached by everyone for five minutes, and can be
// loaded from any website, with whatever headers it sends.
func TestE7_Scripts(t *testing.T) {
	t.Parallel()
	w := open(t)
	for path, name := range scripts {
		a := w.ask(http.MethodGet, path).want(200).headers(
			"Content-Type", "text/javascript; charset=utf-8", "Cache-Control", "public, max-age=300", "Access-Control-Allow-Origin", "*",
			"X-Content-Type-Options", "nosniff", "Cross-Origin-Resource-Policy", "cross-origin", "Vary", "Accept-Encoding", "Set-Cookie", "", "Content-Encoding", "",
		)
		if a.body != string(assets.Content(name).Body) {
			t.Errorf("%s is another script", path)
		}
		tag := a.header.Get("ETag")
		for _, headers := range [][]string{{"Cookie", "a=b"}, {"Authorization", "Bearer x"}, {"Origin", "https://harbouryoga.com"}, {"If-None-Match", `"other"`}} {
			if b := w.ask(http.MethodGet, path+"?v=2", headers...).want(200); b.body != a.body || b.header.Get("ETag") != tag || tag == "" {
				t.Errorf("%s with %s is another script", path, headers)
			}
		}
		b := w.ask(http.MethodGet, path, "If-None-Match", tag)
		if b.status != 304 || b.body != "" || b.header.Get("Access-Control-Allow-Origin") != "*" || b.header.Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("%s, known: %d %v", path, b.status, b.header)
		}
		head := w.ask(http.MethodHead, path).want(200)
		if head.body != "" || head.header.Get("Content-Length") != a.header.Get("Content-Length") || head.header.Get("Content-Type") != a.header.Get("Content-Type") {
			t.Errorf("HEAD %s: %v", path, head.header)
		}
	}
}

// The copies that are sent are the ones that were made ahead, and unpack to the script. E7.
func TestE7_CopiesOfScripts(t *testing.T) {
	t.Parallel()
	w := open(t)
	for path, name := range scripts {
		f := assets.Content(name)
		for accept, c := range map[string]struct {
			sent   []byte
			unpack func(io.Reader) (io.Reader, error)
		}{
			"gzip":              {f.Gzip, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
			"gzip, deflate, br": {f.Brotli, func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }},
		} {
			a := w.ask(http.MethodGet, path, "Accept-Encoding", accept).want(200)
			r, err := c.unpack(strings.NewReader(a.body))
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(r)
			if err != nil || string(body) != string(f.Body) || a.body != string(c.sent) || a.header.Get("Content-Encoding") == "" {
				t.Errorf("%s, %s: %d bytes, %v", path, accept, len(a.body), err)
			}
		}
	}
}

// E138: the addresses in pages of today stay; the address of another version is free until there is one, and answers
// then beside the first. The contract of the first does not change under its address: TestE136_ContractOnlyGrows
// checks that.
func TestE138_OneVersion(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, path := range []string{"/embed/v2.js", "/embed/v0.js", "/embed/v10.js", "/embed/v2/harbour/schedule", "/embed/v2/themes/clean.css"} {
		w.ask(http.MethodGet, path).want(404)
	}
	for _, path := range []string{"/embed/v1.js", "/embed/v1/harbour/schedule", "/embed/v1/themes/clean.css"} {
		w.ask(http.MethodGet, path).want(200)
	}
	if script := w.ask(http.MethodGet, "/embed/v1.js").body; !strings.Contains(script, "/embed/v1/") || strings.Contains(script, "/embed/v2") {
		t.Error("the script of v1 asks for another version")
	}
}
