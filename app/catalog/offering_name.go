package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// OfferingName is an offering in a list to choose from.
type OfferingName struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	Kind         Kind
	Name         string
	State        State
	Enrolment    Enrolment
}

// OfferingNamesInput chooses offerings of the whole business; empty filters choose all that are not archived.
type OfferingNamesInput struct {
	LocationID uuid.UUID
	Query      string // a part of the name or slug, in any letter case
	Limit      int    // 1 to paging.Max; 0: paging.Default
}

// Validate checks the input.
func (in OfferingNamesInput) Validate() error {
	var c fault.Checks
	paging.Check(&c, in.Limit)
	checkText(&c, "q", in.Query, NameMax, "")
	return c.Err()
}

// OfferingNames lists offerings of the caller's locations by name, in one round trip. It needs location.view.
func (s *Service) OfferingNames(ctx context.Context, sc tenancy.Scope, in OfferingNamesInput) ([]OfferingName, error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return nil, err
	}
	return briefs(ctx, s.o.DB.View(sc.Tenant), in, cover)
}
