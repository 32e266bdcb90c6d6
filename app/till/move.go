package till

import (
	"context"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/policy"
)

// TransactionInput describes a pay in or pay out of an open drawer.
type TransactionInput struct {
	Of
	Kind   TransactionKind
	Amount int64
	Note   string // purpose
}

// Validate trims the input and checks it.
func (in *TransactionInput) Validate() error {
	var c fault.Checks
	c.That(in.Kind == PayIn || in.Kind == PayOut, "kind", "Use pay_in or pay_out.")
	checkAmount(&c, "amount", in.Amount, 1)
	money.CheckNote(&c, "note", &in.Note, true)
	return c.Err()
}

// RecordCash records cash paid into an open drawer, or out of it, other than a customer's payment or refund: change
// from the bank, a paid bill. It needs payment.take at the location, and a note. It returns a validation error, a not
// found error, ErrClosed and ErrNotEnough.
func (s *Service) RecordCash(ctx context.Context, sc tenancy.Scope, in TransactionInput) (Drawer, error) {
	if err := policy.RequireAt(sc, policy.PaymentTake, in.LocationID); err != nil {
		return Drawer{}, err
	}
	if err := in.Validate(); err != nil {
		return Drawer{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Drawer, error) {
		d, err := lockFor(ctx, tx, in.Of)
		if err != nil {
			return Drawer{}, err
		}
		id, amount := pg.NewID(), in.Amount
		if in.Kind == PayIn {
			d.InAmount += amount
		} else {
			if expected := d.Expected(); amount > expected {
				return Drawer{}, ErrNotEnough.With("expectedAmount", expected)
			}
			d.OutAmount, amount = d.OutAmount+amount, -amount
		}
		b := tx.Batch()
		insertMoveIn(b, tx, sc, id, in)
		if err := ledger.PostIn(b, tx, ledger.CashTransfer(d.place(tx), id, amount)); err != nil {
			return Drawer{}, err
		}
		return d, b.Send(ctx)
	})
}
