package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// HitsShown is how many of the bookings that something hits are told by name.
const HitsShown = 50

// Hit is a booking that loses what it needs: its location is closed, its person away or its space out of use.
type Hit struct {
	BookingID uuid.UUID
	StartsAt  time.Time
	Customer  string // by name
}

// Hits are the bookings that a closure, time off or a block hits. None of them is changed: the studio moves or cancels
// them, or lets them take place.
type Hits struct {
	Count int
	First []Hit // the earliest, at most HitsShown
	Dates int   // class dates among what is hit, booked or not
}

// hitsOf says who is booked on what takes place between two times, but for what spared leaves alone; nil: nothing. more
// narrows it down, as standings says.
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
