package op

import (
	"bytes"
	"context"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// asked is a request as replayClaim sees it.
type asked struct {
	actor, visitor, method, path, query, body string
	keys                                      []string
}

func (a asked) claim() (pg.Claim, bool, error) {
	var rc fasthttp.RequestCtx
	rc.Request.SetRequestURI(a.path + "?" + a.query)
	for _, k := range a.keys {
		rc.Request.Header.Add("Idempotency-Key", k)
	}
	app := fiber.New()
	c := app.AcquireCtx(&rc)
	defer app.ReleaseCtx(c)
	x := &exchange{c: c, path: a.path, body: []byte(a.body), call: &Call{Context: context.Background(), Visitor: a.visitor}}
	if a.actor != "" {
		x.call.scope.Actor = tenancy.Actor{Kind: tenancy.ActorPerson, ID: uuid.NewSHA1(uuid.Nil, []byte(a.actor))}
	}
	return replayClaim(x, &declared{Spec: Spec{Method: a.method}})
}

// TestReplayClaim: the same request has the same claim, and anything else another key or another digest.
func TestReplayClaim(t *testing.T) {
	base := asked{actor: "ada", visitor: "192.0.2.1", method: "POST", path: "/a", query: "x=1&y=2", body: `{"n":1}`, keys: []string{"k1"}}
	first, ok, err := base.claim()
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	for name, c := range map[string]struct {
		change           func(*asked)
		otherKey, otherR bool
	}{
		"the same":        {func(*asked) {}, false, false},
		"another session": {func(a *asked) { a.visitor = "192.0.2.2" }, false, false},
		"query reordered": {func(a *asked) { a.query = "y=2&x=1" }, false, false},
		"another caller":  {func(a *asked) { a.actor = "bob" }, true, false},
		"another key":     {func(a *asked) { a.keys = []string{"k2"} }, true, false},
		"another path":    {func(a *asked) { a.path = "/b" }, true, false},
		"another method":  {func(a *asked) { a.method = "PUT" }, true, false},
		"another query":   {func(a *asked) { a.query = "x=1&y=3" }, false, true},
		"another body":    {func(a *asked) { a.body = `{"n":2}` }, false, true},
	} {
		a := base
		c.change(&a)
		got, ok, err := a.claim()
		if !ok || err != nil || (got.Key != first.Key) != c.otherKey || (got.Request != first.Request) != c.otherR {
			t.Errorf("%s: %v %v, other key %v, other request %v", name, ok, err, got.Key != first.Key, got.Request != first.Request)
		}
	}
	guest, stranger := base, base
	guest.actor, stranger.actor, stranger.visitor = "", "", "192.0.2.2"
	a, _, _ := guest.claim()
	b, _, _ := stranger.claim()
	if a.Key == b.Key || a.Key == first.Key {
		t.Error("visitors at two addresses share a claim")
	}
}

// TestReplayHeader: which operations take the header, and which values it may have.
func TestReplayHeader(t *testing.T) {
	base := asked{actor: "ada", method: "POST", path: "/a"}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "GET"} {
		a := base
		a.method, a.keys = method, []string{"k"}
		if _, ok, err := a.claim(); ok != (method != "GET") || err != nil {
			t.Errorf("%s: %v %v", method, ok, err)
		}
	}
	if _, ok, err := base.claim(); ok || err != nil {
		t.Errorf("no header: %v %v", ok, err)
	}
	long := string(bytes.Repeat([]byte("k"), 255))
	for _, keys := range [][]string{{long}, {"!~"}, {"0190a1b2-0000-7000-8000-000000000001"}} {
		base.keys = keys
		if _, ok, err := base.claim(); !ok || err != nil {
			t.Errorf("%q: %v %v", keys, ok, err)
		}
	}
	for _, keys := range [][]string{{""}, {long + "k"}, {"a b"}, {"é"}, {"a\tb"}, {"a", "b"}, {"a", "a"}} {
		base.keys = keys
		_, _, err := base.claim()
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Fields[0].Field != "header.Idempotency-Key" {
			t.Errorf("%q: %v", keys, err)
		}
	}
	noReplay := &declared{Spec: Spec{Method: "POST", NoReplay: true}}
	if noReplay.replays() {
		t.Error("NoReplay takes the header")
	}
}
