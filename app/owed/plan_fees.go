package owed

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing"
)

// The fees of a membership are lines of the order of its next billing period. An open order whose fees change is given
// up, and written anew.

// lineIDs returns the ids of the lines of an order.
func lineIDs(o order.Draft) []uuid.UUID {
	ids := make([]uuid.UUID, len(o.Lines))
	for i, l := range o.Lines {
		ids[i] = l.ID
	}
	return ids
}

// addLateFee adds the fee for its late payment to a locked period, and mails its customer the new amount. A payment in
// progress comes first.
func (s *Service) addLateFee(ctx context.Context, tx *pg.Tx, p plan.Period) error {
	if p.OrderID != nil {
		if pay, err := billing.PaymentOfOrder(ctx, tx, *p.OrderID); err == nil && pay.InTransit() {
			return nil
		}
	}
	p, err := plan.AddLateFeeTx(ctx, tx, p)
	if err != nil {
		return err
	}
	return s.orderAnew(ctx, tx, p)
}

// orderAnew gives up the open order of a locked period, writes another one for what is to be paid now, and mails its
// customer. The failure of the last charge is kept: the card is not tried for it.
func (s *Service) orderAnew(ctx context.Context, tx *pg.Tx, p plan.Period) error {
	if p.OrderID == nil {
		return nil
	}
	if err := s.drop(ctx, tx, *p.OrderID); err != nil {
		return err
	}
	p.OrderID = nil
	id, err := s.orderOf(ctx, tx, &p)
	if err != nil || p.Total(p.Today(tx.Now())) == 0 {
		return err
	}
	if p.Failed == "" {
		return orAtDesk(s.askToPay(ctx, tx, id))
	}
	if _, err := order.SetChargeFailed(ctx, tx, id, p.Failed); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ChargeMailJob{Business: tx.Business(), Order: id})
}

// WaiveFee waives an open fee of a customer's membership. If it is part of the order of a billing period that is due,
// its customer is mailed the new amount. It needs membership.manage at the membership's location, and the customer in
// its reach. It returns a not found error, plan.ErrFeeSettled, and ErrPaymentPending while its payment is in progress.
func (s *Service) WaiveFee(
	ctx context.Context, sc tenancy.Scope, customer, membership, fee uuid.UUID,
) (plan.Membership, error) {
	return s.plans.AtDesk(ctx, sc, customer, membership, func(tx *pg.Tx, seen plan.Membership) error {
		if seen.Next != nil {
			if err := s.lockUnpaid(ctx, tx, seen.Next.OrderID); err != nil {
				return err
			}
		}
		due, err := plan.WaiveFeeTx(ctx, tx, membership, fee)
		if err != nil || !due || seen.Next == nil {
			return err
		}
		p, err := plan.FindPeriod(ctx, tx, seen.Next.ID)
		switch {
		case err != nil:
			return err
		case p.OrderID == nil || seen.Next.OrderID == nil || *p.OrderID != *seen.Next.OrderID:
			return pg.ErrUnmet // its payments are not locked
		}
		return s.orderAnew(ctx, tx, p)
	})
}
