package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

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
