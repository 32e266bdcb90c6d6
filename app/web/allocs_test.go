//go:build !race

// The race detector allocates on its own account.

package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
)

// These are the sizes that were measured before the project: an answer of 1.5 KB, a body of five lines.
type offer struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Amount int64  `json:"amount"`
	Text   string `json:"text"`
}
type order struct {
	Name   string   `json:"name" maxLength:"100"`
	Email  string   `json:"email" maxLength:"100"`
	Amount int64    `json:"amount" minimum:"0"`
	Note   string   `json:"note,omitempty"`
	Tags   []string `json:"tags" maxItems:"10"`
}
type offerIn struct {
	ID string `path:"id"`
}
type orderIn struct {
	ID   string `path:"id"`
	Body order
}

type plainAnswer struct {
	Data offer  `json:"data"`
	V    string `json:"v"`
}

var longText = strings.Repeat("a class for everybody ", 66)

const orderBody = `{
  "name": "Ada Lovelace",
  "email": "ada@example.org",
  "amount": 2200,
  "tags": ["mat", "early"]
}`

func benchWorld(t testing.TB) *world {
	w := newWorld(t, func(o *web.Options) {
		o.Log = slog.New(slog.NewJSONHandler(io.Discard, nil))
		o.Limits.StorefrontMax = 1 << 40
	})
	op.Declare(w.srv.Operations, op.Spec{
		ID: "getOffer", Method: "GET", Path: "/storefront/offerings/{id}", Tag: "storefront", Summary: "s", Description: "d",
		Access: op.Public, Target: op.InOffering("id"), Rate: op.RateStorefront, Errors: []int{404},
	}, func(_ context.Context, _ tenancy.Scope, in *offerIn) (offer, error) {
		return offer{ID: in.ID, Name: "Yoga", Amount: 2200, Text: longText}, nil
	})
	op.Declare(w.srv.Operations, op.Spec{
		ID: "order", Method: "POST", Path: "/locations/{id}/orders", Tag: "catalog", Summary: "s", Description: "d",
		Access: op.Operator, Feature: "catalog.manage", Target: op.InLocation("id"), Errors: []int{400, 401, 403, 404},
	}, func(_ context.Context, _ tenancy.Scope, in *orderIn) (offer, error) {
		return offer{ID: in.ID, Name: in.Body.Name, Amount: in.Body.Amount, Text: longText}, nil
	})
	page, err := web.NewCached("text/html", bytes.Repeat([]byte("<p>hello</p>"), 1700))
	if err != nil {
		t.Fatal(err)
	}
	w.srv.App().Get("/fragment", func(c *fiber.Ctx) error { return page.Send(c, "public, max-age=30") })
	return w
}

// plainFiber is the floor: the same answers by bare handlers of fiber with the same settings.
func plainFiber() fasthttp.RequestHandler {
	app := fiber.New(fiber.Config{Immutable: true, CaseSensitive: true})
	app.Get("/storefront/offerings/:id", func(c *fiber.Ctx) error {
		return c.JSON(plainAnswer{offer{ID: c.Params("id"), Name: "Yoga", Amount: 2200, Text: longText}, "42"})
	})
	app.Post("/locations/:id/orders", func(c *fiber.Ctx) error {
		var in order
		if err := json.Unmarshal(c.Body(), &in); err != nil {
			return err
		}
		return c.JSON(plainAnswer{offer{ID: c.Params("id"), Name: in.Name, Amount: in.Amount, Text: longText}, "42"})
	})
	body := bytes.Repeat([]byte("<p>hello</p>"), 1700)
	app.Get("/fragment", func(c *fiber.Ctx) error { return c.Send(body) })
	return app.Handler()
}

func request(method, path, token, body string) *fasthttp.RequestCtx {
	rc := &fasthttp.RequestCtx{}
	rc.Init2(fakeConn{}, nil, false)
	rc.SetRemoteAddr(&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 1})
	rc.Request.Header.SetMethod(method)
	rc.Request.SetRequestURI(path)
	rc.Request.Header.SetHost("book.test")
	if token != "" {
		rc.Request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		rc.Request.Header.SetContentType("application/json")
		rc.Request.SetBodyString(body)
	}
	return rc
}

// serveAgain runs a handler on the same request, as fasthttp does on a kept connection.
func serveAgain(h fasthttp.RequestHandler, rc *fasthttp.RequestCtx) {
	rc.Response.Reset()
	rc.ResetUserValues()
	h(rc)
}

var workloads = []struct {
	name, method, path, token, body string
	most                            float64 // allocations above plain fiber
}{
	{"GET", "GET", "/storefront/offerings/" + uptown.String(), "", "", 15},
	{"POST", "POST", "/locations/" + uptown.String() + "/orders", ownerToken, orderBody, 100},
	{"fragment", "GET", "/fragment", "", "", 6},
}

// TestAllocations checks the limits on allocations of the registry path above plain fiber. They are exact and do not
// depend on the machine.
func TestAllocations(t *testing.T) {
	ours, plain := benchWorld(t).srv.Handler(), plainFiber()
	for _, l := range workloads {
		t.Run(l.name, func(t *testing.T) {
			count := func(h fasthttp.RequestHandler) float64 {
				rc := request(l.method, l.path, l.token, l.body)
				serveAgain(h, rc)
				if rc.Response.StatusCode() != 200 {
					t.Fatalf("%d %s", rc.Response.StatusCode(), rc.Response.Body())
				}
				return testing.AllocsPerRun(300, func() { serveAgain(h, rc) })
			}
			a, b := count(ours), count(plain)
			t.Logf("%v, plain fiber %v", a, b)
			if a-b > l.most {
				t.Errorf("%v allocations, plain fiber %v: more than %v above", a, b, l.most)
			}
		})
	}
}

func BenchmarkRegistry(b *testing.B) { benchmark(b, benchWorld(b).srv.Handler()) }
func BenchmarkPlain(b *testing.B)    { benchmark(b, plainFiber()) }

func benchmark(b *testing.B, h fasthttp.RequestHandler) {
	for _, l := range workloads {
		b.Run(l.name, func(b *testing.B) {
			rc := request(l.method, l.path, l.token, l.body)
			b.ReportAllocs()
			for b.Loop() {
				serveAgain(h, rc)
			}
		})
	}
}
