package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// HitsShown is the maximum number of affected bookings that are listed by name.
const HitsShown = 50

// Hit is a booking affected by a closure, time off or a block: its location is closed, its instructor away or its
// space out of use.
type Hit struct {
	BookingID uuid.UUID
	StartsAt  time.Time
	Customer  string // by name
}

// Hits are the bookings that a closure, time off or a block affects. None of them is changed: the studio reschedules,
// cancels or keeps them.
type Hits struct {
	Count int
	First []Hit // the earliest, at most HitsShown
	Dates int   // affected class dates, booked or not
}

// hitsOf returns the bookings of occurrences between two times, except those for which spared is true; nil: none.
// more narrows it down, as in standings.
func (s *Service) hitsOf(ctx context.Context, tx *pg.Tx, from, to time.Time, spared func(standing) bool, more string, args ...any) (Hits, error) {
	hit, err := standings(ctx, tx, from, to, more, args...)
	if err != nil {
		return Hits{}, err
	}
	var ids []uuid.UUID
	dates := 0
	for _, o := range hit {
		if spared != nil && spared(o) {
			continue
		}
		ids = append(ids, o.ID)
		if o.OfSeries {
			dates++
		}
	}
	if len(ids) == 0 {
		return Hits{}, nil
	}
	h, err := s.hitsTx(ctx, tx, ids, HitsShown)
	h.Dates = dates
	return h, err
}
