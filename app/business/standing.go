package business

import (
	"context"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Standing holds counts of a business's setup.
type Standing struct {
	People, Away int // on the team, and deactivated
	Rooms        int // in use
	Rates        int // tax rates in use
	Categories   int // revenue categories in use
	Keys         int // API keys that are not revoked; 0 for a caller without the right to see them
}

// Standing reads the counts in one trip. Every member may read it; the count of keys needs business.manage. Errors:
// policy.ErrMissingFeature (location.view).
func (s *Service) Standing(ctx context.Context, sc tenancy.Scope) (Standing, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Standing{}, err
	}
	return pg.One[Standing](ctx, s.o.DB.View(sc.Tenant), `select
			(select count(*) from members where business_id = $1 and deactivated_at is null) as people,
			(select count(*) from members where business_id = $1 and deactivated_at is not null) as away,
			(select count(*) from spaces where business_id = $1 and archived_at is null) as rooms,
			(select count(*) from tax_rates where business_id = $1 and archived_at is null) as rates,
			(select count(*) from revenue_categories where business_id = $1 and archived_at is null) as categories,
			(select count(*) from api_keys where business_id = $1 and revoked_at is null and $2) as keys`,
		sc.Tenant, mayKeys(sc) == nil)
}
