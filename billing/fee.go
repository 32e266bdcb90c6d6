package billing

import (
	"fmt"

	"foyer/app/money"
)

// Rates and limits of the platform fee, in parts per million.
const (
	DefaultFeePPM   = 20_000  // 2 % (A24)
	MaxFeePPM       = 300_000 // above this the fee could reach the amount it is a share of
	DefaultSplitPPM = 500_000 // half (A27)
)

// Mode is the bearer of the platform fee of a card payment.
type Mode string

// The modes of the contract.
const (
	ModeAbsorb   Mode = "absorb"   // the studio: the customer pays the price (A26)
	ModeSplit    Mode = "split"    // both: a share of the fee is added to the customer's total (A27)
	ModeCustomer Mode = "customer" // the customer: the studio nets its price (A28)
)

// Fee returns the platform fee on an amount put on a card: one rounding, half up, never above the amount (A24, A25).
func Fee(cardAmount, feePPM int64) int64 {
	return min(money.RoundHalfUp(cardAmount, feePPM, money.Million), cardAmount)
}

// FeeRefund returns the part of the platform fee that is refunded once `refunded` of the card amount is refunded. It
// is cumulative: a refund returns FeeRefund(after) - FeeRefund(before), so any series of refunds of the whole amount
// returns the whole fee and never more. It predicts the processor's figure; the reported figure is the one that is
// booked.
func FeeRefund(fee, cardAmount, refunded int64) int64 {
	if cardAmount == 0 {
		return 0
	}
	return money.RoundHalfUp(fee, refunded, cardAmount)
}

// feeRefund is FeeRefund of the payment's fee, in steps of its currency, as the processor refunds it.
func (p Payment) feeRefund(refunded int64) int64 {
	step := p.Currency.Step()
	return FeeRefund(p.FeeAmount/step, p.Amount, refunded) * step
}

// TaxRate is the tax on the service fee as an exact fraction. The zero value is no tax.
type TaxRate struct{ num, den int64 }

// TaxPPM returns a rate in parts per million: 88750 is 8.875 %.
func TaxPPM(ppm int64) TaxRate { return TaxRate{ppm, money.Million} }

// BlendTax returns the rate of a service fee that follows the taxes of its items: the average of their rates weighted
// by their amounts, exact, so that the fee's tax is rounded only once.
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

// Terms are a business's fee settings at the time of a quote.
type Terms struct {
	FeePPM   int64   // the platform fee, 0 to MaxFeePPM
	Mode     Mode    // its bearer
	SplitPPM int64   // the customer's share of it in ModeSplit, 0 to 1000000
	Tax      TaxRate // tax on the service fee
	TaxIn    bool    // the location's prices, and so the service fee, include tax
	Step     int64   // a card amount is a multiple of this: money.Info.ChargeMultiple; 0 means 1
}

// Valid returns an error for invalid terms.
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

// Charge is the price of one card payment. All amounts are minor units of one currency.
type Charge struct {
	Base        int64 // the order's amount by card, tax included, before the service fee
	Rounding    int64 // added to Base to reach Terms.Step; 0 in every currency with a step of 1
	ServiceFee  int64 // the customer's own line, in the location's price convention (A28)
	ServiceTax  int64 // tax on the service fee: on top of it, or inside it where prices include tax
	Card        int64 // the amount put on the card
	PlatformFee int64 // collected from Card as the processor's application fee
}

// Studio returns the amount that reaches the studio's account, before the processor's own fee (A30) and with the
// service fee's tax.
func (c Charge) Studio() int64 { return c.Card - c.PlatformFee }

// Charge quotes the card payment for base, the amount to pay by card after all other tenders. It serves A24 to A28.
// The platform fee is a share of the amount on the card, and the service fee is part of that amount, so the service
// fee is a fixed point: the least one whose net covers the customer's share of the fee that it causes itself. (A
// share of the price instead would lose the studio a cent: 22.00 + 0.44 costs 0.45.) With ModeCustomer the studio
// nets exactly base. Charge panics on invalid terms; they are checked where they are set.
//
// Where card amounts come in steps larger than a minor unit (three-decimal currencies), all figures are whole steps
// and an odd base is raised to the next one.
func (t Terms) Charge(base int64) Charge {
	if err := t.Valid(); err != nil {
		panic(err)
	}
	step := max(t.Step, 1)
	steps := (base + step - 1) / step
	c := t.settle(steps)
	return Charge{
		Base: base, Rounding: steps*step - base,
		ServiceFee: c.ServiceFee * step, ServiceTax: c.ServiceTax * step, Card: c.Card * step, PlatformFee: c.PlatformFee * step,
	}
}

// settle finds the fixed point from below, counting in steps. The fee of one step more is at most one step more, so
// each round comes closer and the first that covers its share is the least.
func (t Terms) settle(base int64) Charge {
	fee := int64(0)
	for {
		c := t.with(base, fee)
		next := t.covering(money.FloorDiv(c.PlatformFee, t.share(), money.Million))
		if next <= fee {
			return c
		}
		fee = next
	}
}

// with is the charge that results from a given service fee.
func (t Terms) with(base, serviceFee int64) Charge {
	c := Charge{Base: base, ServiceFee: serviceFee, Card: base + serviceFee}
	if t.TaxIn {
		c.ServiceTax = t.Tax.in(serviceFee)
	} else {
		c.ServiceTax = t.Tax.on(serviceFee)
		c.Card += c.ServiceTax
	}
	c.PlatformFee = Fee(c.Card, t.FeePPM)
	return c
}

// covering is the least service fee whose net, after its own tax, is at least want.
func (t Terms) covering(want int64) int64 {
	if !t.TaxIn {
		return want
	}
	net := func(fee int64) int64 { return fee - t.Tax.in(fee) }
	fee := t.Tax.gross(want)
	for net(fee) < want {
		fee++
	}
	for fee > 0 && net(fee-1) >= want {
		fee--
	}
	return fee
}

// Tender is a payment method of a sale.
type Tender string

// The tenders of a fee quote. Packs, memberships, gift cards and credit carry no fee when they are used: it was
// charged when they were bought by card.
const (
	TenderCard     Tender = "card"     // through the processor
	TenderCash     Tender = "cash"     // at the desk
	TenderExternal Tender = "external" // recorded by the studio: its own terminal, a transfer
)

// ChargeBy is Charge for any tender. An amount not paid by card carries no platform fee and no service fee, and the
// rate is not even read (A29).
func (t Terms) ChargeBy(tender Tender, base int64) Charge {
	if tender != TenderCard {
		return Charge{Base: base}
	}
	return t.Charge(base)
}
