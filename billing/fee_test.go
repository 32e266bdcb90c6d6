package billing_test

import (
	"testing"

	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/app/money"
	"foyer/billing"
)

var (
	absorb   = billing.Terms{FeePPM: 20_000, Mode: billing.ModeAbsorb}
	split    = billing.Terms{FeePPM: 20_000, Mode: billing.ModeSplit, SplitPPM: billing.DefaultSplitPPM}
	customer = billing.Terms{FeePPM: 20_000, Mode: billing.ModeCustomer}
)

func at(t billing.Terms, ppm int64) billing.Terms { t.FeePPM = ppm; return t }

func taxed(t billing.Terms, ppm int64, included bool) billing.Terms {
	t.Tax, t.TaxIn = billing.TaxPPM(ppm), included
	return t
}

func TestA24_PlatformFeeIsTwoPercentOfTheCardRoundedHalfUp(t *testing.T) {
	for _, c := range []struct{ card, want int64 }{{2200, 44}, {2225, 45}, {2224, 44}, {24, 0}, {25, 1}, {1, 0}, {0, 0}, {99_999_999, 2_000_000}} {
		if got := billing.Fee(c.card, billing.DefaultFeePPM); got != c.want {
			t.Errorf("fee on %d = %d, want %d", c.card, got, c.want)
		}
	}
	if got := billing.Fee(10, 2*money.Million); got != 10 {
		t.Errorf("a fee above the charge: %d", got)
	}
}

func TestA25_AnotherRateIsUsed(t *testing.T) {
	for _, c := range []struct{ card, ppm, want int64 }{{2200, 0, 0}, {2200, 15_000, 33}, {5990, 15_000, 90}, {2200, 300_000, 660}} {
		if got := billing.Fee(c.card, c.ppm); got != c.want {
			t.Errorf("fee on %d at %d ppm = %d, want %d", c.card, c.ppm, got, c.want)
		}
	}
}

// The worked examples of the specification, to the minor unit.
func TestA26_A27_A28_WorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name                          string
		terms                         billing.Terms
		base                          int64
		fee, tax, card, plat, studios int64
	}{
		{"absorb 22.00", absorb, 2200, 0, 0, 2200, 44, 2156},
		{"split 22.00", split, 2200, 22, 0, 2222, 44, 2178},
		{"customer 22.00", customer, 2200, 45, 0, 2245, 45, 2200},
		{"customer 100.00", customer, 10000, 204, 0, 10204, 204, 10000},
		{"split 100.00", split, 10000, 101, 0, 10101, 202, 9899},
		{"customer 0.50", customer, 50, 1, 0, 51, 1, 50},
		{"customer 23.95, fee taxed on top", taxed(customer, 88_750, false), 2395, 49, 4, 2448, 49, 2399},
		{"split 23.95, fee taxed on top", taxed(split, 88_750, false), 2395, 24, 2, 2421, 48, 2373},
		{"customer 24.00, tax inside", taxed(customer, 200_000, true), 2400, 59, 10, 2459, 49, 2410},
		{"split 24.00, tax inside", taxed(split, 200_000, true), 2400, 29, 5, 2429, 49, 2380},
		{"customer 2200 yen", customer, 2200, 45, 0, 2245, 45, 2200},
		{"customer 59.00 at 1.5 %", at(customer, 15_000), 5900, 90, 0, 5990, 90, 5900},
		{"split 25.00 at 2.2 %", at(split, 22_000), 2500, 28, 0, 2528, 56, 2472},
		{"customer, cart of three", customer, 5008, 102, 0, 5110, 102, 5008},
		{"customer, gift card paid 30.00", customer, 2008, 41, 0, 2049, 41, 2008},
		{"split, gift card paid 30.00", split, 2008, 20, 0, 2028, 41, 1987},
		{"covered in full", customer, 0, 0, 0, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.terms.Charge(c.base)
			want := billing.Charge{Base: c.base, ServiceFee: c.fee, ServiceTax: c.tax, Card: c.card, PlatformFee: c.plat}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got.Studio() != c.studios {
				t.Errorf("the studio gets %d, want %d", got.Studio(), c.studios)
			}
		})
	}
}

