package web_test

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"

	"foyer/app/web"
	"foyer/app/web/op"
)

// TestUnanswered is A77: an address without an operation returns the envelope.
func TestUnanswered(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	at := "/businesses/" + studio.String() + "/catalog"
	for _, c := range []struct {
		name   string
		r      req
		status int
	}{
		{"unknown route", req{path: "/businesses/x/y/z"}, 404},
		{"unknown root", req{path: "/nothing"}, 404},
		{"root", req{path: "/"}, 404},
		{"empty segment", req{path: "/businesses//catalog", token: ownerToken}, 404},
		{"trailing slash", req{path: at + "/", token: ownerToken}, 404},
		{"other case", req{path: strings.ToUpper(at), token: ownerToken}, 404},
		{"broken escape", req{path: "/businesses/%zz/catalog", token: ownerToken}, 404},
		{"dots are no way around", req{path: "/storefront/../me/profile", token: ownerToken}, 404},
		{"wrong method", req{method: "DELETE", path: at, token: ownerToken}, 404},
		{"OPTIONS", req{method: "OPTIONS", path: at}, 404},
		{"unknown method", req{method: "BREW", path: at}, 404},
		{"lower-case method", req{method: "get", path: at}, 404},
		{"no body", req{method: "POST", path: at, token: ownerToken}, 400},
		{"wrong content type", req{method: "POST", path: at, token: ownerToken, body: `{"note":"x"}`, contentType: "text/plain"}, 400},
		{"no content type", req{method: "POST", path: at, token: ownerToken, body: `{"note":"x"}`, contentType: "-"}, 400},
		{"form", req{method: "POST", path: at, token: ownerToken, body: `note=x`, contentType: "application/x-www-form-urlencoded"}, 400},
		{"other charset", req{method: "POST", path: at, token: ownerToken, body: `{"note":"x"}`, contentType: "application/json; charset=latin1"}, 400},
		{"compressed", req{method: "POST", path: at, token: ownerToken, body: `{"note":"x"}`, headers: []string{"Content-Encoding", "gzip"}}, 400},
		{"oversized", req{method: "POST", path: at, token: ownerToken, body: `{"note":"` + strings.Repeat("x", 1<<20) + `"}`}, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := w.do(c.r)
			got.refused(t, c.status)
			wrong := c.name == "wrong method" || c.name == "OPTIONS"
			if allow := got.header("Allow"); wrong && allow != "GET, HEAD, POST" || !wrong && allow != "" {
				t.Errorf("Allow: %s", allow)
			}
			if wrong && !strings.Contains(got.body, c.r.method+" is not supported. This address supports GET, HEAD, POST.") {
				t.Errorf("%s", got.body)
			}
		})
	}
	w.do(req{method: "POST", path: at, token: ownerToken, body: `{"note":"x"}`, contentType: "application/json; charset=UTF-8"}).data(t, 200, nil)
	// Unknown methods are treated alike.
	w.do(req{path: at + "?q=%00&%ff=1", token: ownerToken, body: "not JSON", contentType: "text/plain"}).data(t, 200, nil)
}

// TestTheDocumentIsRead: writes to the document's address are refused in the envelope, as at any address of the API.
func TestTheDocumentIsRead(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		got := w.do(req{method: method, path: "/openapi.json", body: "{}"})
		if got.refused(t, 404); got.header("Allow") != "GET, HEAD" {
			t.Errorf("%s: Allow: %s", method, got.header("Allow"))
		}
	}
}

// TestUnreadable sends requests that fasthttp refuses before any handler runs.
func TestUnreadable(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	addr := w.serve(t)
	at := "/businesses/" + studio.String() + "/catalog"
	for name, request := range map[string]string{
		"body too large":                fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+ownerToken+"\r\nContent-Length: %d\r\n\r\n", at, 2<<20),
		"body too large, no such route": fmt.Sprintf("POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", 2<<20),
		"head too large":                "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 20<<10) + "\r\n\r\n",
		"no HTTP":                       "hello\r\n\r\n",
		"broken header":                 "GET / HTTP/1.1\r\nHost x\r\n\r\n",
		"broken length":                 "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, addr)
			got := raw(t, conn, bufio.NewReader(conn), request)
			got.refused(t, 400)
			if got.header("X-Content-Type-Options") == "" || got.header("X-Request-Id") == "" {
				t.Error("common headers are missing")
			}
		})
	}
}

