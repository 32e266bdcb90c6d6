package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// Page is what the page of a published offering shows beside its times.
type Page struct {
	Listing
	Capacity int // people of one booking at most
	Rules    Rules
	Members  []Named // who gives it, the first choice first
	Spaces   []Named // where it can be, the first choice first
}

// Named is somebody who gives an offering, or a space in which it can be.
type Named struct {
	ID   uuid.UUID
	Name string
}

// Lengths is how long it takes and what that costs.
func (l Listing) Lengths() Lengths {
	return Lengths{Kind: l.Kind, SoldAs: l.SoldAs, Minutes: l.DurationMinutes, Amount: &l.PriceAmount, Durations: l.Durations}
}

// Party is how many people one booking can be for.
func (p Page) Party() (least, most int) {
	least, most = max(1, p.Rules.PartyMin), p.Capacity
	if p.Rules.PartyMax > 0 {
		most = min(most, p.Rules.PartyMax)
	}
	return least, max(least, most)
}

// PageOf returns a published offering by the location's id and its slug, in one round trip. One that the public does not
// see is not found.
func PageOf(ctx context.Context, v *pg.View, location uuid.UUID, slug string) (Page, error) {
	if !ValidSlug(slug) {
		return Page{}, fault.Missing()
	}
	return pageBySlug(ctx, v, location, slug)
}

// ComputedOf returns the published offerings of a location whose times are computed, in the storefront's order and in one
// round trip.
func ComputedOf(ctx context.Context, v *pg.View, location uuid.UUID) ([]Listing, error) {
	return computed(ctx, v, location)
}

// Terms is what somebody should know of an offering before they pay for it.
type Terms struct {
	Approval bool // the studio answers each booking
	Each     bool // every person of a party pays
	Course   bool // one booking is for all its dates
	Rules    Rules
}

// TermsOf returns the terms of offerings as they are now. It is one statement; an unknown offering is not in the answer.
func TermsOf(ctx context.Context, r pg.Reader, offerings []uuid.UUID) (map[uuid.UUID]Terms, error) {
	if len(offerings) == 0 {
		return nil, nil
	}
	return terms(ctx, r, offerings)
}
