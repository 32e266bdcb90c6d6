package web

import (
	"sync"
	"time"
)

// windows counts calls per visitor in memory. A visitor's window begins with the first call, so a burst is counted in one
// window wherever it falls on the clock.
type windows struct {
	length time.Duration
	mu     sync.Mutex
	seen   map[string]window
	swept  time.Time
}

type window struct {
	began time.Time
	calls int
}

// maxVisitors bounds the memory: about 10 MB. When that many visitors are in their windows, further ones are let through
// uncounted: whoever sends from so many addresses is not stopped by a limit per address.
const maxVisitors = 100_000

func newWindows(length time.Duration) *windows {
	return &windows{length: length, seen: map[string]window{}}
}

// hit counts a call and returns how many the visitor's window has now, and when it ends.
func (w *windows) hit(visitor string, now time.Time) (calls int, reset time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	cur, ok := w.seen[visitor]
	if !ok || w.over(cur, now) {
		if !ok && len(w.seen) >= maxVisitors && !w.sweep(now) {
			return 1, now.Add(w.length)
		}
		cur = window{began: now}
	}
	cur.calls++
	w.seen[visitor] = cur
	return cur.calls, cur.began.Add(w.length)
}

// over tells whether a window has ended. A clock that was set back ends it too.
func (w *windows) over(cur window, now time.Time) bool {
	return !now.Before(cur.began.Add(w.length)) || now.Before(cur.began)
}

// sweep forgets windows that have ended, at most once a window as it looks at all of them, and tells whether there is
// room now.
func (w *windows) sweep(now time.Time) bool {
	if d := now.Sub(w.swept); d >= 0 && d < w.length {
		return false
	}
	w.swept = now
	for visitor, cur := range w.seen {
		if w.over(cur, now) {
			delete(w.seen, visitor)
		}
	}
	return len(w.seen) < maxVisitors
}
