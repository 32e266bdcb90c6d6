package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// errVain says that an operation of a burst came to nothing: it is not counted.
var errVain = errors.New("bench: in vain")

// bursts lets all clients do an operation at once, and once more when the last of them has ended, and says how fast they
// were in the bursts that began in the window, one at least, and what it cost. Bursts in which everything was in vain count
// as one operation.
func bursts(ctx context.Context, t timing, clients int, cpu cpuOf, op operation) (sample, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var count atomic.Int64
	var out atomic.Bool
	burst := func() {
		var running sync.WaitGroup
		for client := range clients {
			running.Go(func() {
				switch err := op(ctx, client); {
				case err == nil:
					count.Add(1)
				case errors.Is(err, errDone):
					out.Store(true)
				case !errors.Is(err, errVain):
					stop(fmt.Errorf("client %d: %w", client, err))
				}
			})
		}
		running.Wait()
	}
	repeat := func(long time.Duration) time.Duration {
		began := time.Now() // real time: it is what is measured
		for more := true; more && ctx.Err() == nil && !out.Load(); more = time.Since(began) < long {
			burst()
		}
		return time.Since(began)
	}
	if t.warm > 0 {
		repeat(t.warm)
	}
	n, used := count.Load(), cpu.now()
	took := repeat(t.window)
	m, usedThen := count.Load(), cpu.now()
	if err := context.Cause(ctx); err != nil {
		return sample{}, err
	}
	if m == n && out.Load() {
		return sample{}, errNothing
	}
	done := max(1, m-n)
	return sample{rate: float64(done) / took.Seconds(), cpu: (usedThen - used) / time.Duration(done)}, nil
}
