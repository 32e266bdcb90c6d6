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
)

func offNamed(name string, change func(*order.Off), lines ...bool) order.Off {
	o := order.Off{ID: uuid.NewSHA1(uuid.Nil, []byte(name)), Name: name, Combines: true, Lines: lines}
	change(&o)
	return o
}

func percent(ppm int64, lines ...bool) order.Off {
	return offNamed("percent", func(o *order.Off) { o.PPM = ppm }, lines...)
}

func fixed(amount int64, lines ...bool) order.Off {
	return offNamed("fixed", func(o *order.Off) { o.Amount = amount }, lines...)
}

func alone(o order.Off) order.Off {
	o.Name, o.Combines = o.Name+" alone", false
	return o
}

// The worked examples of discounts, to the minor unit: the discount of each line, its tax, and the customer's price.
func TestPriceWithDiscounts(t *testing.T) {
	vat, low := rate("VAT", 200_000), rate("VAT reduced", 70_000)
	one := []order.Item{{ListedAmount: 2200}}
	three := []order.Item{{ListedAmount: 2200}, {ListedAmount: 900}, {ListedAmount: 1500}}
	thirds := []order.Item{{ListedAmount: 1000}, {ListedAmount: 1000}, {ListedAmount: 1000}}
	exclusive, inclusive := usd(business.TaxExclusive, billing.ModeAbsorb), usd(business.TaxInclusive, billing.ModeAbsorb)
	for name, c := range map[string]struct {
		terms order.Terms
		items []order.Item
		offs  []order.Off
		off   []int64 // of each line
		tax   int64
		fee   int64
		total int64
		names []string // of the discount
	}{
		"20 % off a class of 22.00":      {exclusive, one, []order.Off{percent(200_000, true)}, []int64{440}, 0, 0, 1760, []string{"percent"}},
		"half a cent is rounded up once": {exclusive, []order.Item{{ListedAmount: 999}}, []order.Off{percent(500_000, true)}, []int64{500}, 0, 0, 499, []string{"percent"}},
		"spread over lines by their price": {exclusive, three, []order.Off{percent(100_000, true, true, true)},
			[]int64{220, 90, 150}, 0, 0, 4140, []string{"percent"}},
		"what cannot be spread evenly goes to the first": {exclusive, thirds, []order.Off{fixed(1000, true, true, true)},
			[]int64{334, 333, 333}, 0, 0, 2000, []string{"fixed"}},
		"one line only": {exclusive, three, []order.Off{percent(500_000, false, true, false)}, []int64{0, 450, 0}, 0, 0, 4150, []string{"percent"}},
		"an amount is never more than the lines cost": {exclusive, three, []order.Off{fixed(5000, false, true, false)},
			[]int64{0, 900, 0}, 0, 0, 3700, []string{"fixed"}},
		"everything": {usd(business.TaxExclusive, billing.ModeCustomer), []order.Item{{ListedAmount: 2200, Tax: vat}},
			[]order.Off{percent(1_000_000, true)}, []int64{2200}, 0, 0, 0, []string{"percent"}},
		"tax on top is asked of what is left": {exclusive, []order.Item{{ListedAmount: 2200, Tax: vat}}, []order.Off{percent(200_000, true)},
			[]int64{440}, 352, 0, 2112, []string{"percent"}},
		"tax inside is inside what is left": {inclusive, []order.Item{{ListedAmount: 2400, Tax: vat}}, []order.Off{fixed(600, true)},
			[]int64{600}, 300, 0, 1800, []string{"fixed"}},
		"two rates": {exclusive, []order.Item{{ListedAmount: 1000, Tax: vat}, {ListedAmount: 1000, Tax: low}},
			[]order.Off{fixed(500, true, true)}, []int64{250, 250}, 203, 0, 1703, []string{"fixed"}},
		"the service fee is asked of what is left": {usd(business.TaxExclusive, billing.ModeCustomer), one, []order.Off{percent(200_000, true)},
			[]int64{440}, 0, 36, 1796, []string{"percent"}},
		"one after the other": {exclusive, one, []order.Off{percent(200_000, true), fixed(500, true)}, []int64{940}, 0, 0, 1260,
			[]string{"percent", "fixed"}},
		"the other way round": {exclusive, one, []order.Off{fixed(500, true), percent(200_000, true)}, []int64{840}, 0, 0, 1360,
			[]string{"fixed", "percent"}},
		"what does not combine stands alone where it is more": {exclusive, one, []order.Off{percent(200_000, true), alone(fixed(500, true))},
			[]int64{500}, 0, 0, 1700, []string{"fixed alone"}},
		"and does not where it is less": {exclusive, one, []order.Off{alone(fixed(300, true)), percent(200_000, true)},
			[]int64{440}, 0, 0, 1760, []string{"percent"}},
		"of the same, the earlier": {exclusive, one, []order.Off{alone(percent(200_000, true)), alone(fixed(440, true))},
			[]int64{440}, 0, 0, 1760, []string{"percent alone"}},
		"nothing left for a second": {exclusive, one, []order.Off{percent(1_000_000, true), fixed(500, true)}, []int64{2200}, 0, 0, 0,
			[]string{"percent"}},
		"less than half a unit": {exclusive, []order.Item{{ListedAmount: 4}}, []order.Off{percent(100_000, true)}, []int64{0}, 0, 0, 4, nil},
		"sold with it":          {exclusive, []order.Item{{ListedAmount: 2200, DiscountedAmount: 440, Tax: vat}}, nil, []int64{440}, 352, 0, 2112, nil},
	} {
		q := order.Price(c.items, c.offs, c.terms)
		if q.Totals.TaxAmount != c.tax || q.Totals.ServiceFeeAmount != c.fee || q.Totals.TotalAmount != c.total {
			t.Errorf("%s: %+v", name, q.Totals)
		}
		var names []string
		for _, d := range q.Totals.Discounts {
			names = append(names, d.Name)
		}
		if !slices.Equal(names, c.names) {
			t.Errorf("%s: took off %v, want %v", name, names, c.names)
		}
		for i, want := range c.off {
			if q.Lines[i].DiscountAmount != want {
				t.Errorf("%s: %d off line %d, want %d", name, q.Lines[i].DiscountAmount, i, want)
			}
		}
	}
}

