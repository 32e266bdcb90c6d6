package owed

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// SaleState is how far the charge of a saved card for a sale at the desk is.
type SaleState struct {
	Order  order.State // Open: in progress, or failed
	Failed string      // the code of the failed charge; empty: none failed
}

// InProgress reports whether the charge has no result yet.
func (s SaleState) InProgress() bool { return s.Order == order.Open && s.Failed == "" }

// ChargeSale charges the saved card of a sale now, which its job does a moment later, for a desk where the customer
// waits. Without an answer of the processor the charge is in progress, and its job tries again. It needs payment.take
// at the location of the sale. It returns a not found error.
func (s *Service) ChargeSale(ctx context.Context, sc tenancy.Scope, orderID uuid.UUID) (SaleState, error) {
	if _, err := s.SaleState(ctx, sc, orderID); err != nil {
		return SaleState{}, err
	}
	_ = s.ChargeDue(pg.WithoutClaim(ctx), ChargeJob{Business: sc.Tenant, Order: orderID}) // the job reports its error
	return s.SaleState(ctx, sc, orderID)
}

// SaleState returns the state of the charge of a sale. It needs payment.take at the location of the sale. It returns a
// not found error for another order.
func (s *Service) SaleState(ctx context.Context, sc tenancy.Scope, orderID uuid.UUID) (SaleState, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return SaleState{}, err
	}
	o, found, err := readDueOrder(ctx, s.db.View(sc.Tenant), "id", orderID)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return SaleState{}, err
	}
	return SaleState{o.State, o.Failed}, policy.RequireAt(sc, policy.PaymentTake, o.LocationID)
}
