package billing

import (
	"fmt"

	"foyer/app/money"
)

// Rates and limits of the platform fee, in parts per million.
const (
	DefaultFeePPM   = 20_000  // 2 % (A24)
	MaxFeePPM       = 300_000 // above this the fee could reach the amount it is taken from
	DefaultSplitPPM = 500_000 // half (A27)
)

// Mode says who bears the platform fee of a card payment.
type Mode string

// The modes of the contract.
const (
	ModeAbsorb   Mode = "absorb"   // the studio: the customer pays the price (A26)
	ModeSplit    Mode = "split"    // both: a share of the fee is added to the customer's total (A27)
	ModeCustomer Mode = "customer" // the customer: the studio nets its price (A28)
)

// Fee is the platform fee on an amount put on a card: one rounding, half up, never above the amount (A24, A25).
func Fee(cardAmount, feePPM int64) int64 {
	return min(money.RoundHalfUp(cardAmount, feePPM, money.Million), cardAmount)
}

// FeeBack is how much of the platform fee has been returned once `refunded` of the card amount has gone back. It is
// cumulative: a refund returns FeeBack(after) - FeeBack(before), so any series that returns the whole amount returns the
// whole fee and never more. It predicts what the processor does; what is booked is what the processor reports.
func FeeBack(fee, cardAmount, refunded int64) int64 {
	if cardAmount == 0 {
		return 0
	}
	return money.RoundHalfUp(fee, refunded, cardAmount)
}

// TaxRate is the tax on the service fee as an exact fraction. The zero value is no tax.
type TaxRate struct{ num, den int64 }

// TaxPPM is one rate in parts per million: 88750 is 8.875 %.
func TaxPPM(ppm int64) TaxRate { return TaxRate{ppm, money.Million} }

// BlendTax is the rate of a service fee that follows the taxes of the items it was charged for: the average of their rates
// weighted by their amounts, exact, so that the fee's tax is rounded only once.
func BlendTax(amounts, ppms []int64) TaxRate {
	var num, den int64
	for i, a := range amounts {
		num += a * ppms[i]
		den += a * money.Million
	}
	if den == 0 {
		return TaxRate{}
	}
	return TaxRate{num, den}
}

// on is the tax on a net amount.
func (r TaxRate) on(net int64) int64 {
	if r.num == 0 {
		return 0
	}
	return money.RoundHalfUp(net, r.num, r.den)
}

// in is the tax inside a gross amount.
func (r TaxRate) in(gross int64) int64 {
	if r.num == 0 {
		return 0
	}
	return money.RoundHalfUp(gross, r.num, r.den+r.num)
}

// gross is a first guess at the gross amount whose net is the given one: right or one unit off.
func (r TaxRate) gross(net int64) int64 {
	if r.num == 0 {
		return net
	}
	return money.RoundHalfUp(net, r.den+r.num, r.den)
}

// Terms are a business's fee settings, as they stand when a payment is quoted.
type Terms struct {
	FeePPM   int64   // the platform fee, 0 to MaxFeePPM
	Mode     Mode    // who bears it
	SplitPPM int64   // the customer's share of it in ModeSplit, 0 to 1000000
	Tax      TaxRate // tax on the service fee
	TaxIn    bool    // the location's prices, and so the service fee, include tax
	Step     int64   // a card amount is a multiple of this: money.Info.ChargeMultiple; 0 means 1
}

// Valid tells what is wrong with the terms, nil when nothing is.
func (t Terms) Valid() error {
	switch {
	case t.FeePPM < 0 || t.FeePPM > MaxFeePPM:
		return fmt.Errorf("billing: platform fee of %d ppm is outside 0 to %d", t.FeePPM, MaxFeePPM)
	case t.Mode != ModeAbsorb && t.Mode != ModeSplit && t.Mode != ModeCustomer:
		return fmt.Errorf("billing: fee mode %q is unknown", t.Mode)
	case t.SplitPPM < 0 || t.SplitPPM > money.Million:
		return fmt.Errorf("billing: split of %d ppm is outside 0 to %d", t.SplitPPM, money.Million)
	case t.Tax.num < 0 || t.Tax.num > t.Tax.den:
		return fmt.Errorf("billing: tax of %d/%d on the service fee is outside 0 to 1", t.Tax.num, t.Tax.den)
	case t.Step < 0:
		return fmt.Errorf("billing: step of %d is negative", t.Step)
	}
	return nil
}

// share is the part of the platform fee that the customer bears, in parts per million.
func (t Terms) share() int64 {
	switch t.Mode {
	case ModeCustomer:
		return money.Million
	case ModeSplit:
		return t.SplitPPM
	}
	return 0
}
