package bench

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// brief is long enough for something to happen in it.
var brief = timing{warm: 5 * time.Millisecond, window: 20 * time.Millisecond}

// TestLoad: all clients work, each one thing at a time, and what they did in all is told beside the rate of the window.
func TestLoad(t *testing.T) {
	const clients = 3
	var busy [clients]atomic.Int32
	var worked [clients]atomic.Int64
	s, done, err := load(t.Context(), brief, clients, cpuOf{}, func(_ context.Context, client int) error {
		if busy[client].Add(1) != 1 {
			t.Error("a client does two things at once")
		}
		worked[client].Add(1)
		time.Sleep(100 * time.Microsecond)
		busy[client].Add(-1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for i := range worked {
		if worked[i].Load() == 0 {
			t.Errorf("client %d did nothing", i)
		}
		sum += worked[i].Load()
	}
	if done != sum || s.rate <= 0 || s.cpu != 0 {
		t.Errorf("%d done, %d counted, sample %+v", done, sum, s)
	}
}

// TestLoadRunsOut: a client that has nothing left ends without an error, and the others go on.
func TestLoadRunsOut(t *testing.T) {
	var left, went atomic.Int64
	left.Store(5)
	_, _, err := load(t.Context(), brief, 2, cpuOf{}, func(_ context.Context, client int) error {
		if client == 0 && left.Add(-1) < 0 {
			return errDone
		}
		went.Add(1)
		time.Sleep(100 * time.Microsecond)
		return nil
	})
	if err != nil || went.Load() <= 5 {
		t.Errorf("%d went, %v", went.Load(), err)
	}
	_, done, err := load(t.Context(), brief, 2, cpuOf{}, func(context.Context, int) error { return errDone })
	if err == nil || done != 0 {
		t.Errorf("a window in which nothing was done: %d, %v", done, err)
	}
}

// TestLoadFails: the first error ends the round and is told with its client.
func TestLoadFails(t *testing.T) {
	boom := errors.New("boom")
	_, _, err := load(t.Context(), timing{warm: time.Minute, window: time.Minute}, 4, cpuOf{}, func(_ context.Context, client int) error {
		if client == 2 {
			return boom
		}
		return nil
	})
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), "client 2") {
		t.Errorf("told %v", err)
	}
}
