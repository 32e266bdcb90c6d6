package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ListInput chooses offerings of a location; empty filters choose all.
type ListInput struct {
	LocationID uuid.UUID
	Kind       Kind
	State      State
	Heading    string // what they are listed under, in singular or plural and in any letter case
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
// unknown location is not found. Walking the pages gives every offering once, also while others are made (A94).
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
