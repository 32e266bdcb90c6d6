package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Locations lists the locations the caller may see, archived ones left out. Errors: policy.ErrMissingFeature
// (location.view), Validation on query.limit.
func (s *Service) Locations(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[Location, uuid.UUID], err error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listLocations(ctx, s.o.DB.View(sc.Tenant), cover, in)
	return paging.Of(rows, in.Size(), func(l Location) uuid.UUID { return l.ID }), err
}

// Location returns one location, archived or not. Errors: fault.Missing, policy.ErrMissingFeature (location.view there).
func (s *Service) Location(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Location, error) {
	return seen(ctx, sc, s.o.DB.View(sc.Tenant), policy.LocationView, id)
}

// seen reads a location for somebody who needs feature there. An id the business does not have is not found, whatever
// the caller may do; one it has is refused where the caller has no role (A47).
func seen(ctx context.Context, sc tenancy.Scope, r pg.Reader, feature tenancy.Feature, id uuid.UUID) (Location, error) {
	if err := policy.RequireAny(sc, feature); err != nil {
		return Location{}, err
	}
	l, err := LocationOf(ctx, r, id)
	if err != nil {
		return Location{}, err
	}
	return l, policy.RequireAt(sc, feature, id)
}

// changed is seen for a verb that changes the location or what belongs to it: the row stays locked.
func changed(ctx context.Context, sc tenancy.Scope, tx *pg.Tx, id uuid.UUID) (Location, error) {
	l, err := lockLocation(ctx, tx, id)
	if err != nil {
		return Location{}, err
	}
	return l, policy.RequireAt(sc, policy.LocationManage, id)
}
