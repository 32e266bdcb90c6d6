package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Get returns one offering in any state. It needs location.view at its location; an unknown id is not found.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Offering{}, err
	}
	o, err := find(ctx, s.o.DB.View(sc.Tenant), id)
	if err != nil {
		return Offering{}, err
	}
	return o, policy.RequireAt(sc, policy.LocationView, o.LocationID)
}

// ListInput chooses offerings of a location; empty filters choose all.
type ListInput struct {
	LocationID uuid.UUID
	Kind       Kind
	State      State
	Heading    string // the group of the listings, in singular or plural and in any letter case
	Query      string // a part of the name or slug, in any letter case
	Page       paging.In[Key]
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var checks fault.Checks
	checks.That(in.State == "" || in.State.Valid(), "state", "Use draft, published or archived.")
	checks.That(in.Kind == "" || in.Kind.Valid(), "kind", "Use class, appointment or rental.")
	checkText(&checks, "heading", in.Heading, HeadingMax, "")
	checkText(&checks, "q", in.Query, NameMax, "")
	in.Page.Check(&checks)
	return checks.Err()
}

// List returns offerings of a location in the storefront's order, in one round trip. It needs location.view there; an
// unknown location is not found. Walking the pages yields every offering once, also while others are made (A94).
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (page paging.Page[Offering, Key], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, found, err := list(ctx, s.o.DB.View(sc.Tenant), in)
	if err != nil {
		return page, err
	}
	if !found {
		return page, fault.Missing()
	}
	if err := policy.RequireAt(sc, policy.LocationView, in.LocationID); err != nil {
		return page, err
	}
	return paging.Of(rows, in.Page.Size(), func(o Offering) Key { return Key{o.Position, o.Name, o.ID} }), nil
}

// ListedInput chooses published offerings of a location; empty filters choose all.
type ListedInput struct {
	LocationID uuid.UUID
	Kind       Kind
	Heading    string // the group of the listings, in singular or plural and in any letter case
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

// Listed returns the public listings of a location, in the storefront's order, in one round trip (A91). A location
// that is unknown or archived, and any of a closed business, is not found. Walking the pages yields every listing
// once, also while others are published (A94). also adds further reads to the trip.
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

// PublicOffering returns a published offering by id. A draft or archived one, one at an archived location or of a
// closed business is not found, like an unknown id.
func (s *Service) PublicOffering(ctx context.Context, business, id uuid.UUID) (Listing, error) {
	return publicByID(ctx, s.o.DB.View(business), id)
}
