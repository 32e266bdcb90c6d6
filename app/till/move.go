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

// TransactionInput puts cash into an open drawer or takes it out.
type TransactionInput struct {
	Of
	Kind   TransactionKind
	Amount int64
	Note   string // what for
}

// Validate trims the input and checks it.
func (in *TransactionInput) Validate() error {
	var c fault.Checks
	c.That(in.Kind == PayIn || in.Kind == PayOut, "kind", "Use pay_in or pay_out.")
	checkAmount(&c, "amount", in.Amount, 1)
	money.CheckNote(&c, "note", &in.Note, true)
	return c.Err()
}

// RecordCash puts cash into an open drawer, or takes it out, that no customer paid or gets: change from the bank, a bill that was paid. It
// needs payment.take at the location, and a note. Errors: Validation; not found; ErrClosed; ErrNotEnough.
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
