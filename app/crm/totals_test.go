package crm

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// The cache is bounded, in size and in time.
func TestTotalsAreBounded(t *testing.T) {
	t.Parallel()
	var known totals
	now := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	last := uuid.New()
	for range totalsMost {
		known.keep(uuid.New(), settled{Count: 1, Horizon: 1, since: now})
	}
	known.keep(last, settled{Count: 7, Horizon: 9, since: now})
	if n := len(known.known); n != totalsMost {
		t.Errorf("%d businesses are known", n)
	}
	for after, want := range map[time.Duration]int{0: 7, totalsFor: 7, totalsFor + time.Second: 0, -totalsFor - time.Second: 0} {
		at := now.Add(after)
		if s := known.of(last, at); s.Count != want || (want == 0) != (s.Horizon == 0) || want == 0 && s.since != at {
			t.Errorf("after %s: %+v", after, s)
		}
	}
	if s := known.of(uuid.New(), now); s != (settled{since: now}) {
		t.Errorf("a business that is not known: %+v", s)
	}
}
