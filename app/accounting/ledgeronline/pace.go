package ledgeronline

import (
	"context"
	"sync"
	"time"

	"foyer/app/clock"
)

// The provider's limits are 500 requests a minute and 10 a second for a company, and a minute of silence after a
// refusal. Other programs of the same company have their share of the first, so a client keeps to half of the second.
const (
	perSecond   = 5
	resting     = time.Minute
	maxResting  = 15 * time.Minute // whatever Retry-After says
	maxPaced    = 10_000           // companies remembered
	paceWindow  = time.Second
	firstSweep  = 64
	sweepFactor = 2
)

// PaceOptions configure a Pace.
type PaceOptions struct {
	Clock     clock.Clock
	PerSecond int                                        // requests of one company; 0 for 5, negative for no limit
	Wait      func(context.Context, time.Duration) error // nil for a timer; a test can advance its clock instead
}

// Pace spaces the requests of each company: one at a time, at most five within any second, and none for a minute
// after a refusal for speed. It is safe for concurrent use. It is kept in memory, so that each process has its own;
// several processes that work for one company still share the provider's limits.
//
// Memory is bounded: a company without recent requests is forgotten.
type Pace struct {
	clock clock.Clock
	limit int
	wait  func(context.Context, time.Duration) error

	mu        sync.Mutex
	companies map[string]*queue
	sweepAt   int // number of companies at which idle ones are dropped
}

// queue is one company's.
type queue struct {
	slot   chan struct{} // holds an element while a request is sent
	users  int           // requests that wait or are sent
	starts []time.Time   // of the latest requests, at most as many as the limit, oldest first
	until  time.Time     // end of the rest; zero without one
}

// NewPace returns a Pace.
func NewPace(o PaceOptions) *Pace {
	p := &Pace{clock: o.Clock, limit: o.PerSecond, wait: o.Wait, companies: map[string]*queue{}, sweepAt: firstSweep}
	if p.limit == 0 {
		p.limit = perSecond
	}
	if p.wait == nil {
		p.wait = sleep
	}
	return p
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Resting returns the end of a company's rest, or the zero time if requests can be sent now.
func (p *Pace) Resting(realm string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if q := p.companies[realm]; q != nil {
		return q.rests(p.clock.Now())
	}
	return time.Time{}
}

// rests returns the end of the rest, if there is one. An end that is further away than any rest is of a clock that
// was set back.
func (q *queue) rests(now time.Time) time.Time {
	if !now.Before(q.until) || q.until.Sub(now) > maxResting {
		return time.Time{}
	}
	return q.until
}

// rest stops a company's requests for d.
func (p *Pace) rest(realm string, d time.Duration) {
	q := p.enter(realm)
	p.mu.Lock()
	defer p.mu.Unlock()
	q.users--
	if until := p.clock.Now().Add(min(d, maxResting)); until.After(q.until) || q.rests(p.clock.Now()).IsZero() {
		q.until = until
	}
}

// acquire waits for a company's turn. The caller calls done after its request. While the company rests there is no
// turn, and acquire returns the end of the rest at once.
func (p *Pace) acquire(ctx context.Context, realm string) (done func(), until time.Time, err error) {
	q := p.enter(realm)
	leave := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		q.users--
	}
	select {
	case q.slot <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, time.Time{}, ctx.Err()
	}
	done = func() {
		<-q.slot
		leave()
	}
	if until := p.Resting(realm); !until.IsZero() { // it can have begun while we waited
		done()
		return nil, until, nil
	}
	if d := p.delay(q); d > 0 {
		if err := p.wait(ctx, d); err != nil {
			done()
			return nil, time.Time{}, err
		}
	}
	p.start(q)
	return done, time.Time{}, nil
}

// delay returns the time until a request can be sent.
func (p *Pace) delay(q *queue) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit < 0 || len(q.starts) < p.limit {
		return 0
	}
	d := q.starts[0].Add(paceWindow).Sub(p.clock.Now())
	return min(d, paceWindow) // the clock can have been set back
}

func (p *Pace) start(q *queue) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit < 0 {
		return
	}
	if len(q.starts) == p.limit {
		copy(q.starts, q.starts[1:])
		q.starts = q.starts[:p.limit-1]
	}
	q.starts = append(q.starts, p.clock.Now())
}

// enter returns a company's queue, counting the caller among its users.
func (p *Pace) enter(realm string) *queue {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.companies[realm]
	if q == nil {
		p.sweep()
		q = &queue{slot: make(chan struct{}, 1)}
		p.companies[realm] = q
	}
	q.users++
	return q
}

// sweep drops idle companies when there are twice as many companies as after the last sweep, so that its cost is
// shared by the calls that brought them. Above the limit, it also drops those whose last request was within the last
// second.
func (p *Pace) sweep() {
	if len(p.companies) < p.sweepAt {
		return
	}
	now := p.clock.Now()
	full := len(p.companies) >= maxPaced
	for realm, q := range p.companies {
		recent := len(q.starts) > 0 && now.Sub(q.starts[len(q.starts)-1]).Abs() < paceWindow
		if q.users == 0 && q.rests(now).IsZero() && (full || !recent) {
			delete(p.companies, realm)
		}
	}
	p.sweepAt = max(firstSweep, min(sweepFactor*len(p.companies), maxPaced))
}
