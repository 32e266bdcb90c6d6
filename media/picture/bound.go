package picture

import (
	"context"
	"runtime"
	"runtime/debug"

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
	weight := max(int64(memory), share)
	if err := decoding.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	return func() {
		if weight > share { // else the next one begins on top of what nobody uses any more
			debug.FreeOSMemory()
		}
		decoding.Release(weight)
	}, nil
}
