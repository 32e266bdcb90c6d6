package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/clock"
	"foyer/app/web"
	"foyer/app/web/assets"
)

var page = strings.Repeat("<p>hello</p>", 500)

func copiesWorld(t *testing.T) *world {
	w := newWorld(t)
	body, err := web.NewCached("text/html; charset=utf-8", []byte(page))
	if err != nil {
		t.Fatal(err)
	}
	tiny, err := web.NewCached("text/plain", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	w.srv.App().Get("/page", func(c *fiber.Ctx) error { return body.Send(c, "public, max-age=30") })
	w.srv.App().Get("/tiny", func(c *fiber.Ctx) error { return tiny.Send(c, "public, max-age=30") })
	return w
}

// TestSend picks the best copy that the client takes, and answers 304 to a client that has the body.
func TestSend(t *testing.T) {
	w := copiesWorld(t)
	get := func(path string, headers ...string) resp { return w.do(req{path: path, headers: headers}) }
	unpack := map[string]func(io.Reader) io.Reader{
		"":     func(r io.Reader) io.Reader { return r },
		"gzip": func(r io.Reader) io.Reader { z, _ := gzip.NewReader(r); return z },
		"br":   func(r io.Reader) io.Reader { return brotli.NewReader(r) },
	}
	for accept, want := range map[string]string{
		"": "", "identity": "", "gzip": "gzip", "gzip, deflate, br, zstd": "br", "br;q=0, gzip;q=0.5": "gzip",
		"gzip;q=0.0,br;q=0": "", "x-gzip": "gzip", "GZIPPED": "",
	} {
		got := get("/page", "Accept-Encoding", accept)
		body, err := io.ReadAll(unpack[want](strings.NewReader(got.body)))
		if got.header("Content-Encoding") != want || err != nil || string(body) != page || got.header("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q, %v, %d bytes", accept, got.header("Content-Encoding"), err, len(body))
		}
	}
	if got := get("/tiny", "Accept-Encoding", "br, gzip"); got.body != "x" || got.header("Content-Encoding") != "" {
		t.Errorf("a copy that saves nothing: %q %q", got.header("Content-Encoding"), got.body)
	}
	tag := get("/page").header("ETag")
	strong := strings.TrimPrefix(tag, "W/")
	for given, status := range map[string]int{
		tag: 304, strong: 304, "*": 304, `"other", ` + tag: 304, `"other"`: 200, "": 200, strings.Trim(strong, `"`): 200,
	} {
		got := get("/page", "If-None-Match", given)
		if got.status != status || got.header("ETag") != tag || got.header("Cache-Control") != "public, max-age=30" || (status == 304) != (got.body == "") {
			t.Errorf("%s: %d, %d bytes", given, got.status, len(got.body))
		}
	}
}

