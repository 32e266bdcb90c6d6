package web_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"foyer/app/web"
)

// formWorld serves a form at /form and takes its posts.
func formWorld(t *testing.T, base string) *world {
	w := newWorld(t, func(o *web.Options) { o.BaseURL = base })
	w.srv.App().Get("/form", func(c *fiber.Ctx) error {
		f := w.srv.Forms.Fields(c)
		return c.SendString(f.Token + " " + f.Key)
	})
	w.srv.App().Post("/form", func(c *fiber.Ctx) error {
		if err := w.srv.Forms.Check(c); err != nil {
			return err
		}
		if _, err := w.srv.Forms.Once(c); err != nil {
			return err
		}
		return c.SendString("done")
	})
	w.srv.App().Get("/out", func(c *fiber.Ctx) error { w.srv.Cookies.Clear(c, "session"); return nil })
	return w
}

// open is a visit of the form: its cookie as the browser would send it, and its hidden fields.
func (w *world) open(cookie string) (newCookie, token, key string) {
	r := req{path: "/form"}
	if cookie != "" {
		r.headers = []string{"Cookie", cookie}
	}
	got := w.do(r)
	newCookie, _, _ = strings.Cut(got.header("Set-Cookie"), ";")
	token, key, _ = strings.Cut(got.body, " ")
	return newCookie, token, key
}

func postForm(cookie, token, key string, headers ...string) req {
	return req{
		method: "POST", path: "/form", contentType: "application/x-www-form-urlencoded",
		body:    url.Values{web.FieldToken: {token}, web.FieldKey: {key}, "name": {"Ada"}}.Encode(),
		headers: append([]string{"Cookie", cookie}, headers...),
	}
}

// TestCookies: the attributes on https, and the plain name on http.
func TestCookies(t *testing.T) {
	got := formWorld(t, "https://book.test").do(req{path: "/form"}).header("Set-Cookie")
	for _, want := range []string{"__Host-foyer_visitor=", "; path=/", "; HttpOnly", "; secure", "; SameSite=Lax", "max-age="} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %s", got, want)
		}
	}
	if strings.Contains(strings.ToLower(got), "domain") {
		t.Errorf("%q: a __Host- cookie has no domain", got)
	}
	plain := formWorld(t, "http://localhost:8080").do(req{path: "/form"}).header("Set-Cookie")
	if !strings.HasPrefix(plain, "foyer_visitor=") || strings.Contains(plain, "secure") || !strings.Contains(plain, "HttpOnly") {
		t.Errorf("over http: %q", plain)
	}
	gone := formWorld(t, "https://book.test").do(req{path: "/out"}).header("Set-Cookie")
	if !strings.Contains(gone, "__Host-foyer_session=;") || !strings.Contains(gone, "max-age=0") || !strings.Contains(gone, "secure") {
		t.Errorf("cleared: %q", gone)
	}
}

// TestForms: a post needs the token of a page shown to this browser, and must not come from another site.
func TestForms(t *testing.T) {
	w := formWorld(t, "https://book.test")
	cookie, token, key := w.open("")
	kept, second, secondKey := w.open(cookie)
	if kept != "" || second == token || secondKey == key {
		t.Errorf("a second visit: cookie %q, same token %v, same key %v", kept, second == token, secondKey == key)
	}
	for name, r := range map[string]req{
		"same page":        postForm(cookie, token, key),
		"other tab":        postForm(cookie, second, key),
		"browser's word":   postForm(cookie, token, key, "Origin", "https://book.test", "Sec-Fetch-Site", "same-origin"),
		"only one of them": postForm(cookie, token, key, "Sec-Fetch-Site", "same-origin"),
	} {
		if got := w.do(r); got.status != 200 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	stranger, foreign, _ := w.open("")
	other := "A" // than the token's first sign, which may be this one
	if token[0] == 'A' {
		other = "B"
	}
	for name, r := range map[string]req{
		"no cookie":            postForm("", token, key),
		"no token":             postForm(cookie, "", key),
		"no key":               postForm(cookie, token, ""),
		"another browser's":    postForm(cookie, foreign, key),
		"another cookie":       postForm(stranger, token, key),
		"changed":              postForm(cookie, other+token[1:], key),
		"cut":                  postForm(cookie, token[:20], key),
		"cookie set by others": postForm("__Host-foyer_visitor=x", token, key),
		"other origin":         postForm(cookie, token, key, "Origin", "https://evil.test"),
		"null origin":          postForm(cookie, token, key, "Origin", "null"),
		"origin over http":     postForm(cookie, token, key, "Origin", "http://book.test"),
		"origin with more":     postForm(cookie, token, key, "Origin", "https://book.test.evil.test"),
		"cross-site":           postForm(cookie, token, key, "Sec-Fetch-Site", "cross-site"),
		"sibling host":         postForm(cookie, token, key, "Sec-Fetch-Site", "same-site"),
	} {
		t.Run(name, func(t *testing.T) {
			if e := w.do(r).refused(t, 403); e.Error.Details["reason"] != "form_expired" {
				t.Errorf("%+v", e)
			}
		})
	}
}
