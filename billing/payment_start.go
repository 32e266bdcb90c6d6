package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
)

// StartInput is what a payment is for.
type StartInput struct {
	LocationID uuid.UUID
	OrderID    uuid.UUID
	Amount     int64 // on the card, from Terms.Charge
	Currency   money.Currency
	FeeAmount  int64 // the platform fee of that amount
	FeePPM     int64
}

// StartTx returns the order's payment: the one that is open or has succeeded, or else a new one on the business's
// account, in status new. It talks to nobody; Attach does, after the transaction. The caller holds the lock of what the
// order belongs to. ErrCardUnavailable when the account takes no cards, or not in this currency.
func (s *Service) StartTx(ctx context.Context, tx *pg.Tx, in StartInput) (Payment, error) {
	if s.processor == nil {
		return Payment{}, ErrCardUnavailable
	}
	p, found, err := startPayment(ctx, tx, s.Env(), in, tx.Now().Add(recheckFirst))
	if err == nil && !found {
		err = ErrCardUnavailable
	}
	return p, err
}
