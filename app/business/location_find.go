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

// atPlace is how every change of a location, or of what belongs to it, begins: with the right to make one somewhere, with
// the input (valid may be nil), and with the location itself, whose row stays locked.
func atPlace[T any](ctx context.Context, s *Service, sc tenancy.Scope, location uuid.UUID, valid func() error,
	change func(*pg.Tx, Location) (T, error)) (out T, err error) {
	if err := policy.RequireAny(sc, policy.LocationManage); err != nil {
		return out, err
	}
	if valid != nil {
		if err := valid(); err != nil {
			return out, err
		}
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (out T, err error) {
		l, err := lockLocation(ctx, tx, location)
		if err != nil {
			return out, err
		}
		if err := policy.RequireAt(sc, policy.LocationManage, location); err != nil {
			return out, err
		}
		return change(tx, l)
	})
}
