package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// tally is what became of many requests.
type tally struct {
	mu      sync.Mutex
	took    []time.Duration
	status  map[int]int // 0: no answer
	later   int         // were told to retry
	strange []string    // the first few that were not as expected, in words
}

// strangeMost is how many answers are kept in words.
const strangeMost = 5

// note counts one request: when it was due, its status, whether it was told to retry, and what went wrong, if anything did.
func (t *tally) note(due time.Time, status int, later bool, err error) {
	took := time.Since(due)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.status == nil {
		t.status = map[int]int{}
	}
	t.took = append(t.took, took)
	t.status[status]++
	if later {
		t.later++
	}
	if err != nil && len(t.strange) < strangeMost {
		t.strange = append(t.strange, err.Error())
	}
}

// count is how many requests there were, or how many of them had one of these answers.
func (t *tally) count(is func(status int) bool) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for status, times := range t.status {
		if is(status) {
			n += times
		}
	}
	return n
}

func anyStatus(int) bool       { return true }
func noAnswer(status int) bool { return status == 0 }
func failed(status int) bool   { return status == 0 || status >= 500 }

// unsaid is how many were neither a success nor told to retry.
func (t *tally) unsaid() int {
	bad := t.count(func(status int) bool { return status < 200 || status >= 400 })
	t.mu.Lock()
	defer t.mu.Unlock()
	return bad - t.later
}

// part is the time within which that share of the requests was answered: 0.99 for the slowest hundredth.
func (t *tally) part(share float64) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t.took))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

// String says how many had which answer, how fast they were, and what was strange.
func (t *tally) String() string {
	p95, p99, most := t.part(0.95), t.part(0.99), t.part(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(t.status)) {
		name := fmt.Sprint(status)
		if status == 0 {
			name = "no answer"
		}
		parts = append(parts, fmt.Sprintf("%d× %s", t.status[status], name))
	}
	s := fmt.Sprintf("%s; p95 %s, p99 %s, slowest %s", strings.Join(parts, ", "), short(p95), short(p99), short(most))
	if len(t.strange) > 0 {
		s += "\n      " + strings.Join(t.strange, "\n      ")
	}
	return s
}

// atOnceMost is how many requests of one load may be on their way: then the load is late, which its times show.
const atOnceMost = 4000

// steady begins rate operations a second for so long, whether or not those before have ended, as people do, and returns when all
// have. An operation gets its number and when it was due: what waits for its turn counts as waiting. What could not begin in that time
// does not begin at all.
func steady(ctx context.Context, rate float64, long time.Duration, op func(ctx context.Context, n int, due time.Time)) {
	var all sync.WaitGroup
	room := make(chan struct{}, atOnceMost)
	began := time.Now() // real time: it is what is measured
	for n := range int(rate * long.Seconds()) {
		due := began.Add(time.Duration(float64(n) / rate * float64(time.Second)))
		if !pause(ctx, time.Until(due)) {
			break
		}
		room <- struct{}{}
		if time.Since(began) > long {
			break
		}
		all.Go(func() {
			op(ctx, n, due)
			<-room
		})
	}
	all.Wait()
}

// over does something over and over, by so many at once, until ctx ends, and returns when all have ended.
func over(ctx context.Context, many int, op func(ctx context.Context, who, n int)) {
	var all sync.WaitGroup
	for who := range many {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				op(ctx, who, n)
			}
		})
	}
	all.Wait()
}

// normalAgain loads for a second, again and again, until in such a second nothing fails and p95 is below a bound, and tells how long
// after its call that second began.
func normalAgain(ctx context.Context, p95 time.Duration, second func(seen *tally)) time.Duration {
	const most = time.Minute
	began := time.Now() // real time: it is what is measured
	for {
		passed := time.Since(began)
		var seen tally
		second(&seen)
		if seen.count(failed) == 0 && seen.part(0.95) < p95 || passed > most || ctx.Err() != nil {
			return passed
		}
	}
}

// behind runs something beside the caller until end is called, which waits for it.
func behind(ctx context.Context, fn func(ctx context.Context)) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); fn(ctx) }()
	return func() { cancel(); <-done }
}

// pause waits; false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// until asks again and again until it is so, for at most so long, and tells how long it took.
func until(ctx context.Context, most time.Duration, so func() bool) (took time.Duration, ok bool) {
	const between = 50 * time.Millisecond
	began := time.Now() // real time: it is what is measured
	for !so() {
		if took = time.Since(began); took > most || !pause(ctx, between) {
			return took, false
		}
	}
	return time.Since(began), true
}

// highest keeps the largest of the numbers it was told.
type highest struct{ n atomic.Int64 }

func (h *highest) see(n int64) {
	for old := h.n.Load(); n > old && !h.n.CompareAndSwap(old, n); old = h.n.Load() {
	}
}
