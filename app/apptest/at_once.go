package apptest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/app/fault"
)

// AtOnce runs acts at the same time, and returns the number of successes. Other outcomes must be one of the refusals.
func AtOnce(t testing.TB, refusals []*fault.Error, acts ...func() error) int {
	t.Helper()
	var done atomic.Int64
	var start, all sync.WaitGroup
	start.Add(1)
	for i, act := range acts {
		all.Go(func() {
			start.Wait()
			err := act()
			if err == nil {
				done.Add(1)
				return
			}
			for _, r := range refusals {
				if errors.Is(err, r) {
					return
				}
			}
			t.Errorf("racer %d: %v", i, err)
		})
	}
	start.Done()
	all.Wait()
	return int(done.Load())
}