// TestStatic serves files with a tag and for a year.
func TestStatic(t *testing.T) {
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	_, err := z.Write([]byte(page))
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	files := web.NewStatic(map[string]assets.File{ // a style sheet with a compressed copy, and a picture without
		"app.3f2a.css": {Type: "text/css; charset=utf-8", Body: []byte(page), Gzip: gz.Bytes()},
		"logo.9a.svg":  {Type: "image/svg+xml", Body: []byte("<svg/>")},
	})
	w := documentWorld(t)
	w.srv.App().Get("/static/*", files.Handler)
	w.srv.App().Get("/robots.txt", func(c *fiber.Ctx) error { return files.Serve(c, "logo.9a.svg", "public, max-age=60") })
	got := w.do(req{path: "/static/app.3f2a.css", headers: []string{"Accept-Encoding", "gzip"}})
	if got.status != 200 || got.header("Content-Type") != "text/css; charset=utf-8" || got.header("Content-Encoding") != "gzip" ||
		got.header("Cache-Control") != "public, max-age=31536000, immutable" || got.header("ETag") == "" || got.body != gz.String() {
		t.Errorf("%d %s %s", got.status, got.header("Content-Type"), got.header("Content-Encoding"))
	}
	if again := w.do(req{path: "/static/app.3f2a.css", headers: []string{"If-None-Match", got.header("ETag")}}); again.status != 304 {
		t.Errorf("conditional: %d", again.status)
	}
	for path, status := range map[string]int{
		"/static/logo.9a.svg": 200, "/static/../server.go": 404, "/static/%2e%2e/server.go": 404, "/assets/app.3f2a.css": 404,
		"/app.3f2a.css": 404, "/robots.txt": 200,
		"/static/app.3f2a.css": 200, "/static/": 404, "/static/nothing.css": 404,
	} {
		if got := w.do(req{path: path}); got.status != status {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	head := w.do(req{method: "HEAD", path: "/static/app.3f2a.css"})
	if head.status != 200 || head.header("ETag") == "" || head.header("Cache-Control") == "no-store" {
		t.Errorf("HEAD: %d", head.status)
	}
	w.do(req{method: "DELETE", path: "/assets/app.3f2a.css", token: ownerToken}).refused(t, 404)
	w.do(req{method: "DELETE", path: "/assets/" + uptown.String()}).refused(t, 401)
}

// counted fills with a growing number.
type counted struct{ n atomic.Int64 }

func (f *counted) fill(context.Context) (web.PageBody, error) {
	return web.PageBody{Type: "text/plain", Body: []byte(strings.Repeat(string(rune('0'+f.n.Add(1))), 100))}, nil
}

// ownerOf is the business that a key like "uptown/schedule" belongs to.
func ownerOf(key string) uuid.UUID {
	studio, _, _ := strings.Cut(key, "/")
	return uuid.NewSHA1(uuid.Nil, []byte(studio))
}

func first(t *testing.T, p *web.PageCache, key string, f *counted) string {
	t.Helper()
	e, err := p.Get(context.Background(), ownerOf(key), key, f.fill)
	if err != nil {
		t.Fatal(err)
	}
	return string(e.Bytes[:1])
}

// TestPageCache: an entry lives until its business is forgotten or its minute ends.
func TestPageCache(t *testing.T) {
	c := clock.NewFixed(start)
	p := web.NewPageCache(c, 1<<20)
	var f counted
	for range 3 {
		if got := first(t, p, "uptown/schedule", &f); got != "1" {
			t.Fatalf("page %s", got)
		}
	}
	first(t, p, "downtown/schedule", &f)
	p.Forget(ownerOf("uptown/"))
	if a, b := first(t, p, "uptown/schedule", &f), first(t, p, "downtown/schedule", &f); a != "3" || b != "2" {
		t.Errorf("after invalidation %s and %s", a, b)
	}
	c.Advance(59 * time.Second)
	if got := first(t, p, "downtown/schedule", &f); got != "2" {
		t.Errorf("within its minute: %s", got)
	}
	c.Advance(time.Second)
	if got := first(t, p, "downtown/schedule", &f); got != "4" {
		t.Errorf("after its minute: %s", got)
	}
	c.Advance(-time.Hour)
	if got := first(t, p, "downtown/schedule", &f); got != "5" {
		t.Errorf("clock set back: %s", got)
	}
	p.Forget(uuid.Nil)
	if got := first(t, p, "downtown/schedule", &f); got != "6" || p.Len() != 1 {
		t.Errorf("after everything was forgotten: %s of %d", got, p.Len())
	}
	failing := errors.New("no")
	if _, err := p.Get(context.Background(), ownerOf("x"), "x", func(context.Context) (web.PageBody, error) { return web.PageBody{}, failing }); !errors.Is(err, failing) {
		t.Error(err)
	}
	if got := first(t, p, "x", &f); got != "7" {
		t.Errorf("an error was kept: %s", got)
	}
}

// TestPageCacheIsBounded drops the least recently used entries.
func TestPageCacheIsBounded(t *testing.T) {
	p := web.NewPageCache(clock.NewFixed(start), 2750)
	var f counted
	for _, key := range []string{"a", "b", "c"} {
		first(t, p, key, &f)
	}
	first(t, p, "a", &f)
	first(t, p, "d", &f)
	first(t, p, "e", &f)
	if got := first(t, p, "a", &f); got != "1" {
		t.Errorf("the entry that was used again is gone: %s", got)
	}
	if got := first(t, p, "b", &f); got != "6" {
		t.Errorf("the entry that was not used is still there: %s", got)
	}
	for i := range 1000 {
		first(t, p, "many"+itoa(i), &f)
	}
	if p.Len() > 6 {
		t.Errorf("%d entries after a thousand", p.Len())
	}
}

// TestOneRefill: of many concurrent callers one fills, also when its business is forgotten meanwhile, and no caller
// gets a page older than a Forget before its call.
func TestOneRefill(t *testing.T) {
	p := web.NewPageCache(clock.NewFixed(start), 1<<20)
	var fills atomic.Int64
	release := make(chan struct{})
	slow := func(context.Context) (web.PageBody, error) {
		fills.Add(1)
		<-release
		return web.PageBody{Type: "text/plain", Body: []byte("old")}, nil
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if e, err := p.Get(context.Background(), ownerOf("k"), "k", slow); err != nil || string(e.Bytes) != "old" {
				t.Error(err)
			}
		})
	}
	for fills.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Get(ctx, ownerOf("k"), "k", slow); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left: %v", err)
	}
	time.Sleep(20 * time.Millisecond)
	close(release)
	all.Wait()
	if n := fills.Load(); n != 1 {
		t.Errorf("%d refills", n)
	}

	release = make(chan struct{})
	began := make(chan struct{})
	var late sync.WaitGroup
	late.Go(func() {
		_, _ = p.Get(context.Background(), ownerOf("j"), "j", func(context.Context) (web.PageBody, error) {
			close(began)
			<-release
			return web.PageBody{Type: "text/plain", Body: []byte("old")}, nil
		})
	})
	<-began
	p.Forget(ownerOf("j"))
	e, err := p.Get(context.Background(), ownerOf("j"), "j", func(context.Context) (web.PageBody, error) {
		return web.PageBody{Type: "text/plain", Body: []byte("new")}, nil
	})
	close(release)
	late.Wait()
	again, _ := p.Get(context.Background(), ownerOf("j"), "j", slow)
	if err != nil || string(e.Bytes) != "new" || string(again.Bytes) != "new" {
		t.Errorf("%v %s %s", err, e.Bytes, again.Bytes)
	}
}

