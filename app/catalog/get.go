package catalog

import (
	"context"

	"github.com/google/uuid"

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
