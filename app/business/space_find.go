package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Spaces lists the spaces of a location, archived ones left out. Errors: fault.Missing for the location,
// policy.ErrMissingFeature (location.view there), Validation on query.limit.
func (s *Service) Spaces(ctx context.Context, sc tenancy.Scope, location uuid.UUID, in paging.In[uuid.UUID]) (page paging.Page[Space, uuid.UUID], err error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := seen(ctx, sc, v, policy.LocationView, location); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listSpaces(ctx, v, location, in)
	return paging.Of(rows, in.Size(), func(s Space) uuid.UUID { return s.ID }), err
}

// Space returns one space of a location, archived or not. Errors: fault.Missing for either, policy.ErrMissingFeature
// (location.view there).
func (s *Service) Space(ctx context.Context, sc tenancy.Scope, location, space uuid.UUID) (Space, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := seen(ctx, sc, v, policy.LocationView, location); err != nil {
		return Space{}, err
	}
	return SpaceOf(ctx, v, location, space)
}
