package billing

import "foyer/app/money"

// Charge is what one card payment comes to. All amounts are minor units of one currency.
type Charge struct {
	Base        int64 // what the card has to pay for the order, tax included, before the service fee
	Rounding    int64 // added to Base to reach Terms.Step; 0 in every currency with a step of 1
	ServiceFee  int64 // the customer's own line, in the location's price convention (A28)
	ServiceTax  int64 // tax on the service fee: on top of it, or inside it where prices include tax
	Card        int64 // the amount put on the card
	PlatformFee int64 // taken out of Card as the processor's application fee
}

// Studio is what reaches the studio's account, before the processor's own fee (A30) and with the service fee's tax.
func (c Charge) Studio() int64 { return c.Card - c.PlatformFee }

// Charge quotes the card payment for base, which is what is left to pay by card after every other tender. It serves A24 to
// A28. The platform fee is a share of the amount on the card, and the service fee is part of that amount, so the service
// fee is a fixed point: the least one whose net covers the customer's share of the fee that it causes itself. (Taking the
// share of the price instead loses the studio a cent: 22.00 + 0.44 costs 0.45.) With ModeCustomer the studio nets
// exactly base. Invalid terms panic; they are checked where they are set.
//
// Where card amounts come in steps larger than a minor unit (three-decimal currencies), all figures are whole steps and an
// odd base is raised to the next one.
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

// settle finds the fixed point from below, counting in steps. The fee of one step more is at most one step more, so each
// round comes closer and the first that covers its share is the least.
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

// Tender is a means of payment.
type Tender string

// The means of payment a fee question is asked about. Packs, memberships, gift cards and credit take no fee when they are
// used: it was taken when they were bought by card.
const (
	TenderCard     Tender = "card"     // through the processor
	TenderCash     Tender = "cash"     // at the desk
	TenderExternal Tender = "external" // recorded elsewhere
)

// ChargeBy is Charge for any tender: what is not paid by card carries no platform fee and no service fee, and the rate is
// not even read (A29).
func (t Terms) ChargeBy(tender Tender, base int64) Charge {
	if tender != TenderCard {
		return Charge{Base: base}
	}
	return t.Charge(base)
}
