package crm

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// totals caches the number of customers of businesses, so that a page of the list counts only newer ones: counting
// them all takes longer than all else on the page.
//
// It is exact, also for rows committed by another process a moment ago. A row carries the number of the transaction
// that wrote it, and Postgres reports for each snapshot the number below which every transaction had ended: the
// horizon. Rows below it are all counted, none can be added there, and none is ever deleted. A walk-in listed later
// has the number of the transaction that listed them. A transaction that was still running, or began later, has a
// higher number, and every statement counts its rows anew.
type totals struct {
	mu    sync.Mutex
	known map[uuid.UUID]settled // by business
}

// settled are the customers of one business from transactions below the horizon.
type settled struct {
	Count   int
	Horizon int64
	since   time.Time // time of the full count
}

const (
	totalsMost = 10_000 // businesses: a megabyte
	// totalsFor bounds the error after a restore of the database to an earlier state under a running server.
	totalsFor = time.Minute
)

// of returns the count of a business. For an unknown one it is the beginning: none, below the first transaction.
func (t *totals) of(business uuid.UUID, now time.Time) settled {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.known[business]
	if !ok || now.Sub(s.since).Abs() > totalsFor {
		return settled{since: now}
	}
	return s
}

// keep adds the count of a later statement.
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
