package business

import (
	"context"

	"foyer/app/pg"
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

// BusinessOf reads the business that r acts for; fault.Missing when there is none.
func BusinessOf(ctx context.Context, r pg.Reader) (Business, error) { return readBusiness(ctx, r) }