func drawOffs(t *rapid.T, items int) []order.Off {
	offs := make([]order.Off, rapid.IntRange(0, 5).Draw(t, "discounts"))
	for i := range offs {
		o := order.Off{ID: uuid.New(), Name: "x", Combines: rapid.Bool().Draw(t, "combines"), Lines: make([]bool, items)}
		for j := range o.Lines {
			o.Lines[j] = rapid.Bool().Draw(t, "eligible")
		}
		if rapid.Bool().Draw(t, "percent") {
			o.PPM = rapid.OneOf(rapid.Just[int64](money.Million), rapid.Int64Range(1, money.Million)).Draw(t, "ppm")
		} else {
			o.Amount = rapid.Int64Range(1, 3_000_000).Draw(t, "amount")
		}
		offs[i] = o
	}
	return offs
}

// Invariants of a price with discounts: nothing is below zero, lines and discounts add up, only eligible lines are
// lowered, tax is computed on the reduced price, a discount that does not combine is alone, and no customer pays more
// than without them. Lines sold with them are priced the same when they are read again.
func TestDiscountsAddUp(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		offs := drawOffs(t, len(items))
		q, plain := order.Price(items, offs, terms), order.Price(items, nil, terms)
		taken := map[uuid.UUID]int64{}
		var off, net, tax int64
		sold := slices.Clone(items)
		for i, l := range q.Lines {
			if l.DiscountAmount < 0 || l.DiscountAmount > l.ListedAmount || l.TaxAmount < 0 || l.TotalAmount < 0 {
				t.Fatalf("line %d: %+v", i, l)
			}
			var parts int64
			for _, d := range l.Discounts {
				at := slices.IndexFunc(offs, func(o order.Off) bool { return o.ID == d.ID })
				if d.Amount <= 0 || !offs[at].Lines[i] {
					t.Fatalf("line %d: %+v", i, d)
				}
				parts += d.Amount
				taken[d.ID] += d.Amount
			}
			if parts != l.DiscountAmount {
				t.Fatalf("line %d: %d in discounts of %d", i, parts, l.DiscountAmount)
			}
			off, net, tax = off+l.DiscountAmount, net+l.ListedAmount-l.DiscountAmount, tax+l.TaxAmount
			sold[i].DiscountedAmount = l.DiscountAmount
		}
		got := q.Totals
		want := got.SubtotalAmount - got.DiscountAmount + got.ServiceFeeAmount
		if terms.TaxMode == business.TaxExclusive {
			want += got.TaxAmount
		}
		if got.DiscountAmount != off || net != got.SubtotalAmount-off || got.TotalAmount != want || got.TaxAmount < tax ||
			got.TotalAmount > plain.Totals.TotalAmount || net == 0 && got.TotalAmount != 0 {
			t.Fatalf("%+v, without discounts %+v", got, plain.Totals)
		}
		for _, d := range got.Discounts {
			at := slices.IndexFunc(offs, func(o order.Off) bool { return o.ID == d.ID })
			if taken[d.ID] != d.Amount || !offs[at].Combines && len(got.Discounts) > 1 || offs[at].Amount > 0 && d.Amount > offs[at].Amount {
				t.Fatalf("%+v of %+v", d, got.Discounts)
			}
		}
		again := order.Price(sold, nil, terms).Totals
		if again.TotalAmount != got.TotalAmount || again.TaxAmount != got.TaxAmount || again.DiscountAmount != got.DiscountAmount {
			t.Fatalf("read again: %+v, sold: %+v", again, got)
		}
	})
}

// A percentage over all lines is rounded once: whatever the lines are, it is that part of their sum.
func TestAPercentageIsRoundedOnce(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, ppm := drawItems(t), rapid.Int64Range(1, money.Million).Draw(t, "ppm")
		all := make([]bool, len(items))
		for i := range all {
			all[i] = true
		}
		q := order.Price(items, []order.Off{percent(ppm, all...)}, usd(business.TaxExclusive, billing.ModeAbsorb))
		if want := money.RoundHalfUp(q.Totals.SubtotalAmount, ppm, money.Million); q.Totals.DiscountAmount != want {
			t.Fatalf("%d off %d, want %d", q.Totals.DiscountAmount, q.Totals.SubtotalAmount, want)
		}
	})
}
