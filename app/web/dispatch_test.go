package web_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/app/web"
)

func keyCaller(name string, pin uuid.UUID) web.Caller {
	business := studio
	return web.Caller{
		Principal: tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorKey, ID: personID(name), Name: name}, Business: business},
		Visitor:   "203.0.113.9", Pin: pin,
	}
}

// TestDispatchIsTheSame: an in-process call meets the same checks as one over HTTP.
func TestDispatchIsTheSame(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	for _, r := range []web.Request{
		{Method: "GET", Path: "/businesses/" + studio.String() + "/catalog"},
		{Method: "GET", Path: "/businesses/" + other.String() + "/catalog"},
		{Method: "GET", Path: "/businesses/" + unknown.String() + "/catalog"},
		{Method: "GET", Path: "/locations/" + elsewhere.String()},
		{Method: "POST", Path: "/businesses/" + studio.String() + "/api-keys"},
		{Method: "POST", Path: "/businesses/" + studio.String() + "/catalog", Body: []byte(`{"note":1}`)},
		{Method: "POST", Path: "/businesses/" + studio.String() + "/catalog", Body: []byte(`{"note":"x"}`), Key: "a b"},
		{Method: "GET", Path: "/me/profile"},
		{Method: "GET", Path: "/nothing", Query: "a=b"},
	} {
		in := w.srv.Dispatch(context.Background(), keyCaller(studioKey, uuid.Nil), r)
		headers := []string{}
		if r.Key != "" {
			headers = append(headers, "Idempotency-Key", r.Key)
		}
		out := w.do(req{method: r.Method, path: r.Path, body: string(r.Body), token: studioKey, headers: headers, remote: "203.0.113.9"})
		if in.Status != out.status || string(in.Body) != out.body || in.Type != out.header("Content-Type") {
			t.Errorf("%s %s: %d %s, over HTTP %d %s", r.Method, r.Path, in.Status, in.Body, out.status, out.body)
		}
	}
}

// TestPin is A48: a pinned location only narrows.
func TestPin(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	status := func(pin uuid.UUID, path string) int {
		return w.srv.Dispatch(context.Background(), keyCaller(studioKey, pin), web.Request{Method: "GET", Path: path}).Status
	}
	for _, c := range []struct {
		pin    uuid.UUID
		path   string
		status int
	}{
		{uptown, "/locations/" + uptown.String(), 200},
		{uptown, "/locations/" + downtown.String(), 403},
		{uptown, "/locations/" + elsewhere.String(), 404},
		{uptown, "/businesses/" + studio.String() + "/catalog", 200},
		{uuid.Nil, "/locations/" + downtown.String(), 200},
	} {
		if got := status(c.pin, c.path); got != c.status {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestDispatchContext: the caller's context and request id reach the handler, and headers from outside set no caller.
func TestDispatchContext(t *testing.T) {
	w := newWorld(t)
	var ids []string
	var cancelled bool
	web.Op(w.srv.Operations, spec("look", "GET", "/me/look", web.Spec{Access: web.Session, Errors: []int{401, 403}}),
		func(ctx context.Context, sc tenancy.Scope, _ *none) (seen, error) {
			ids = append(ids, web.RequestID(ctx))
			if len(ids) == 1 {
				who := web.Caller{Principal: sc.Principal}
				c, cancel := context.WithCancel(ctx)
				cancel()
				w.srv.Dispatch(c, who, web.Request{Method: "GET", Path: "/me/look"})
			} else {
				cancelled = ctx.Err() != nil
			}
			return show(sc), nil
		})
	var s seen
	r := w.do(req{path: "/me/look", token: ownerToken})
	r.data(t, 200, &s)
	if len(ids) != 2 || ids[0] != ids[1] || ids[0] != r.header("X-Request-Id") || !cancelled {
		t.Errorf("ids %v, cancelled %v", ids, cancelled)
	}
	if web.RequestID(context.Background()) != "" {
		t.Error("a request id from nowhere")
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
}
