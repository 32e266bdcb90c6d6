package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Ahead is what is still to come of an offering.
type Ahead struct {
	Bookings int // held, booked or asked for
	Dates    int // of its series
	Waiting  int // places on the waitlists of these dates
}

// PutAway is an offering that was put away, with what went with it.
type PutAway struct {
	Offering
	Gone Ahead
}

// Effects are what a quote of archiving promises.
func (a PutAway) Effects() any { return a.Gone }

// Archive puts an offering away, dates and all; history stays, and who waits for a seat is told that there will be none. It
// needs catalog.manage at the location. While somebody is booked ahead it is ErrFutureBookings, with details.bookings.
// Archiving what is archived changes nothing.
//
// The row is locked FOR UPDATE before the question about bookings is asked. Whoever takes a seat under a key share lock
// of the offering therefore comes wholly before, and is seen, or wholly after, and finds it archived.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (PutAway, error) {
	return change(ctx, s, sc, id, func(tx *pg.Tx, o Offering) (PutAway, error) {
		if o.State == Archived {
			return PutAway{Offering: o}, nil
		}
		ahead, err := s.o.PutAwayTx(ctx, tx, sc, id)
		if err != nil {
			return PutAway{}, err
		}
		if ahead.Bookings > 0 {
			return PutAway{}, ErrFutureBookings.With("bookings", ahead.Bookings)
		}
		o.State, o.PublishedAt = Archived, nil
		err = save(ctx, tx, &o)
		return PutAway{o, ahead}, err
	})
}
