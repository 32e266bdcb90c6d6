package bench

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestBursts: the clients of a burst are there at once, and the next burst waits for the last of them.
func TestBursts(t *testing.T) {
	const clients = 4
	var inside, begun atomic.Int32
	s, err := bursts(t.Context(), brief, clients, cpuOf{}, func(_ context.Context, client int) error {
		n := begun.Add(1)
		inside.Add(1)
		for inside.Load()%clients != 0 || inside.Load() < (n+clients-1)/clients*clients { // all of this burst
			time.Sleep(10 * time.Microsecond)
		}
		if client == 0 {
			return errVain
		}
		return nil
	})
	if err != nil || s.rate <= 0 || begun.Load()%clients != 0 {
		t.Errorf("%d begun, %+v, %v", begun.Load(), s, err)
	}
}

// TestBurstsInVain: when nobody gets an answer that is less than one, and told as one.
func TestBurstsInVain(t *testing.T) {
	s, err := bursts(t.Context(), timing{0, time.Millisecond}, 2, cpuOf{}, func(context.Context, int) error {
		time.Sleep(10 * time.Millisecond)
		return errVain
	})
	if err != nil || s.rate <= 0 || s.rate > 100 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestBurstsEnd(t *testing.T) {
	boom := errors.New("boom")
	for told, ends := range map[string]error{"boom": boom, errNothing.Error(): errDone} {
		_, err := bursts(t.Context(), timing{time.Minute, time.Minute}, 3, cpuOf{}, func(_ context.Context, client int) error {
			if client == 1 {
				return ends
			}
			return errVain
		})
		if err == nil || !strings.Contains(err.Error(), told) {
			t.Errorf("%v: told %v", ends, err)
		}
	}
}
