package sales

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// VoidInput voids a payment at the desk that was a mistake.
type VoidInput struct {
	PaymentID uuid.UUID
	Note      string // the reason, for the studio's records
}

// Validate trims the input and checks it.
func (in *VoidInput) Validate() error {
	var c fault.Checks
	money.CheckNote(&c, "note", &in.Note, true)
	return c.Err()
}

// Void records that a payment at the desk was a mistake, on its own day: the amounts it paid are due again. It needs
// payment.take at the location; a payment outside the caller's payment.view is not found. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error
//   - a not found error
//   - ErrByCard
//   - ErrSharedFee
//   - ErrGoodsSold
//   - billing.ErrNotVoidable, also on another day, and for account credit that a customer used in their cart
func (s *Service) Void(ctx context.Context, sc tenancy.Scope, in VoidInput) (Payment, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Payment{}, err
	}
	if err := in.Validate(); err != nil {
		return Payment{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Payment, error) {
		if err := tx.Because(ctx, in.Note); err != nil {
			return Payment{}, err
		}
		p, today, err := readPayment(ctx, tx, in.PaymentID)
		if err != nil {
			return Payment{}, err
		}
		if err := policy.RequireAt(sc, policy.PaymentTake, p.LocationID); err != nil {
			return Payment{}, err
		}
		if err := seen(sc, p.LocationID, today); err != nil {
			return Payment{}, err
		}
		switch {
		case p.Method == ByCard:
			return Payment{}, ErrByCard
		case !today:
			return Payment{}, billing.ErrNotVoidable
		}
		r, err := s.o.Billing.RefundableTx(ctx, tx, p.ID)
		if err = fault.When(r.Tender.Position > 0, billing.ErrNotVoidable, err); err != nil {
			return Payment{}, err // agreed with the order, nothing was due
		}
		paid, err := paidOf(ctx, tx, p.ID)
		switch {
		case err != nil:
			return Payment{}, err
		case paid.shared:
			return Payment{}, ErrSharedFee
		case paid.goods:
			return Payment{}, ErrGoodsSold
		}
		if err := s.o.Billing.VoidTx(ctx, tx, r, sc.Actor, in.Note); err != nil {
			return Payment{}, err
		}
		if err := fees.UnpaidTx(ctx, tx, paid.fees); err != nil {
			return Payment{}, err
		}
		p.State, p.Refundable, p.Net = Void, 0, nil
		return p, nil
	})
}
