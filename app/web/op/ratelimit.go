package op

import (
	"cmp"
	"context"
	"sync"
	"time"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Limits are the settings of the rate limits. Zero values use the defaults of the contract.
type Limits struct {
	StorefrontMax    int           // STOREFRONT_RATE_LIMIT_MAX, 480 calls
	StorefrontWindow time.Duration // STOREFRONT_RATE_LIMIT_WINDOW_MS, a minute; also for writes
	WriteMax         int           // STOREFRONT_WRITE_RATE_LIMIT_MAX, 60 calls
	ChallengeMax     int           // sign-in codes requested, 100 calls
	ChallengeWindow  time.Duration // 15 minutes
}

func (l *Limits) fillDefaults() {
	l.StorefrontMax = cmp.Or(l.StorefrontMax, 480)
	l.StorefrontWindow = cmp.Or(l.StorefrontWindow, time.Minute)
	l.WriteMax = cmp.Or(l.WriteMax, 60)
	l.ChallengeMax = cmp.Or(l.ChallengeMax, 100)
	l.ChallengeWindow = cmp.Or(l.ChallengeWindow, 15*time.Minute)
}

// ErrTooMany refuses a call over its limit. RetryAfter is in whole seconds, until the window resets.
var ErrTooMany = fault.New(fault.TooMany, "", "Too many requests. Try again later.")

// Limiter counts calls per visitor in fixed windows, by address and for IPv6 also by network. Reads of the storefront
// are counted in memory, per process: there are many, and the limit protects the process. Writes and sign-ins are
// counted in Postgres, shared by all processes.
type Limiter struct {
	limits Limits
	clock  clock.Clock
	reads  *windows
	hit    func(ctx context.Context, bucket string, max int, window time.Duration) (pg.Hits, error)
}

// NewLimiter returns a limiter.
func NewLimiter(l Limits, c clock.Clock, hit func(context.Context, string, int, time.Duration) (pg.Hits, error)) *Limiter {
	l.fillDefaults()
	return &Limiter{limits: l, clock: c, reads: newWindows(l.StorefrontWindow), hit: hit}
}

// Allow counts one call of a class. It returns ErrTooMany with RetryAfter if the call is over the limit.
func (l *Limiter) Allow(ctx context.Context, class Rate, visitor string) error {
	windows, err := l.count(class, visitor)
	if err != nil {
		return err
	}
	hits := make([]pg.Hits, len(windows))
	for i, w := range windows {
		if hits[i], err = l.hit(ctx, w.Bucket, w.Most, w.Length); err != nil {
			return err
		}
	}
	return l.within(hits)
}

// count counts one call of a class in memory, if it is limited there, and returns the windows that are still to be
// counted in Postgres, if any. A visitor of IPv6 counts by address, and with the whole network at
// tenancy.WideAllowance times the allowance.
func (l *Limiter) count(class Rate, visitor string) (windows []pg.Window, err error) {
	if class == RateNone {
		return nil, nil
	}
	network, wide := tenancy.Network(visitor)
	if class != RateChallenge {
		err = l.read(visitor, l.limits.StorefrontMax)
		if wide && err == nil {
			err = l.read(network, l.limits.StorefrontMax*tenancy.WideAllowance)
		}
	}
	if class == RateStorefront || err != nil {
		return nil, err
	}
	w := pg.Window{Bucket: "challenge:", Most: l.limits.ChallengeMax, Length: l.limits.ChallengeWindow}
	if class == RateStorefrontWrite {
		w = pg.Window{Bucket: "storefront_write:", Most: l.limits.WriteMax, Length: l.limits.StorefrontWindow}
	}
	windows = []pg.Window{{Bucket: w.Bucket + visitor, Most: w.Most, Length: w.Length}}
	if wide {
		windows = append(windows, pg.Window{Bucket: w.Bucket + network, Most: w.Most * tenancy.WideAllowance, Length: w.Length})
	}
	return windows, nil
}

// within is ErrTooMany with RetryAfter for a call that went over one of its windows.
func (l *Limiter) within(hits []pg.Hits) error {
	for _, h := range hits {
		if !h.Allowed {
			return tooMany(h.ResetAt.Sub(l.clock.Now()))
		}
	}
	return nil
}

func (l *Limiter) read(visitor string, most int) error {
	now := l.clock.Now()
	n, reset := l.reads.hit(visitor, now)
	if n > most {
		return tooMany(reset.Sub(now))
	}
	return nil
}

// tooMany rounds up: a client that waits that long finds a new window. A75.
func tooMany(wait time.Duration) *fault.Error {
	e := ErrTooMany.WithMessage(ErrTooMany.Message)
	e.RetryAfter = max(1, int((wait+time.Second-1)/time.Second))
	return e
}

// windows counts calls per visitor in memory. A visitor's window begins with the first call, so a burst is counted in
// one window wherever it falls on the clock.
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

// maxVisitors bounds the memory: about 10 MB. Beyond it, visitors are not counted: a sender with so many addresses is
// not stopped by a limit per address.
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

// over reports whether a window has ended. A clock that was set back ends it too.
func (w *windows) over(cur window, now time.Time) bool {
	return !now.Before(cur.began.Add(w.length)) || now.Before(cur.began)
}

// sweep removes ended windows, at most once a window because it scans all of them, and reports whether there is room.
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
