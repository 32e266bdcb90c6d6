package picture

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// budget is the memory that all decoding of this process may use at once, in bytes. Photos of phones share it by four
// or fewer, as there are cores; a picture that needs nearly all of it is decoded alone.
const budget = 384 << 20

var (
	decoding = semaphore.NewWeighted(budget)
	share    = int64(budget / max(1, min(runtime.NumCPU(), 4)))
)

// enter waits for a turn to decode a picture with that need of memory. The caller calls done afterwards.
func enter(ctx context.Context, memory int) (done func(), err error) {
	weight := min(max(int64(memory), share), budget)
	if err := decoding.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	saving.begin()
	return func() {
		saving.end()
		if weight > share { // otherwise the next one begins on top of garbage
			debug.FreeOSMemory()
		}
		decoding.Release(weight)
	}, nil
}

// savingPercent is the limit for garbage during decoding, in percent of the memory in use. The default of a server
// with little memory in use is higher, and needed 500 MB for photos instead of 250.
const savingPercent = 50

// saver makes the garbage collector run sooner during decoding.
type saver struct {
	sync.Mutex
	busy   int
	before int // the percentage outside of decoding
}

var saving saver

func (s *saver) begin() {
	s.Lock()
	defer s.Unlock()
	if s.busy++; s.busy > 1 {
		return
	}
	if s.before = debug.SetGCPercent(savingPercent); s.before >= 0 && s.before < savingPercent {
		debug.SetGCPercent(s.before)
	}
}

func (s *saver) end() {
	s.Lock()
	defer s.Unlock()
	if s.busy--; s.busy == 0 {
		debug.SetGCPercent(s.before)
	}
}
