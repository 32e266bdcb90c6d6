package owed

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
)

// The fee of an early end of a membership is an order like that of a change of plan: the saved card is charged, or the
// customer is mailed a link, and the desk can take it. The membership has its end once it is paid. A payment of an
// early end that is withdrawn or given up is refunded.

// EndPlanEarly ends a membership of a customer before its least number of periods, for its fee: see plan.EarlyEndingOf.
// It needs membership.manage at the membership's location, and the customer in its reach. It returns:
//
//   - a not found error
//   - fault.ErrStale, also if another end or another fee is due now
//   - plan.ErrNotRenewing, plan.ErrEnded, plan.ErrCanceled, plan.ErrFrozen, plan.ErrPeriodDue, plan.ErrNoEarlyEnd
//   - plan.ErrBooked
//   - ErrPaymentPending while a payment of an earlier one, or of a change, is in progress
func (s *Service) EndPlanEarly(
	ctx context.Context, sc tenancy.Scope, in plan.EndEarlyInput,
) (plan.Membership, error) {
	return s.plans.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		return s.endEarly(ctx, tx, sc.Actor, in, seen)
	})
}

// EndMyPlanEarly is EndPlanEarly for the signed-in person. It returns identity.ErrSignIn too.
func (s *Service) EndMyPlanEarly(
	ctx context.Context, p tenancy.Principal, in plan.EndEarlyInput,
) (plan.Membership, error) {
	return s.plans.OfMine(ctx, p, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		in.CustomerID = seen.CustomerID
		return s.endEarly(ctx, tx, p.Actor, in, seen)
	})
}

// endEarly ends a membership that was read early, in place of an earlier such end and of a change.
func (s *Service) endEarly(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, in plan.EndEarlyInput, seen plan.Membership,
) error {
	if err := s.lockChange(ctx, tx, seen); err != nil {
		return err
	}
	if err := s.lockEnd(ctx, tx, seen); err != nil {
		return err
	}
	m, e, err := plan.EndEarlyTx(ctx, tx, by, in)
	if err == nil && !(sameChange(m, seen) && sameEnd(m, seen)) { // the payments of its orders of now are not locked
		err = pg.ErrUnmet
	}
	if err == nil {
		err = s.dropChange(ctx, tx, seen)
	}
	if err == nil {
		err = s.dropEnd(ctx, tx, seen)
	}
	if err != nil || e.Amount == 0 {
		return err
	}
	return s.chargeNow(ctx, tx, m, e.Item(), m.ConsentedAt != nil, func(line uuid.UUID) error {
		return plan.BillEndTx(ctx, tx, by, e, line)
	})
}

// ResumePlan has a membership of a customer go on that is canceled for an end that has not come, or withdraws an early
// end that waits for its fee. It needs membership.manage at the membership's location, and the customer in its reach.
// It returns:
//
//   - a not found error, fault.ErrStale
//   - plan.ErrNotRenewing, plan.ErrEnded, plan.ErrNotCanceled
//   - ErrPaymentPending while the fee, or a billing period that is paid in part, is being paid
func (s *Service) ResumePlan(ctx context.Context, sc tenancy.Scope, in plan.ResumeInput) (plan.Membership, error) {
	return s.plans.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		return s.resume(ctx, tx, sc.Actor, in, seen)
	})
}

// ResumeMyPlan is ResumePlan for the signed-in person. It returns identity.ErrSignIn too.
func (s *Service) ResumeMyPlan(
	ctx context.Context, p tenancy.Principal, in plan.ResumeInput,
) (plan.Membership, error) {
	return s.plans.OfMine(ctx, p, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		in.CustomerID = seen.CustomerID
		return s.resume(ctx, tx, p.Actor, in, seen)
	})
}

// resume has a membership that was read go on.
func (s *Service) resume(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, in plan.ResumeInput, seen plan.Membership,
) error {
	if seen.Resized() {
		if err := s.lockUnpaid(ctx, tx, seen.Next.OrderID); err != nil {
			return err
		}
	}
	if err := s.lockEnd(ctx, tx, seen); err != nil {
		return err
	}
	m, err := plan.ResumeTx(ctx, tx, by, in)
	switch {
	case err != nil:
		return err
	case !sameEnd(m, seen), m.Resized() && !sameOrder(m.Next, seen.Next):
		return pg.ErrUnmet // the payments of its orders of now are not locked
	}
	if m.Resized() && m.Next.OrderID != nil {
		if err := s.drop(ctx, tx, *m.Next.OrderID); err != nil {
			return err
		}
	}
	return s.dropEnd(ctx, tx, seen)
}

// sameEnd reports whether a membership has the early end that it had before.
func sameEnd(m, seen plan.Membership) bool {
	return m.EarlyEnd == nil && seen.EarlyEnd == nil ||
		m.EarlyEnd != nil && seen.EarlyEnd != nil && m.EarlyEnd.ID == seen.EarlyEnd.ID
}

// sameOrder reports whether a billing period has the order that it had before.
func sameOrder(now, seen *plan.Cycle) bool {
	return seen != nil && (now.OrderID == nil || seen.OrderID != nil && *now.OrderID == *seen.OrderID)
}

// lockEnd locks the payments of an early end of a membership. It returns checkout.ErrPaymentPending if one is in
// progress.
func (s *Service) lockEnd(ctx context.Context, tx *pg.Tx, m plan.Membership) error {
	if m.EarlyEnd == nil {
		return nil
	}
	return s.lockUnpaid(ctx, tx, m.EarlyEnd.OrderID)
}

// dropEnd gives up the order of an early end of a membership, if it has one.
func (s *Service) dropEnd(ctx context.Context, tx *pg.Tx, m plan.Membership) error {
	if m.EarlyEnd == nil || m.EarlyEnd.OrderID == nil {
		return nil
	}
	return s.drop(ctx, tx, *m.EarlyEnd.OrderID)
}

// voidEnd gives up an early end of the membership of a locked period: the period is paid instead.
func (s *Service) voidEnd(ctx context.Context, tx *pg.Tx, p plan.Period) error {
	if p.EndOrderID == nil {
		return nil
	}
	if err := plan.VoidEndTx(ctx, tx, p.MembershipID); err != nil {
		return err
	}
	return s.drop(ctx, tx, *p.EndOrderID)
}
