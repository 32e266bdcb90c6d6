package billing_test

import (
	"testing"

	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/app/money"
	"foyer/billing"
)

// drawn is a random set of terms with the data of the reference.
type drawn struct {
	terms billing.Terms
	tax   int64 // ppm
	share int64 // ppm
}

func drawTerms(t *rapid.T) drawn {
	d := drawn{tax: rapid.Int64Range(0, 270_000).Draw(t, "tax ppm")}
	d.terms = billing.Terms{
		FeePPM:   rapid.Int64Range(0, billing.MaxFeePPM).Draw(t, "fee ppm"),
		Mode:     rapid.SampledFrom([]billing.Mode{billing.ModeAbsorb, billing.ModeSplit, billing.ModeCustomer}).Draw(t, "mode"),
		SplitPPM: rapid.Int64Range(0, money.Million).Draw(t, "split ppm"),
		Tax:      billing.TaxPPM(d.tax),
		TaxIn:    rapid.Bool().Draw(t, "tax included"),
	}
	switch d.terms.Mode {
	case billing.ModeSplit:
		d.share = d.terms.SplitPPM
	case billing.ModeCustomer:
		d.share = money.Million
	}
	return d
}

// net is the service fee without its tax.
func (d drawn) net(fee int64) int64 {
	if d.terms.TaxIn {
		return fee - money.RoundHalfUp(fee, d.tax, money.Million+d.tax)
	}
	return fee
}

// card is the amount on the card for a service fee.
func (d drawn) card(base, fee int64) int64 {
	if d.terms.TaxIn {
		return base + fee
	}
	return base + fee + money.RoundHalfUp(fee, d.tax, money.Million)
}

// target is the customer's share of the platform fee that a service fee causes.
func (d drawn) target(base, fee int64) int64 {
	return money.FloorDiv(billing.Fee(d.card(base, fee), d.terms.FeePPM), d.share, money.Million)
}

// The fixed point against a plain search from zero: the least service fee whose net covers its share.
func TestA27_A28_ServiceFeeIsTheLeastThatCovers(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := drawTerms(t)
		base := rapid.Int64Range(0, 20_000).Draw(t, "base")
		least := int64(0)
		for d.net(least) < d.target(base, least) {
			least++
		}
		if got := d.terms.Charge(base).ServiceFee; got != least {
			t.Fatalf("service fee %d, the least that covers is %d", got, least)
		}
		if d.net(least) != d.target(base, least) {
			t.Fatalf("the net of %d is %d, not exactly %d", least, d.net(least), d.target(base, least))
		}
	})
}

func TestA24_FeeIsBelowTheChargeAndZeroOnNothing(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := drawTerms(t)
		c := d.terms.Charge(rapid.Int64Range(0, money.MaxStripeAmount).Draw(t, "base"))
		if c.Card == 0 && c.PlatformFee != 0 {
			t.Fatalf("a fee on nothing: %+v", c)
		}
		if c.Card > 0 && (c.PlatformFee < 0 || c.PlatformFee >= c.Card) {
			t.Fatalf("the fee is not below the charge: %+v", c)
		}
		if c.PlatformFee != billing.Fee(c.Card, d.terms.FeePPM) {
			t.Fatalf("the fee is not on the card amount: %+v", c)
		}
		if c.Card != d.card(c.Base, c.ServiceFee) {
			t.Fatalf("the parts do not add up: %+v", c)
		}
	})
}

// In both tax conventions the studio nets exactly its price, before the processor's own fee.
func TestA28_CustomerModeNetsThePrice(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := drawTerms(t)
		d.terms.Mode, d.share = billing.ModeCustomer, money.Million
		c := d.terms.Charge(rapid.Int64Range(0, money.MaxStripeAmount).Draw(t, "base"))
		if d.net(c.ServiceFee) != c.PlatformFee {
			t.Fatalf("the customer pays %d of a fee of %d: %+v", d.net(c.ServiceFee), c.PlatformFee, c)
		}
		if c.Studio()-c.ServiceTax != c.Base {
			t.Fatalf("the studio nets %d, its price is %d: %+v", c.Studio()-c.ServiceTax, c.Base, c)
		}
	})
}

func TestA26_AbsorbAddsNothing(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := drawTerms(t)
		d.terms.Mode = billing.ModeAbsorb
		base := rapid.Int64Range(0, money.MaxStripeAmount).Draw(t, "base")
		c := d.terms.Charge(base)
		if c.Card != base || c.ServiceFee != 0 || c.ServiceTax != 0 || c.Studio() != base-c.PlatformFee {
			t.Fatalf("the customer pays more than the price: %+v", c)
		}
	})
}

func TestA27_SplitLiesBetweenTheOthers(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := drawTerms(t)
		base := rapid.Int64Range(0, money.MaxStripeAmount).Draw(t, "base")
		fee := func(m billing.Mode) int64 {
			terms := d.terms
			terms.Mode = m
			return terms.Charge(base).ServiceFee
		}
		if a, s, c := fee(billing.ModeAbsorb), fee(billing.ModeSplit), fee(billing.ModeCustomer); a > s || s > c {
			t.Fatalf("service fees absorb %d, split %d, customer %d", a, s, c)
		}
	})
}

func TestA24_A28_AHigherPriceNeverCostsLess(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := drawTerms(t)
		base := rapid.Int64Range(0, money.MaxStripeAmount-1).Draw(t, "base")
		low, high := d.terms.Charge(base), d.terms.Charge(base+1)
		if high.Card <= low.Card || high.ServiceFee < low.ServiceFee || high.PlatformFee < low.PlatformFee {
			t.Fatalf("one unit more: %+v became %+v", low, high)
		}
	})
}

// Steps are nothing but a larger minor unit, and an odd base is raised to the next step.
func TestA24_A28_StepsOfTheCardAmount(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := drawTerms(t)
		step := rapid.SampledFrom([]int64{1, 10, 100}).Draw(t, "step")
		odd := rapid.Int64Range(0, step-1).Draw(t, "odd")
		base := rapid.Int64Range(1, money.MaxStripeAmount).Draw(t, "base")
		plain := d.terms.Charge(base)
		d.terms.Step = step
		want := billing.Charge{
			Base: base*step - odd, Rounding: odd,
			ServiceFee: plain.ServiceFee * step, ServiceTax: plain.ServiceTax * step,
			Card: plain.Card * step, PlatformFee: plain.PlatformFee * step,
		}
		if got := d.terms.Charge(base*step - odd); got != want {
			t.Fatalf("in steps of %d: %+v, want %+v", step, got, want)
		}
	})
}
