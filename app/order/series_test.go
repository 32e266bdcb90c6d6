package order_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// soldFor is a cart at its price, split into parts as for a refund.
func soldFor(items []order.Item, terms order.Terms, q order.Quote) []tender.Part {
	lines := make([]order.SoldPart, len(items))
	for i, it := range items {
		lines[i] = order.SoldPart{
			LineID: uuid.New(), IncomeAccount: ledger.IncomeClass, ListedAmount: it.ListedAmount,
			DiscountAmount: q.Lines[i].DiscountAmount, TaxAmount: q.Lines[i].TaxAmount, TaxMode: terms.TaxMode,
			OrderTaxAmount: q.Totals.TaxAmount, ServiceFeeAmount: q.Totals.ServiceFeeAmount,
		}
		if it.Tax != nil {
			lines[i].TaxRateID, lines[i].TaxPpm = &it.Tax.RateID, it.Tax.PPM
		}
	}
	return order.PartsOf(lines)
}

// A sale is refunded in any steps: of no part more than was paid for it, of the platform's fee never more than was
// collected; after the last refund, every part is refunded and all of the fee.
func TestRefundSeries(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		if len(items) == 0 {
			return
		}
		q := order.Price(items, drawOffs(t, len(items)), terms)
		left, card := soldFor(items, terms, q), q.Totals.TotalAmount
		fee := billing.Fee(card, terms.FeePPM)
		var back, feeBack int64
		for back < card {
			n := rapid.Int64Range(1, card-back).Draw(t, "back")
			if rapid.IntRange(0, 3).Draw(t, "all") == 0 {
				n = card - back
			}
			parts := tender.Share(left, n)
			if tender.Sum(parts) != n {
				t.Fatalf("%d goes back in parts of %d", n, tender.Sum(parts))
			}
			left, back = tender.Without(left, parts), back+n
			if i := slices.IndexFunc(left, func(p tender.Part) bool { return p.Amount < 0 }); i >= 0 {
				t.Fatalf("more went back than was paid: %+v", left[i])
			}
			now := billing.FeeRefund(fee, card, back)
			if now < feeBack || now > fee {
				t.Fatalf("%d of a fee of %d went back, and before %d", now, fee, feeBack)
			}
			feeBack = now
		}
		if tender.Sum(left) != 0 || feeBack != fee && card > 0 {
			t.Fatalf("all went back, and %d are left, and %d of the fee", tender.Sum(left), fee-feeBack)
		}
	})
}

// The worked series of refunds: a class of 22.00 with 8.875 % of tax and a service fee of 0.49, paid with 24.44. The
// refund of each part, and of the platform's 0.49.
func TestRefundSeriesByHand(t *testing.T) {
	sales := rate("Sales tax", 88_750)
	items := []order.Item{{ListedAmount: 2200, Tax: sales}}
	terms := usd(business.TaxExclusive, billing.ModeCustomer)
	q := order.Price(items, nil, terms)
	if q.Totals.TotalAmount != 2444 || billing.Fee(2444, terms.FeePPM) != 49 {
		t.Fatalf("%+v", q.Totals)
	}
	type step struct{ back, class, tax, service, platform int64 }
	for name, steps := range map[string][]step{
		"all at once":         {{2444, 2200, 195, 49, 49}},
		"two halves":          {{1222, 1100, 98, 24, 25}, {1222, 1100, 97, 25, 24}},
		"three and the rest":  {{800, 720, 64, 16, 16}, {800, 720, 64, 16, 16}, {800, 720, 64, 16, 16}, {44, 40, 3, 1, 1}},
		"a cent and the rest": {{1, 1, 0, 0, 0}, {2443, 2199, 195, 49, 49}},
	} {
		left, back := soldFor(items, terms, q), int64(0)
		for i, want := range steps {
			got := step{back: want.back, platform: billing.FeeRefund(49, 2444, back+want.back) - billing.FeeRefund(49, 2444, back)}
			parts := tender.Share(left, want.back)
			for _, p := range parts {
				switch p.Account {
				case ledger.IncomeClass:
					got.class = p.Amount
				case ledger.IncomeBookingFee:
					got.service = p.Amount
				default:
					got.tax = p.Amount
				}
			}
			if got != want {
				t.Errorf("%s, %d: %+v, want %+v", name, i+1, got, want)
			}
			left, back = tender.Without(left, parts), back+want.back
		}
		if n := tender.Sum(left); n != 0 {
			t.Errorf("%s: %d are left", name, n)
		}
	}
}

// The worked carts of discounts before tenders: 22.00 and 9.00 and 15.00 with 8.875 % of tax on top come to 50.08;
// the card payment after 30.00 of stored value carries a fee of its own, and nothing paid by card carries none.
func TestFeeIsOnTheCardAlone(t *testing.T) {
	for name, c := range map[string]struct {
		mode                      billing.Mode
		base, fee, card, platform int64
	}{
		"customer, all by card":       {billing.ModeCustomer, 5008, 102, 5110, 102},
		"customer, 30.00 were stored": {billing.ModeCustomer, 2008, 41, 2049, 41},
		"split, 30.00 were stored":    {billing.ModeSplit, 2008, 20, 2028, 41},
		"customer, all was stored":    {billing.ModeCustomer, 0, 0, 0, 0},
	} {
		q := order.Price([]order.Item{{ListedAmount: c.base}}, nil, usd(business.TaxExclusive, c.mode))
		got := q.Totals
		if got.ServiceFeeAmount != c.fee || got.TotalAmount != c.card || billing.Fee(got.TotalAmount, billing.DefaultFeePPM) != c.platform {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if parts := money.Alloc(102, []int64{2200, 900, 1500}); !slices.Equal(parts, []int64{49, 20, 33}) {
		t.Errorf("the fee by line: %v", parts)
	}
}
