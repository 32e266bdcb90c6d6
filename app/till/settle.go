package till

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/policy"
)

// Settlement is the arrival on the studio's bank account of money paid by another method.
type Settlement struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	Currency   money.Currency
	Amount     int64 // the amount that arrived
	FeeAmount  int64 // deducted before that
	Note       string
	ActorName  string
	CreatedAt  time.Time
}

// SettlementInput describes a settlement.
type SettlementInput struct {
	LocationID uuid.UUID
	Amount     int64
	FeeAmount  int64
	Note       string
}

// Validate trims the input and checks it.
func (in *SettlementInput) Validate() error {
	var c fault.Checks
	checkAmount(&c, "amount", in.Amount, 0)
	checkAmount(&c, "feeAmount", in.FeeAmount, 0)
	c.That(in.Amount+in.FeeAmount > 0, "amount", "Enter the amount that arrived.")
	money.CheckNote(&c, "note", &in.Note, false)
	return c.Err()
}

// RecordSettlement records that money paid by another method has arrived at the bank, and the fee deducted from it.
// It needs payment.take at the location. It returns a validation error, a not found error and ErrNotOutstanding.
func (s *Service) RecordSettlement(ctx context.Context, sc tenancy.Scope, in SettlementInput) (Settlement, error) {
	if err := policy.RequireAt(sc, policy.PaymentTake, in.LocationID); err != nil {
		return Settlement{}, err
	}
	if err := in.Validate(); err != nil {
		return Settlement{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Settlement, error) {
		was, err := lockTill(ctx, tx, in.LocationID)
		if err != nil {
			return Settlement{}, err
		}
		if in.Amount+in.FeeAmount > was.OutstandingAmount {
			return Settlement{}, ErrNotOutstanding.With("outstandingAmount", was.OutstandingAmount)
		}
		out := Settlement{
			ID: pg.NewID(), LocationID: in.LocationID, Currency: was.Currency, Amount: in.Amount, FeeAmount: in.FeeAmount, Note: in.Note,
			ActorName: sc.Actor.Name, CreatedAt: tx.Now(),
		}
		b := tx.Batch()
		insertSettlementIn(b, tx, sc, out)
		place := ledger.Context{LocationID: in.LocationID, Currency: was.Currency, At: tx.Now()}
		if err := ledger.PostIn(b, tx, ledger.SettlementEntry(place, out.ID, out.Amount, out.FeeAmount)); err != nil {
			return Settlement{}, err
		}
		return out, b.Send(ctx)
	})
}

// Outstanding returns the amount paid by another method at a location that has not arrived at the bank, in minor
// units of its currency. It needs payment.take there. It returns a not found error.
func (s *Service) Outstanding(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (money.Currency, int64, error) {
	if err := policy.RequireAt(sc, policy.PaymentTake, location); err != nil {
		return "", 0, err
	}
	was, err := readTill(ctx, s.db.View(sc.Tenant), location)
	return was.Currency, was.OutstandingAmount, err
}
