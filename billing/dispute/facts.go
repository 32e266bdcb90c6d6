package dispute

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ListInput selects disputes.
type ListInput struct {
	Open bool // only undecided ones
	Page paging.In[paging.Moment]
}

// Validate returns a validation error for an invalid page.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	return c.Err()
}

// List lists the disputes of the business's payments, and of charges that it made without the product, the newest
// first. It needs payment.view without a limit, in the whole business. It returns a validation error for an invalid
// input.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (paging.Page[Dispute, paging.Moment], error) {
	if err := policy.RequireFull(sc, policy.PaymentView); err != nil {
		return paging.Page[Dispute, paging.Moment]{}, err
	}
	if err := in.Validate(); err != nil {
		return paging.Page[Dispute, paging.Moment]{}, err
	}
	rows, err := listDisputes(ctx, s.db.View(sc.Tenant), s.billing.Env(), in)
	return paging.Of(rows, in.Page.Size(), func(d Dispute) paging.Moment { return paging.Moment{At: d.HappenedAt, ID: d.ID} }), err
}

// Get returns one dispute. It needs payment.view without a limit, in the whole business. It returns a not found
// error for an unknown one.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Dispute, error) {
	if err := policy.RequireFull(sc, policy.PaymentView); err != nil {
		return Dispute{}, err
	}
	return readDispute(ctx, s.db.View(sc.Tenant), s.billing.Env(), id)
}
