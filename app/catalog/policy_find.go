package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Policies lists the policies of the business in the order they were made; archived ones are left out. It needs
// catalog.manage somewhere: who looks after one location's offerings chooses from the same list.
func (s *Service) Policies(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[Policy, uuid.UUID], err error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listPolicies(ctx, s.o.DB.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(p Policy) uuid.UUID { return p.ID }), err
}

// Policy returns one policy, archived or not. It needs catalog.manage somewhere.
func (s *Service) Policy(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Policy, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Policy{}, err
	}
	return findPolicy(ctx, s.o.DB.View(sc.Tenant), id)
}
