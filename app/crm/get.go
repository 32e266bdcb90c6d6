package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/policy"
)

// Get returns one customer. It needs crm.view for this customer: everywhere, at a location where they have a booking, or
// for an occurrence of theirs that the caller gives. An unknown id is not found.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Customer, error) {
	cover, err := policy.Where(sc, policy.CRMView)
	if err != nil {
		return Customer{}, err
	}
	c, open, err := find(ctx, s.db.View(sc.Tenant), sc.Person(), cover, id)
	if err != nil {
		return Customer{}, err
	}
	if !open {
		return Customer{}, policy.ErrMissingFeature.With("feature", string(policy.CRMView))
	}
	return c, nil
}
