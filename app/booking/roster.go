package booking

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// RosterInput chooses a part of a roster.
type RosterInput struct {
	OccurrenceID uuid.UUID
	Page         paging.In[paging.Moment] // without a limit: of the largest size
}

// Roster is who comes to one occurrence.
type Roster struct {
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	OfferingName string
	LocationID   uuid.UUID
	LocationName string
	Zone         string // IANA: the wall clock of the times
	StartsAt     time.Time
	EndsAt       time.Time
	State        schedule.State
	Instructor   string // empty: nobody is named
	Space        string // empty: none is named
	schedule.Seats
	Entries paging.Page[StudioBooking, paging.Moment] // who has a seat or is kept one, in the order they came
}

// RosterOf returns the roster of an occurrence. It needs booking.view at its location, or for the caller's own occurrences
// when this is one. An unknown id is not found.
func (s *Service) RosterOf(ctx context.Context, sc tenancy.Scope, in RosterInput) (Roster, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return Roster{}, err
	}
	var c fault.Checks
	if in.Page.Check(&c); c.Err() != nil {
		return Roster{}, c.Err()
	}
	size := cmp.Or(in.Page.Limit, paging.Max)
	r, own, err := roster(ctx, s.db.View(sc.Tenant), sc.Person(), in, size)
	if err != nil {
		return Roster{}, err
	}
	return r, policy.RequireRow(sc, policy.BookingView, r.LocationID, own)
}
