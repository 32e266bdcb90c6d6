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

// CountInput closes a drawer.
type CountInput struct {
	Of
	CountedAmount   int64
	RemainingAmount int64 // that stays in it for the next one; the remainder is taken to the bank
	Note            string
	// ExpectedAmount is the expected amount at the time of the count; nil: the one now.
	ExpectedAmount *int64
}

// Validate trims the input and checks it.
func (in *CountInput) Validate() error {
	var c fault.Checks
	checkAmount(&c, "countedAmount", in.CountedAmount, 0)
	checkAmount(&c, "remainingAmount", in.RemainingAmount, 0)
	c.That(in.RemainingAmount <= in.CountedAmount, "remainingAmount", "The amount kept in the drawer cannot be larger than the counted amount.")
	money.CheckNote(&c, "note", &in.Note, false)
	return c.Err()
}

// Count closes an open drawer with its counted amount. Over or short is booked as such, and the amount that does not
// stay in it as taken to the bank. It needs payment.take at the location. It returns a validation error, a not found
// error, ErrClosed and ErrDrawerChanged.
func (s *Service) Count(ctx context.Context, sc tenancy.Scope, in CountInput) (Drawer, error) {
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
		if expected := d.Expected(); in.ExpectedAmount != nil && *in.ExpectedAmount != expected {
			return Drawer{}, ErrDrawerChanged.With("expectedAmount", expected)
		}
		d.Count = &Count{
			At: tx.Now(), By: sc.Actor.Name, ExpectedAmount: d.Expected(), CountedAmount: in.CountedAmount, RemainingAmount: in.RemainingAmount, Note: in.Note,
		}
		d.Version, d.UpdatedAt = d.Version+1, tx.Now()
		b := tx.Batch()
		closeDrawerIn(b, tx, d)
		at := d.place(tx)
		if err := ledger.PostIn(b, tx, ledger.CashCounted(at, d.ID, d.Count.Difference()), ledger.CashBanked(at, d.ID, d.Count.Banked())); err != nil {
			return Drawer{}, err
		}
		return d, b.Send(ctx)
	})
}
