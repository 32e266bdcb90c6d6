package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"foyer/app/web"
)

// TestReadiness is A66 for load balancers: while a check fails, or the process is ending, the answer is 503 in the
// envelope of every refusal, with the names of the checks and Retry-After. Aside checks do not count.
func TestReadiness(t *testing.T) {
	var down, late error
	w := newWorld(t, func(o *web.Options) {
		o.Checks = []web.Check{
			{Name: "database", OK: func(context.Context) error { return down }},
			{Name: "jobs", OK: func(context.Context) error { return late }, Aside: true},
		}
	})
	ask := func(status int, want string) {
		t.Helper()
		got := w.do(req{path: "/readyz"})
		if got.status != status || got.header("Content-Type") != "application/json; charset=utf-8" && got.header("Content-Type") != "application/json" {
			t.Fatalf("%d %s %s", got.status, got.header("Content-Type"), got.body)
		}
		var body any
		if err := json.Unmarshal([]byte(got.body), &body); err != nil {
			t.Fatal(err)
		}
		if told, _ := json.Marshal(body); string(told) != want {
			t.Errorf("it says\n%s, want\n%s", told, want)
		}
		if retry := got.header("Retry-After"); (retry != "") != (status == 503) {
			t.Errorf("Retry-After is %q with %d", retry, status)
		}
	}
	no := func(checks string) string {
		return `{"error":{"code":"internal_error","details":{"checks":` + checks + `,"reason":"not_ready"},"message":"Send requests elsewhere for now."}}`
	}
	ask(200, `{"checks":{"database":"ok","jobs":"ok"},"ready":true}`)
	late = errors.New("behind")
	ask(200, `{"checks":{"database":"ok","jobs":"failed"},"ready":true}`)
	down = errors.New("gone")
	ask(503, no(`{"database":"failed","jobs":"failed"}`))
	down, late = nil, nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.srv.Drain(ctx)
	ask(503, no(`{"database":"ok","jobs":"ok","process":"leaving"}`))
}
