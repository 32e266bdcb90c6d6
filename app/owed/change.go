package owed

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing"
)

// A change to a plan with a higher price is an order like that of a billing period: the saved card is charged, or the
// customer is mailed a link, and the desk can take it. The membership changes once it is paid. A payment of a change
// that is withdrawn, or whose billing period is over, is refunded.

// ChangePlan changes the plan of a customer's membership, by the studio: see plan.ChangingOf. It needs
// membership.manage at the membership's location, and the customer in its reach. It returns:
//
//   - a not found error
//   - fault.ErrStale, also if another amount is to be paid now
//   - plan.ErrNotRenewing, plan.ErrEnded, plan.ErrPeriodDue, plan.ErrChange
//   - ErrPaymentPending while a payment of an earlier change is in progress
//   - the errors of a charge, if the studio takes no cards
func (s *Service) ChangePlan(ctx context.Context, sc tenancy.Scope, in plan.ChangeInput) (plan.Membership, error) {
	return s.plans.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		return s.changePlan(ctx, tx, sc.Actor, in, seen, true)
	})
}

// WithdrawChange withdraws a change of a customer's membership that is to come, or waits for its payment. It needs
// membership.manage at the membership's location, and the customer in its reach. It returns a not found error,
// fault.ErrStale, plan.ErrNoChange and ErrPaymentPending.
func (s *Service) WithdrawChange(
	ctx context.Context, sc tenancy.Scope, customer, membership uuid.UUID, version int64,
) (plan.Membership, error) {
	return s.plans.AtDesk(ctx, sc, customer, membership, func(tx *pg.Tx, seen plan.Membership) error {
		return s.withdraw(ctx, tx, seen, version)
	})
}

// ChangeMyPlan is ChangePlan for the signed-in person, by the rules of their plan. It returns identity.ErrSignIn too.
func (s *Service) ChangeMyPlan(
	ctx context.Context, p tenancy.Principal, in plan.ChangeInput,
) (plan.Membership, error) {
	if in.Consent != "" {
		if err := plan.CheckConsent(&in.Consent, "renewalConsent"); err != nil {
			return plan.Membership{}, err
		}
	}
	return s.plans.OfMine(ctx, p, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		in.CustomerID = seen.CustomerID
		return s.changePlan(ctx, tx, p.Actor, in, seen, false)
	})
}

// WithdrawMyChange is WithdrawChange for the signed-in person. It returns identity.ErrSignIn too.
func (s *Service) WithdrawMyChange(
	ctx context.Context, p tenancy.Principal, membership uuid.UUID,
) (plan.Membership, error) {
	return s.plans.OfMine(ctx, p, membership, func(tx *pg.Tx, seen plan.Membership) error {
		return s.withdraw(ctx, tx, seen, 0)
	})
}

// changePlan changes a membership that was read, in place of an earlier change.
func (s *Service) changePlan(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, in plan.ChangeInput, seen plan.Membership, staff bool,
) error {
	if err := s.lockChange(ctx, tx, seen); err != nil {
		return err
	}
	m, c, err := plan.ChangeTx(ctx, tx, by, in, staff)
	if err == nil && !sameChange(m, seen) { // the payments of its order of now are not locked
		err = pg.ErrUnmet
	}
	if err == nil {
		err = s.dropChange(ctx, tx, seen)
	}
	if err != nil || c.Amount == 0 {
		return err
	}
	d, err := deskOfMembership(ctx, tx, m, c.Item())
	if err != nil {
		return err
	}
	o := d.byCard().order
	inSteps(&o)
	o.ID = pg.NewID()
	o.Receipt = s.order.ReceiptHash(o.ID)
	if err := order.Insert(ctx, tx, o); err != nil {
		return err
	}
	if err := plan.BillChangeTx(ctx, tx, by, c, o.Lines[0].ID); err != nil {
		return err
	}
	if m.ConsentedAt != nil || in.Consent != "" {
		card, found, err := s.renewalCard(ctx, tx, m.CustomerID)
		switch {
		case err != nil:
			return err
		case found:
			return orAtDesk(s.chargeOrder(ctx, tx, o.ID, card))
		}
	}
	return orAtDesk(s.askToPay(ctx, tx, o.ID))
}

// orAtDesk leaves an order to the desk while the studio takes no cards.
func orAtDesk(err error) error {
	if unchargeable(err) {
		return nil
	}
	return err
}

// deskOfMembership returns an item for the customer of a membership as what is due at the desk.
func deskOfMembership(
	ctx context.Context, r pg.Reader, m plan.Membership, item *order.CartItem,
) (deskDue, error) {
	l, err := business.LocationOf(ctx, r, m.LocationID)
	return deskDue{
		place: deskPlace{LocationID: m.LocationID, CustomerID: m.CustomerID, Currency: m.Currency, TaxMode: l.TaxMode},
		goods: []*order.CartItem{item},
	}, err
}

// sameChange reports whether a membership has the order of a change that it had before.
func sameChange(m, seen plan.Membership) bool {
	return m.Change == nil && seen.Change == nil || m.Change != nil && seen.Change != nil && m.Change.ID == seen.Change.ID
}

// withdraw withdraws the change of a membership that was read.
func (s *Service) withdraw(ctx context.Context, tx *pg.Tx, seen plan.Membership, version int64) error {
	if err := s.lockChange(ctx, tx, seen); err != nil {
		return err
	}
	if err := plan.WithdrawTx(ctx, tx, seen.CustomerID, seen.ID, version); err != nil {
		return err
	}
	return s.dropChange(ctx, tx, seen)
}

// lockChange locks the payments of a change of a membership. It returns checkout.ErrPaymentPending if one is in
// progress.
func (s *Service) lockChange(ctx context.Context, tx *pg.Tx, m plan.Membership) error {
	if m.Change == nil {
		return nil
	}
	return s.lockUnpaid(ctx, tx, m.Change.OrderID)
}

// lockUnpaid locks the payments of an order; nil: none. It returns checkout.ErrPaymentPending if one is in progress.
func (s *Service) lockUnpaid(ctx context.Context, tx *pg.Tx, orderID *uuid.UUID) error {
	if orderID == nil {
		return nil
	}
	if err := billing.LockPaymentsTx(ctx, tx, []uuid.UUID{*orderID}); err != nil {
		return err
	}
	return s.notPaying(ctx, tx, plan.Period{OrderID: orderID})
}

// dropChange gives up the order of a change of a membership, if it has one.
func (s *Service) dropChange(ctx context.Context, tx *pg.Tx, m plan.Membership) error {
	if m.Change == nil || m.Change.OrderID == nil {
		return nil
	}
	return s.drop(ctx, tx, *m.Change.OrderID)
}
