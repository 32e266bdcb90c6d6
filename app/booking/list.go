package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ListInput chooses bookings; a filter that is not set chooses all.
type ListInput struct {
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	CustomerID   uuid.UUID
	MemberID     uuid.UUID // who teaches
	GroupID      uuid.UUID // bookings that were made together
	State        State     // empty: everything that is a booking, which held and expired are not
	From, To     time.Time // the start is at or after From and before To
	Ascending    bool      // the earliest start first; otherwise the latest
	After        *Key      // nil: from the beginning
	Limit        int       // 0: PageDefault
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	_, ok := PageSize(in.Limit)
	c.That(ok, "limit", "Ask for 1 to 200.")
	c.That(in.State == "" || in.State.Valid(), "state", "There is no such state.")
	c.That(in.From.IsZero() || in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	return c.Err()
}

// Page is a part of a list of bookings. Next is what After takes for the next one.
type Page struct {
	Items []StudioBooking
	Next  *Key
}

// List returns bookings in one round trip. It needs booking.view, and shows the rows that the caller's grants open: all,
// those of certain locations, or those of the sessions the caller teaches.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (Page, error) {
	cover, err := policy.Where(sc, policy.BookingView)
	if err != nil {
		return Page{}, err
	}
	if err := in.Validate(); err != nil {
		return Page{}, err
	}
	size, _ := PageSize(in.Limit)
	rows, err := list(ctx, s.db.View(sc.Tenant), in, cover, sc.Person(), size+1)
	if err != nil {
		return Page{}, err
	}
	items, next := Cut(rows, size, func(e StudioBooking) Key { return Key{e.StartsAt, e.ID} })
	return Page{items, next}, nil
}

// Get returns one booking in any state. It needs booking.view at its location, or for the caller's own sessions when
// this is one. An unknown id is not found.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (StudioBooking, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return StudioBooking{}, err
	}
	e, own, err := find(ctx, s.db.View(sc.Tenant), sc.Person(), id)
	if err != nil {
		return StudioBooking{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, e.LocationID, own); err != nil {
		return StudioBooking{}, err
	}
	if !e.Course() {
		return e, nil
	}
	dates, err := coursesOf(ctx, s.db.View(sc.Tenant), []uuid.UUID{*e.GroupID})
	e.Dates = dates[*e.GroupID]
	return e, err
}
