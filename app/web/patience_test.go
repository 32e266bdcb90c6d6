package web

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"foyer/app/clock"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// TestUsualPatience: ten seconds for a read and twenty for a write, unless a server has other options.
func TestUsualPatience(t *testing.T) {
	o := Options{
		BaseURL: "https://book.test", Build: "1", Secret: make([]byte, 32), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		Known: func(tenancy.Feature) bool { return true },
		Hit:   func(context.Context, string, int, time.Duration) (pg.Hits, error) { return pg.Hits{}, nil },
		Gate:  op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, nil }},
	}
	if s := New(o); s.patienceFor("GET").time != 10*time.Second || s.patienceFor("POST").time != 20*time.Second {
		t.Errorf("%s for a read, %s for a write", s.patienceFor("GET").time, s.patienceFor("POST").time)
	}
	o.ReadPatience, o.WritePatience = time.Second, 2*time.Second
	if s := New(o); s.patienceFor("HEAD").time != time.Second || s.patienceFor("PUT").time != 2*time.Second {
		t.Errorf("%s for a read, %s for a write", s.patienceFor("HEAD").time, s.patienceFor("PUT").time)
	}
}

// TestPatience: a request has its time whenever it begins, and shares its context with those of the same moment only.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := patience{time: 10 * time.Second}
		first := p.begin(t.Context())
		time.Sleep(together)
		if p.begin(t.Context()) != first {
			t.Error("two of one moment have two")
		}
		time.Sleep(time.Millisecond)
		next := p.begin(t.Context())
		if next == first {
			t.Error("a later one has the time of the first")
		}
		time.Sleep(10*time.Second - 2*time.Millisecond)
		if first.Err() != nil {
			t.Error("the last of the first moment had less than its time")
		}
		time.Sleep(2 * time.Millisecond)
		if !errors.Is(first.Err(), context.DeadlineExceeded) || next.Err() != nil {
			t.Errorf("in the end: %v, %v", first.Err(), next.Err())
		}
		time.Sleep(together + time.Millisecond) // past its end: at the same instant either may be first
		if !errors.Is(next.Err(), context.DeadlineExceeded) {
			t.Errorf("the next: %v", next.Err())
		}
	})
}