func TestA29_CashAndExternalPaymentsCarryNoFee(t *testing.T) {
	for _, mode := range []billing.Terms{absorb, split, customer} {
		for _, tender := range []billing.Tender{billing.TenderCash, billing.TenderExternal} {
			if got := mode.ChargeBy(tender, 2200); got != (billing.Charge{Base: 2200}) {
				t.Errorf("%s by %s: %+v", mode.Mode, tender, got)
			}
		}
		if got := mode.ChargeBy(billing.TenderCard, 2200); got != mode.Charge(2200) {
			t.Errorf("%s by card: %+v", mode.Mode, got)
		}
	}
	unread := billing.Terms{FeePPM: -1}
	if got := unread.ChargeBy(billing.TenderCash, 100); got.PlatformFee != 0 {
		t.Errorf("the rate was read: %+v", got)
	}
}

func TestFeeRefundSeries(t *testing.T) {
	for _, c := range []struct {
		fee, card int64
		refunds   []int64
		want      []int64
	}{
		{49, 2444, []int64{1222, 1222}, []int64{25, 24}},
		{49, 2444, []int64{800, 800, 800, 44}, []int64{16, 16, 16, 1}},
		{49, 2444, []int64{2444}, []int64{49}},
		{0, 2444, []int64{2444}, []int64{0}},
	} {
		var before, after int64
		for i, r := range c.refunds {
			after += r
			if got := billing.FeeRefund(c.fee, c.card, after) - billing.FeeRefund(c.fee, c.card, before); got != c.want[i] {
				t.Errorf("refund %d of %v returns %d, want %d", i+1, c.refunds, got, c.want[i])
			}
			before = after
		}
	}
	if got := billing.FeeRefund(0, 0, 0); got != 0 {
		t.Errorf("nothing paid returns %d", got)
	}
}

// Any series of refunds refunds no more than the fee, and all of it with the last part.
func TestFeeRefundProperties(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		card := rapid.Int64Range(1, money.MaxStripeAmount).Draw(t, "card")
		fee := billing.Fee(card, rapid.Int64Range(0, billing.MaxFeePPM).Draw(t, "ppm"))
		var refunded, back int64
		for refunded < card {
			refunded += rapid.Int64Range(1, card-refunded).Draw(t, "refund")
			now := billing.FeeRefund(fee, card, refunded)
			if now < back || now > fee {
				t.Fatalf("after %d of %d: %d of %d returned, before it %d", refunded, card, now, fee, back)
			}
			back = now
			if rapid.Bool().Draw(t, "rest") {
				refunded = card
			}
		}
		if got := billing.FeeRefund(fee, card, card); got != fee {
			t.Fatalf("a full refund returns %d of %d", got, fee)
		}
	})
}

func TestBlendTax(t *testing.T) {
	half := taxed(customer, 100_000, false)
	blended := customer
	blended.Tax = billing.BlendTax([]int64{1000, 1000}, []int64{200_000, 0})
	for _, base := range []int64{50, 999, 2200, 5_000_000} {
		if a, b := half.Charge(base), blended.Charge(base); a != b {
			t.Errorf("10 %% and half at 20 %% differ on %d: %+v, %+v", base, a, b)
		}
	}
	untaxed := customer
	untaxed.Tax = billing.BlendTax(nil, nil)
	if got := untaxed.Charge(2200); got.ServiceTax != 0 {
		t.Errorf("no items, but tax: %+v", got)
	}
}

func TestInvalidTermsAreRefused(t *testing.T) {
	for name, terms := range map[string]billing.Terms{
		"no mode":        {FeePPM: 1},
		"negative fee":   {FeePPM: -1, Mode: billing.ModeAbsorb},
		"fee too high":   {FeePPM: billing.MaxFeePPM + 1, Mode: billing.ModeAbsorb},
		"split too high": {Mode: billing.ModeSplit, SplitPPM: money.Million + 1},
		"tax too high":   taxed(absorb, money.Million+1, false),
		"tax negative":   taxed(absorb, -1, false),
		"step negative":  {Mode: billing.ModeAbsorb, Step: -1},
	} {
		t.Run(name, func(t *testing.T) {
			if terms.Valid() == nil {
				t.Error("accepted")
			}
			defer func() {
				if recover() == nil {
					t.Error("charged")
				}
			}()
			terms.Charge(100)
		})
	}
}
