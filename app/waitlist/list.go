package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/tenancy"
	"foyer/policy"
)

// List returns the waitlist of an offering's date with each entry's log. It needs booking.view at its location, or
// for the caller's own occurrences when this is one. An unknown date is not found.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (List, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return List{}, err
	}
	if err := in.Page.Validate(); err != nil {
		return List{}, err
	}
	v := s.db.View(sc.Tenant)
	out, own, err := listHead(ctx, v, in.OfferingID, in.OccurrenceID, sc.Person())
	if err != nil {
		return List{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, out.LocationID, own); err != nil {
		return List{}, err
	}
	rules, err := catalog.RulesOf(ctx, v, []uuid.UUID{in.OfferingID})
	if err != nil {
		return List{}, err
	}
	out.Mode, out.OffersUntil = rules[in.OfferingID].Waitlist.Mode, rules[in.OfferingID].OffersUntil(out.StartsAt).UTC()
	if out.Entries, err = listEntries(ctx, v, in); err != nil {
		return List{}, err
	}
	return out, logInto(ctx, v, out.Entries.Items)
}

// entryOf reads one entry as the studio sees it.
func (s *Service) entryOf(ctx context.Context, business, id uuid.UUID) (StudioEntry, error) {
	v := s.db.View(business)
	e, err := studioEntry(ctx, v, id)
	if err != nil {
		return StudioEntry{}, err
	}
	list := []StudioEntry{e}
	err = logInto(ctx, v, list)
	return list[0], err
}
