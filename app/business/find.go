package business

import (
	"context"

	"foyer/app/tenancy"
	"foyer/policy"
)

// Get returns the business. Everybody in the house may see it. Errors: policy.ErrMissingFeature.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope) (Business, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Business{}, err
	}
	return BusinessOf(ctx, s.o.DB.View(sc.Tenant))
}