// TestRefillPanics: waiting callers get an error and the next one fills again.
func TestRefillPanics(t *testing.T) {
	p := web.NewPageCache(clock.NewFixed(start), 1<<20)
	func() {
		defer func() { _ = recover() }()
		_, _ = p.Get(context.Background(), ownerOf("k"), "k", func(context.Context) (web.PageBody, error) { panic("no") })
	}()
	var f counted
	if got := first(t, p, "k", &f); got != "1" {
		t.Error(got)
	}
}

// TestCopiesOnDemand: a page may have its compressed copies made by the first client that takes one, once, and they
// count against the bound of the cache.
func TestCopiesOnDemand(t *testing.T) {
	w := newWorld(t)
	p := web.NewPageCache(clock.NewFixed(start), 1<<20)
	note := &struct{ name string }{"kept"}
	get := func() *web.Cached {
		e, err := p.Get(t.Context(), ownerOf("k"), "k", func(context.Context) (web.PageBody, error) {
			return web.PageBody{Type: "text/html", Body: []byte(page), OnDemand: true, Note: note}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	w.srv.App().Get("/page", func(c *fiber.Ctx) error { return get().Send(c, "private") })
	if got := w.do(req{path: "/page"}); got.body != page || got.header("Content-Encoding") != "" {
		t.Errorf("without a coding: %q, %d bytes", got.header("Content-Encoding"), len(got.body))
	}
	if e := get(); e.Note != note || e.Gzip != nil || e.Brotli != nil {
		t.Errorf("the note is %v, and there are copies of %d and %d bytes", e.Note, len(e.Gzip), len(e.Brotli))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got := w.do(req{path: "/page", headers: []string{"Accept-Encoding", "br, gzip"}})
			body, err := io.ReadAll(brotli.NewReader(strings.NewReader(got.body)))
			if err != nil || string(body) != page || got.header("Content-Encoding") != "br" {
				t.Errorf("%q, %v, %d bytes", got.header("Content-Encoding"), err, len(body))
			}
		})
	}
	all.Wait()
	z := w.do(req{path: "/page", headers: []string{"Accept-Encoding", "gzip"}})
	unpacked, err := gzip.NewReader(strings.NewReader(z.body))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(unpacked); err != nil || string(body) != page {
		t.Errorf("gzip: %v, %d bytes", err, len(body))
	}
	br := w.do(req{path: "/page", headers: []string{"Accept-Encoding", "br"}})
	if got, want := web.BytesOf(p), len("k")+web.EntryCost+len(page)+len(z.body)+len(br.body); got != want {
		t.Errorf("the cache counts %d bytes of %d", got, want)
	}
	p.Forget(ownerOf("k"))
	if n := web.BytesOf(p); n != 0 {
		t.Errorf("%d bytes are left", n)
	}
}
