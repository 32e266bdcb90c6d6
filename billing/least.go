package billing

import (
	"foyer/app/fault"
	"foyer/app/money"
)

// ErrBelowCardMinimum reports an amount that is less than a card can pay in its currency. details.least and details.amount are in minor
// units of details.currency.
var ErrBelowCardMinimum = fault.New(fault.Conflict, "below_card_minimum", "A card cannot pay so little.")

// Chargeable returns nil if a card can pay an amount: else ErrBelowCardMinimum, or ErrAmountRefused for one that is too large, or that the
// currency cannot be charged in.
func Chargeable(amount int64, cur money.Currency) error {
	info, ok := money.Lookup(cur)
	if !ok || amount <= 0 {
		return ErrAmountRefused
	}
	if amount < info.MinCharge {
		return ErrBelowCardMinimum.With("least", info.MinCharge).With("amount", amount).With("currency", string(cur))
	}
	if units, err := info.ToStripe(amount); err != nil || units > money.MaxStripeAmount {
		return ErrAmountRefused
	}
	return nil
}
