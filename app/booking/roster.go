package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// RosterInput chooses a part of a roster.
type RosterInput struct {
	OccurrenceID uuid.UUID
	After        *Key // nil: from the beginning
	Limit        int  // 0: PageMax
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
	Entries []StudioBooking // who has a seat or is kept one, in the order they came
	Next    *Key
}

// RosterOf returns the roster of an occurrence. It needs booking.view at its location, or for the caller's own sessions
// when this is one. An unknown id is not found.
func (s *Service) RosterOf(ctx context.Context, sc tenancy.Scope, in RosterInput) (Roster, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return Roster{}, err
	}
	size, ok := PageSize(in.Limit)
	if !ok {
		return Roster{}, fault.Invalid("limit", "Ask for 1 to 200.")
	}
	if in.Limit == 0 {
		size = PageMax
	}
	r, own, err := roster(ctx, s.db.View(sc.Tenant), sc.Person(), in, size+1)
	if err != nil {
		return Roster{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, r.LocationID, own); err != nil {
		return Roster{}, err
	}
	r.Entries, r.Next = Cut(r.Entries, size, func(e StudioBooking) Key { return Key{e.CreatedAt, e.ID} })
	return r, nil
}
