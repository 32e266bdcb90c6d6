package ledgeronline

import (
	"context"
	"slices"
	"sync"
	"time"

	"foyer/app/clock"
)

const (
	chartLife = 10 * time.Minute
	maxCharts = 200 // companies whose chart is kept
)

// charts keeps the charts of accounts that were read lately, because the provider meters reads.
type charts struct {
	clock clock.Clock

	mu      sync.Mutex
	byRealm map[string]*chart
}

type chart struct {
	slot     chan struct{} // holds an element while the chart is read
	users    int
	accounts []Account
	at       time.Time // of the reading; zero before the first and after a change
	changes  int       // number of forgets
}

func newCharts(c clock.Clock) *charts { return &charts{clock: c, byRealm: map[string]*chart{}} }

// get returns the company's chart: the kept one unless fresh, else the result of read. Readers of one company wait
// for each other, so that a page that needs the chart in several places reads it once. The caller owns the slice.
func (c *charts) get(ctx context.Context, realm string, fresh bool, read func() ([]Account, error)) ([]Account, error) {
	k := c.enter(realm)
	defer c.leave(k)
	select {
	case k.slot <- struct{}{}:
		defer func() { <-k.slot }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if kept, ok := c.kept(k); ok && !fresh {
		return kept, nil
	}
	changes := c.changesOf(k)
	accounts, err := read()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.changes == changes { // else it was read before an account was created
		k.accounts, k.at = accounts, c.clock.Now()
	}
	return slices.Clone(accounts), nil
}

func (c *charts) kept(k *chart) ([]Account, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !k.current(c.clock.Now()) {
		return nil, false
	}
	return slices.Clone(k.accounts), true
}

// current reports whether the chart can be used. The age is negative when the clock was set back.
func (k *chart) current(now time.Time) bool {
	age := now.Sub(k.at)
	return !k.at.IsZero() && age >= 0 && age < chartLife
}

func (c *charts) changesOf(k *chart) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.changes
}

// forget drops a company's chart, because an account was created.
func (c *charts) forget(realm string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.byRealm[realm]; k != nil {
		k.changes++
		k.accounts, k.at = nil, time.Time{}
	}
}

func (c *charts) enter(realm string) *chart {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.byRealm[realm]
	if k == nil {
		c.makeRoom()
		k = &chart{slot: make(chan struct{}, 1)}
		c.byRealm[realm] = k
	}
	k.users++
	return k
}

func (c *charts) leave(k *chart) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k.users--
}

// makeRoom drops all charts that are too old when there are as many as allowed, and the oldest one if all are current.
func (c *charts) makeRoom() {
	if len(c.byRealm) < maxCharts {
		return
	}
	now, oldest := c.clock.Now(), ""
	for realm, k := range c.byRealm {
		switch {
		case k.users > 0:
		case !k.current(now):
			delete(c.byRealm, realm)
		case oldest == "" || k.at.Before(c.byRealm[oldest].at):
			oldest = realm
		}
	}
	if len(c.byRealm) >= maxCharts && oldest != "" {
		delete(c.byRealm, oldest)
	}
}
