package order_test

import (
	"math/rand/v2"
	"testing"

	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/order"
	"foyer/billing"
	"foyer/billing/tender"
)

// The worked examples: the amount paid now, and the fee on it alone. A24, A28.
func TestDepositInThePrice(t *testing.T) {
	sales := rate("Sales tax", 88_750)
	percent := func(p int) catalog.DepositRules { return catalog.DepositRules{Percent: p} }
	inFull := usd(business.TaxExclusive, billing.ModeCustomer)
	inFull.InFull = true
	credited := usd(business.TaxExclusive, billing.ModeCustomer)
	credited.Prepaid = []tender.Prepaid{{Kind: tender.AccountCredit, Amount: 500}}
	for name, c := range map[string]struct {
		terms                           order.Terms
		items                           []order.Item
		total, later, fee, credit, rest int64
	}{
		"30 % of 23.95, the customer bears the fee": {usd(business.TaxExclusive, billing.ModeCustomer),
			[]order.Item{{ListedAmount: 2200, Tax: sales, Deposit: percent(30)}}, 2410, 1676, 15, 0, 734},
		"absorbed": {usd(business.TaxExclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 2200, Tax: sales, Deposit: percent(30)}}, 2395, 1676, 0, 0, 719},
		"all of it by choice": {inFull, []order.Item{{ListedAmount: 2200, Tax: sales, Deposit: percent(30)}}, 2444, 0, 49, 0, 2444},
		"beside a line without one": {usd(business.TaxExclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 1000}, {ListedAmount: 2000, Deposit: percent(50)}}, 3000, 1000, 0, 0, 2000},
		"5.00 a head, of a party of three": {usd(business.TaxExclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 6000, Deposit: catalog.DepositRules{Amount: 500}, People: 3}}, 6000, 4500, 0, 0, 1500},
		"no more than the price": {usd(business.TaxExclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 1200, Deposit: catalog.DepositRules{Amount: 500}, People: 3}}, 1200, 0, 0, 0, 1200},
		"no less than a card takes": {usd(business.TaxExclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 100, Deposit: percent(10)}, {ListedAmount: 100, Deposit: percent(10)}}, 200, 150, 0, 0, 50},
		"after what was taken off": {usd(business.TaxExclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 2200, DiscountedAmount: 200, Deposit: percent(50)}}, 2000, 1000, 0, 0, 1000},
		"credit pays of the deposit first": {credited,
			[]order.Item{{ListedAmount: 2200, Tax: sales, Deposit: percent(50)}}, 2409, 1197, 14, 500, 712},
	} {
		got := order.Price(c.items, nil, c.terms).Totals
		if got.TotalAmount != c.total || got.DueLaterAmount != c.later || got.ServiceFeeAmount != c.fee ||
			got.CreditAmount() != c.credit || got.DueNow() != c.rest {
			t.Errorf("%s: %+v, %d now", name, got, got.DueNow())
		}
	}
}

// For any deposit rules: lines and totals agree, a deposit is no more than its line, and the fee is that of the card
// payment now.
func TestDepositsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	modes := []billing.Mode{billing.ModeAbsorb, billing.ModeSplit, billing.ModeCustomer}
	for range 30_000 {
		terms := order.Terms{Currency: "USD", TaxMode: business.TaxExclusive, FeeMode: modes[r.IntN(3)], FeePPM: r.Int64N(300_001), SplitPPM: 500_000}
		if r.IntN(2) == 0 {
			terms.TaxMode = business.TaxInclusive
		}
		if r.IntN(3) == 0 {
			terms.Prepaid = []tender.Prepaid{{Kind: tender.AccountCredit, Amount: r.Int64N(9000)}}
		}
		items := make([]order.Item, 1+r.IntN(4))
		for i := range items {
			items[i] = order.Item{ListedAmount: r.Int64N(9000), People: r.IntN(4)}
			if r.IntN(2) == 0 {
				items[i].Tax = rate("VAT", 200_000)
			}
			switch r.IntN(3) {
			case 0:
				items[i].Deposit.Percent = 1 + r.IntN(99)
			case 1:
				items[i].Deposit.Amount = 1 + r.Int64N(4000)
			}
		}
		q := order.Price(items, nil, terms)
		whole := terms
		whole.InFull = true
		full := order.Price(items, nil, whole).Totals
		var lines, later int64
		for i, l := range q.Lines {
			if l.LaterAmount < 0 || l.LaterAmount > l.TotalAmount || !items[i].Deposit.Required() && l.LaterAmount > 0 {
				t.Fatalf("line %+v of %+v", l, items[i])
			}
			lines, later = lines+l.TotalAmount, later+l.LaterAmount
		}
		got := q.Totals
		switch {
		case later != got.DueLaterAmount || got.TotalAmount != lines+got.ServiceFeeAmount:
			t.Fatalf("%+v of lines of %d, %d later", got, lines, later)
		case got.CreditAmount() > lines-later || got.DueNow() < 0 ||
			got.ServiceFeeAmount > full.ServiceFeeAmount && tender.SumOf(terms.Prepaid, "") == 0:
			t.Fatalf("%+v, and in full %+v", got, full)
		case full.DueLaterAmount != 0 || full.TotalAmount-full.ServiceFeeAmount != lines:
			t.Fatalf("in full %+v of lines of %d", full, lines)
		case lines >= 50 && lines-later < 50:
			t.Fatalf("%d now, which no card takes", lines-later)
		}
	}
}
