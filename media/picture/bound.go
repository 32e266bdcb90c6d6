package picture

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// budget is what all decoding of this process may take at once, in bytes. Photos of phones share it by four or fewer, as there are
// cores; a picture that needs nearly all of it has its turn alone.
const budget = 384 << 20

var (
	decoding = semaphore.NewWeighted(budget)
	share    = int64(budget / max(1, min(runtime.NumCPU(), 4)))
)

// enter waits for a turn to decode something that takes so much memory. Whoever has it calls done.
func enter(ctx context.Context, memory int) (done func(), err error) {
	weight := min(max(int64(memory), share), budget)
	if err := decoding.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	saving.begin()
	return func() {
		saving.end()
		if weight > share { // else the next one begins on top of what nobody uses any more
			debug.FreeOSMemory()
		}
		decoding.Release(weight)
	}, nil
}

// savingPercent is how much garbage may lie around while something is decoded, in percent of what is held. A server that holds little lets
// more of it lie, and with photos that was 500 MB where 250 do.
const savingPercent = 50

// saver has garbage collected sooner while anybody decodes.
type saver struct {
	sync.Mutex
	busy   int
	before int // the percentage while nobody does
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
