package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
)

// ListedInput chooses published offerings of a location; empty filters choose all.
type ListedInput struct {
	LocationID uuid.UUID
	Kind       Kind
	Heading    string // what they are listed under, in singular or plural and in any letter case
	Page       paging.In[Key]
}

// Validate checks the input. The error names every wrong field.
func (in ListedInput) Validate() error {
	var checks fault.Checks
	checks.That(in.Kind == "" || in.Kind.Valid(), "kind", "Use class, appointment or rental.")
	checkText(&checks, "heading", in.Heading, HeadingMax, "")
	in.Page.Check(&checks)
	return checks.Err()
}

// Listed returns what the public sees of a location, in the storefront's order, in one round trip (A91). A location that
// is unknown or archived, and any of a closed business, is not found. Walking the pages gives every listing once, also
// while others are published (A94). also adds further reads to the trip.
func (s *Service) Listed(ctx context.Context, business uuid.UUID, in ListedInput, also ...func(*pg.Batch)) (page paging.Page[Listing, Key], err error) {
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, found, err := listed(ctx, s.o.DB.View(business), in, also)
	if err != nil {
		return page, err
	}
	if !found {
		return page, fault.Missing()
	}
	return paging.Of(rows, in.Page.Size(), func(l Listing) Key { return Key{l.Position, l.Name, l.ID} }), nil
}

// PublicOffering returns a published offering by id. A draft or archived one, one at an archived location or of a closed
// business is not found, like an unknown id.
func (s *Service) PublicOffering(ctx context.Context, business, id uuid.UUID) (Listing, error) {
	return publicByID(ctx, s.o.DB.View(business), id)
}
