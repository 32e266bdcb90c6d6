package booking

import (
	"cmp"
	"context"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// RosterOf returns the roster of an occurrence. It needs booking.view at its location, or for the caller's own occurrences
// when this is one. An unknown id is not found.
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
