package catalog

import (
	"context"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
)

// chargeableRules refuses amounts that are charged to cards and are below the minimum of a card payment in the
// business's currencies: deposits, and fees that are charged to saved cards. An existing amount stays valid until it
// is changed.
func chargeableRules(ctx context.Context, tx *pg.Tx, was, is Rules) error {
	type amount struct {
		field    string
		was, now int64
	}
	amounts := []amount{{"rules.deposit.amount", was.Deposit.Amount, is.Deposit.Amount}}
	if is.CollectFees {
		amounts = append(amounts, amount{"rules.cancel.lateFeeAmount", was.Cancel.LateFeeAmount, is.Cancel.LateFeeAmount},
			amount{"rules.noShow.feeAmount", was.NoShow.FeeAmount, is.NoShow.FeeAmount})
	}
	least, err := leastCharge(ctx, tx)
	if err != nil {
		return err
	}
	var checks fault.Checks
	for _, a := range amounts {
		checks.That(a.now <= 0 || a.now >= least.MinCharge || a.now == a.was, a.field,
			"The minimum for a card is "+money.Format(least.MinCharge, least.Code, "en")+".")
	}
	return checks.Err()
}

// leastCharge returns the currency of the business with the smallest minimum in minor units: rules have amounts
// without a currency.
func leastCharge(ctx context.Context, tx *pg.Tx) (least money.Info, err error) {
	codes, err := currenciesOf(ctx, tx)
	for i, code := range codes {
		info, known := money.Lookup(code)
		if !known {
			return money.Info{}, err
		}
		if i == 0 || info.MinCharge < least.MinCharge {
			least = info
		}
	}
	return least, err
}
