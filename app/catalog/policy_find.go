package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Policies lists the policies of the business in the order they were made; archived ones are left out. It needs
// catalog.manage somewhere: who looks after one location's offerings chooses from the same list.
func (s *Service) Policies(ctx context.Context, sc tenancy.Scope, in business.PageInput) (business.Page[Policy], error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return business.Page[Policy]{}, err
	}
	var checks fault.Checks
	checkLimit(&checks, in.Limit)
	if err := checks.Err(); err != nil {
		return business.Page[Policy]{}, err
	}
	limit := in.Limit
	if limit == 0 {
		limit = PageDefault
	}
	rows, err := listPolicies(ctx, s.o.DB.View(sc.Tenant), in.After, limit+1)
	if err != nil || len(rows) <= limit {
		return business.Page[Policy]{Items: rows}, err
	}
	return business.Page[Policy]{Items: rows[:limit], Next: &rows[limit-1].ID}, nil
}

// Policy returns one policy, archived or not. It needs catalog.manage somewhere.
func (s *Service) Policy(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Policy, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Policy{}, err
	}
	return findPolicy(ctx, s.o.DB.View(sc.Tenant), id)
}
