package hosted_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"foyer/app/pg"
	"foyer/app/web"
)

// branch is a further server of a shop, as a process of its own has it: with its own connections, domains and cache.
// A deaf one is never told what the others change.
func (s *shop) branch(t testing.TB, deaf bool) *shop {
	t.Helper()
	cache := web.NewPageCache(s.Clock, 8<<20)
	changes := pg.NewChanges(cache.Forget)
	db, err := pg.Open(t.Context(), pg.Config{
		URL: s.World.URL("foyer_app"), MaxConns: 8, Clock: s.Clock, Strict: true, Changes: changes,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	if !deaf {
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { changes.Run(ctx, db) })
		t.Cleanup(func() { stop(); running.Wait() })
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	world := *s.World
	world.DB = db
	b := &shop{World: &world, Studio: s.Studio, t: t, URL: "http://" + ln.Addr().String(), cache: cache}
	p := plan{Base: s.URL, Cache: cache}
	b.wire(t, p)
	b.serve(t, ln, p)
	return b
}

// at is the same browser at another server. Its cookies go with it: they belong to the host.
func (v *visitor) at(s *shop) *visitor {
	other := *v
	other.s = s
	return &other
}

// stranger is a browser that has never been here.
func (s *shop) stranger(t testing.TB, headers ...string) *visitor {
	v := s.visit(t)
	v.headers = http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		v.headers.Set(headers[i], headers[i+1])
	}
	return v
}

// eventually waits until a page has these words, and none of those.
func (v *visitor) eventually(path, words, not string) {
	v.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if p := v.get(path); p.has(words) && !p.has(not) {
			return
		}
	}
	v.t.Errorf("%s does not hear of the change: %q, without %q", v.s.URL, words, not)
}
