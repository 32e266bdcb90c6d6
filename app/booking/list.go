package booking

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// List returns bookings by their start, in one round trip. It needs booking.view, and lists the rows in the caller's
// grants: all, those of some locations, or those of the occurrences with the caller as instructor.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (out paging.Page[StudioBooking, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.BookingView)
	if err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	return list(ctx, s.db.View(sc.Tenant), in, cover, sc.Person())
}

// Get returns one booking in any state. It needs booking.view at its location, or for the caller's own occurrences
// when this is one. An unknown id is not found.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (StudioBooking, error) {
	b, err := s.see(ctx, sc, id)
	if err != nil || !b.Course() {
		return b, err
	}
	dates, err := coursesOf(ctx, s.db.View(sc.Tenant), *b.GroupID)
	b.Dates = dates[*b.GroupID]
	return b, err
}

func (s *Service) see(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (StudioBooking, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return StudioBooking{}, err
	}
	b, err := find(ctx, s.db.View(sc.Tenant), sc.Person(), id)
	if err != nil {
		return StudioBooking{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, b.LocationID, b.Own); err != nil {
		return StudioBooking{}, err
	}
	return b.StudioBooking, nil
}

// History returns all changes of a booking, the first one first. It needs booking.view at the booking's location, or
// for the caller's own occurrences when this is one. An unknown id is not found.
func (s *Service) History(ctx context.Context, sc tenancy.Scope, id uuid.UUID) ([]Change, error) {
	if _, err := s.see(ctx, sc, id); err != nil {
		return nil, err
	}
	return HistoryOf(ctx, s.db.View(sc.Tenant), id)
}

// RosterOf returns the roster of an occurrence. It needs booking.view at its location, or for the caller's own
// occurrences when this is one. An unknown id is not found.
func (s *Service) RosterOf(ctx context.Context, sc tenancy.Scope, in RosterInput) (Roster, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return Roster{}, err
	}
	if err := in.Page.Validate(); err != nil {
		return Roster{}, err
	}
	size := cmp.Or(in.Page.Limit, paging.Max)
	r, own, err := roster(ctx, s.db.View(sc.Tenant), sc.Person(), in, size)
	if err != nil {
		return Roster{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, r.LocationID, own); err != nil {
		return Roster{}, err
	}
	return r, nil
}

// OpenHolds lists the live holds, the first to expire first. It needs booking.manage, and lists those at the
// locations for which the caller has it. Releasing one belongs to package checkout, which has the cart and the
// payment.
func (s *Service) OpenHolds(ctx context.Context, sc tenancy.Scope, page paging.In[paging.Moment]) (out paging.Page[OpenHold, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.BookingManage)
	if err != nil {
		return out, err
	}
	if err := page.Validate(); err != nil {
		return out, err
	}
	return openHolds(ctx, s.db.View(sc.Tenant), cover, page)
}