// TestPages gets error pages off the API's paths, and the envelope under them.
func TestPages(t *testing.T) {
	w := newWorld(t, func(o *web.Options) {
		o.ErrorPage = func(c *fiber.Ctx, status int, f *fault.Error) error {
			if strings.HasSuffix(c.Path(), "/panics") {
				panic("in the error page")
			}
			c.Type("html")
			return c.SendString(fmt.Sprintf("<h1>%d %s</h1>", status, f.Kind))
		}
	})
	accessWorld(w)
	w.srv.App().Get("/studio/booked", func(*fiber.Ctx) error { return op.ErrTooMany.WithMessage("slow down") })
	w.srv.App().Get("/studio/broken", func(*fiber.Ctx) error { panic("no") })
	for path, want := range map[string]string{
		"/studio":        "<h1>404 not_found</h1>",
		"/studio/booked": "<h1>429 too_many_requests</h1>",
		"/studio/broken": "<h1>500 internal_error</h1>",
	} {
		if got := w.do(req{path: path}); got.body != want || got.header("Content-Type") != "text/html" {
			t.Errorf("%s: %s %s", path, got.header("Content-Type"), got.body)
		}
	}
	if got := w.do(req{path: "/studio/booked"}); got.header("Retry-After") != "1" {
		t.Errorf("Retry-After %q", got.header("Retry-After"))
	}
	w.do(req{path: "/studio/panics"}).refused(t, 404)
	for _, path := range []string{"/openapi.json", "/livez", "/readyz"} {
		for _, method := range []string{"POST", "DELETE", "OPTIONS"} {
			got := w.do(req{method: method, path: path, headers: []string{"Accept", "text/html"}})
			if got.refused(t, 404); got.header("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: Allow %q", method, path, got.header("Allow"))
			}
		}
	}
	for _, path := range []string{"/businesses", "/offerings/x/y", "/locations/", "/assets", "/products", "/storefront/x", "/me", "/auth/x"} {
		w.do(req{path: path}).refused(t, 404)
	}
}

// TestHeaders: the headers of every answer, and the rule of the request id.
func TestHeaders(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	w.srv.App().Get("/cached", func(c *fiber.Ctx) error { c.Set("Cache-Control", "public, max-age=9"); return nil })
	got := w.do(req{path: "/me/profile", token: ownerToken})
	for name, want := range map[string]string{
		"Strict-Transport-Security": "max-age=31536000; includeSubDomains", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "strict-origin-when-cross-origin", "Cache-Control": "no-store", "Server": "",
	} {
		if got.header(name) != want {
			t.Errorf("%s: %q, want %q", name, got.header(name), want)
		}
	}
	if c := w.do(req{path: "/cached"}).header("Cache-Control"); c != "public, max-age=9" {
		t.Errorf("Cache-Control of a page: %q", c)
	}
	plain := newWorld(t, func(o *web.Options) { o.BaseURL = "http://localhost:8080" })
	if h := plain.do(req{path: "/x"}).header("Strict-Transport-Security"); h != "" {
		t.Errorf("HSTS over http: %q", h)
	}
	for _, c := range []struct {
		remote, given string
		kept          bool
	}{
		{"127.0.0.1", "abc-123", true}, {"192.0.2.7", "abc-123", false}, {"127.0.0.1", "a b", false},
		{"127.0.0.1", strings.Repeat("a", 65), false}, {"127.0.0.1", "", false},
	} {
		id := w.do(req{path: "/x", remote: c.remote, headers: []string{"X-Request-Id", c.given}}).header("X-Request-Id")
		if (id == c.given) != c.kept || id == "" {
			t.Errorf("%+v: %q", c, id)
		}
	}
}

// TestLog names routes, not paths, and nothing secret.
func TestLog(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	w.do(req{method: "POST", path: "/storefront/carts/cart-token/hold?q=query-secret", token: ownerToken})
	w.do(req{method: "POST", path: "/businesses/" + studio.String() + "/catalog", token: ownerToken, body: `{"note":"body-secret"}`})
	w.do(req{method: "POST", path: "/businesses/" + studio.String() + "/catalog", token: ownerToken, body: `{"nope":"body-secret"}`})
	log := w.log.String()
	for _, secret := range []string{"cart-token", ownerToken, "body-secret", "query-secret"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	for _, want := range []string{`"route":"/storefront/carts/{token}/hold"`, `"status":200`, `"method":"POST"`, `"request_id":"`, `"ms":`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s: %s", want, log)
		}
	}
}
