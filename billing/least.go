package billing

import (
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/billing/processor"
)

// ErrBelowCardMinimum refuses an amount below the minimum of a card payment in its currency. details.least and
// details.amount are in minor units of details.currency.
var ErrBelowCardMinimum = fault.New(fault.Conflict, "below_card_minimum", "This amount is below the minimum for card payments.")

// Chargeable returns nil if a card can pay an amount. It returns ErrBelowCardMinimum if the amount is too small, and
// processor.ErrAmountRefused if it is too large or the currency cannot be charged in such an amount.
func Chargeable(amount int64, cur money.Currency) error {
	info, ok := money.Lookup(cur)
	if !ok || amount <= 0 {
		return processor.ErrAmountRefused
	}
	if amount < info.MinCharge {
		return ErrBelowCardMinimum.With("least", info.MinCharge).With("amount", amount).With("currency", string(cur))
	}
	if units, err := info.ToStripe(amount); err != nil || units > money.MaxStripeAmount {
		return processor.ErrAmountRefused
	}
	return nil
}
