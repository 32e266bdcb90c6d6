package crm

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// totals knows how many customers businesses have, so that a page of the list counts only those who have come since: to
// count them all takes longer than all the rest of the page.
//
// It is exact, also for what another process has just committed. A row carries the number of the transaction that wrote it,
// and Postgres says for each snapshot the number below which every transaction was over: the horizon. Rows below it are all
// counted, nothing can be added there, and nothing is ever deleted. A walk-in who comes onto the list later has the number of the
// transaction that did it. A transaction that was still running, or began later,
// has a higher number, and its rows are counted by every statement anew.
type totals struct {
	mu    sync.Mutex
	known map[uuid.UUID]settled // by business
}

// settled are the customers of one business from transactions below the horizon.
type settled struct {
	Count   int
	Horizon int64
	since   time.Time // when all of them were counted
}

const (
	totalsMost = 10_000 // businesses: a megabyte
	// totalsFor is how long a database that was put back to an earlier state under a running server can tell.
	totalsFor = time.Minute
)

// of is what is known of a business. For one that is not known it is the beginning: nobody, below the first transaction.
func (t *totals) of(business uuid.UUID, now time.Time) settled {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.known[business]
	if !ok || now.Sub(s.since).Abs() > totalsFor {
		return settled{since: now}
	}
	return s
}

// keep takes in what a later statement has counted on top of it.
func (t *totals) keep(business uuid.UUID, s settled) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[uuid.UUID]settled{}
	}
	if _, ok := t.known[business]; !ok && len(t.known) >= totalsMost {
		for other := range t.known { // any one
			delete(t.known, other)
			break
		}
	}
	t.known[business] = s
}
