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

// refundManual is Refund of a payment at the desk.
func (s *Service) refundManual(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in RefundInput) (RefundResult, error) {
	p, today, err := readPayment(ctx, tx, in.PaymentID)
	if err != nil {
		return RefundResult{}, err
	}
	if err := mayRefund(sc, p.LocationID, today); err != nil {
		return RefundResult{}, err
	}
	t, left, err := lockManualPayment(ctx, tx, p.OrderID, p.ID)
	if err != nil {
		return RefundResult{}, err
	}
	w, err := readWhere(ctx, tx, p.LocationID, p.OrderID, t.CreatedAt)
	if err != nil {
		return RefundResult{}, err
	}
	src := source{id: p.ID, location: p.LocationID, amount: p.Amount, currency: p.Currency, sold: t.Parts, left: left, where: w}
	asks, err := src.plan(sc, in)
	if err != nil {
		return RefundResult{}, err
	}
	got, err := s.o.Billing.RefundManualTx(ctx, tx, sc, billing.ManualRefundInput{PaymentID: p.ID, Amount: asks.Amount, Lines: asks.Lines, ToCredit: in.Destination == billing.ToCredit, Note: in.Note})
	if err != nil {
		return RefundResult{}, err
	}
	back := backOf(got)
	if got.Method != t.Method {
		back.Destination = billing.ToCredit
	}
	out := src.gives(back, got.Parts)
	out.Method = Method(t.Method)
	return out, nil
}

// backOf returns a manual payment that refunds another one, as a Refund.
func backOf(t billing.ManualPayment) Refund {
	return Refund{
		ID: t.ID, Amount: t.Amount, State: billing.RequestSucceeded, Reason: billing.RefundReason(t.Kind), Destination: billing.ToOriginal, Note: t.Note,
		CreatedAt: t.CreatedAt, UpdatedAt: t.CreatedAt,
	}
}

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
		if _, _, err := lockManualPayment(ctx, tx, p.OrderID, p.ID); err != nil {
			return Payment{}, err
		}
		if desk, err := soldAtDesk(ctx, tx, p.OrderID); err != nil || !desk {
			return Payment{}, fault.When(!desk, billing.ErrNotVoidable, err)
		}
		feeList, shared, err := feesOf(ctx, tx, p.ID)
		switch {
		case err != nil:
			return Payment{}, err
		case shared:
			return Payment{}, ErrSharedFee
		}
		if _, err := s.o.Billing.VoidManualTx(ctx, tx, sc, p.ID, in.Note); err != nil {
			return Payment{}, err
		}
		if err := fees.UnpaidTx(ctx, tx, feeList); err != nil {
			return Payment{}, err
		}
		p.State, p.Refundable, p.Net = Void, 0, nil
		return p, nil
	})
}
