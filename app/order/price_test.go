package order_test

import (
	"math/rand/v2"
	"reflect"
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

func usd(mode business.TaxMode, fee billing.Mode) order.Terms {
	return order.Terms{Currency: "USD", TaxMode: mode, FeeMode: fee, FeePPM: billing.DefaultFeePPM, SplitPPM: billing.DefaultSplitPPM}
}

func rate(name string, ppm int64) *order.Tax {
	return &order.Tax{RateID: uuid.NewSHA1(uuid.Nil, []byte(name)), Name: name, PPM: ppm}
}

// The worked examples: the cart of three lines, and the fee modes. A24 to A28.
func TestPrice(t *testing.T) {
	sales, vat, low := rate("Sales tax", 88_750), rate("VAT", 200_000), rate("VAT reduced", 70_000)
	for name, c := range map[string]struct {
		terms    order.Terms
		items    []order.Item
		subtotal int64
		tax      int64
		fee      int64
		total    int64
		lines    []int64 // tax of each
	}{
		"A26 absorb":   {usd(business.TaxExclusive, billing.ModeAbsorb), []order.Item{{ListedAmount: 2200}}, 2200, 0, 0, 2200, []int64{0}},
		"A27 split":    {usd(business.TaxExclusive, billing.ModeSplit), []order.Item{{ListedAmount: 2200}}, 2200, 0, 22, 2222, []int64{0}},
		"A28 customer": {usd(business.TaxExclusive, billing.ModeCustomer), []order.Item{{ListedAmount: 2200}}, 2200, 0, 45, 2245, []int64{0}},
		"A25 another rate": {order.Terms{Currency: "USD", TaxMode: business.TaxExclusive, FeeMode: billing.ModeCustomer, FeePPM: 15_000},
			[]order.Item{{ListedAmount: 2200}}, 2200, 0, 33, 2233, []int64{0}},
		"A27 a quarter": {order.Terms{Currency: "USD", TaxMode: business.TaxExclusive, FeeMode: billing.ModeSplit, FeePPM: 20_000, SplitPPM: 250_000},
			[]order.Item{{ListedAmount: 10000}}, 10000, 0, 50, 10050, []int64{0}},
		"three lines, tax on top": {usd(business.TaxExclusive, billing.ModeCustomer),
			[]order.Item{{ListedAmount: 2200, Tax: sales}, {ListedAmount: 900, Tax: sales}, {ListedAmount: 1500, Tax: sales}}, 4600, 408, 102, 5110, []int64{195, 80, 133}},
		"three lines of 23.36 with 7 % inside": {usd(business.TaxInclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 2336, Tax: low}, {ListedAmount: 2336, Tax: low}, {ListedAmount: 2335, Tax: low}}, 7007, 458, 0, 7007, []int64{153, 153, 152}},
		"tax inside the price and the fee": {usd(business.TaxInclusive, billing.ModeCustomer),
			[]order.Item{{ListedAmount: 2400, Tax: vat}}, 2400, 410, 59, 2459, []int64{400}},
		"two rates": {usd(business.TaxExclusive, billing.ModeAbsorb),
			[]order.Item{{ListedAmount: 1000, Tax: vat}, {ListedAmount: 1000, Tax: low}, {ListedAmount: 1000}}, 3000, 270, 0, 3270, []int64{200, 70, 0}},
		"nothing to pay, no fee": {usd(business.TaxExclusive, billing.ModeCustomer), []order.Item{{ListedAmount: 0, Tax: sales}}, 0, 0, 0, 0, []int64{0}},
		"empty":                  {usd(business.TaxExclusive, billing.ModeCustomer), nil, 0, 0, 0, 0, nil},
		"no decimals": {order.Terms{Currency: "JPY", TaxMode: business.TaxExclusive, FeeMode: billing.ModeCustomer, FeePPM: 20_000},
			[]order.Item{{ListedAmount: 2200}}, 2200, 0, 45, 2245, []int64{0}},
		"three decimals are rounded up to what a card takes": {
			order.Terms{Currency: "KWD", TaxMode: business.TaxExclusive, FeeMode: billing.ModeAbsorb, FeePPM: 20_000},
			[]order.Item{{ListedAmount: 1005}}, 1005, 0, 5, 1010, []int64{0}},
	} {
		q := order.Price(c.items, nil, c.terms)
		got := q.Totals
		if got.SubtotalAmount != c.subtotal || got.TaxAmount != c.tax || got.ServiceFeeAmount != c.fee || got.TotalAmount != c.total {
			t.Errorf("%s: %+v", name, got)
		}
		for i, want := range c.lines {
			if q.Lines[i].TaxAmount != want {
				t.Errorf("%s: line %d has %d tax, want %d", name, i, q.Lines[i].TaxAmount, want)
			}
		}
	}
}

// Each line shows how it came to its price.
func TestSteps(t *testing.T) {
	for mode, included := range map[business.TaxMode]bool{business.TaxExclusive: false, business.TaxInclusive: true} {
		q := order.Price([]order.Item{{ListedAmount: 2400, Tax: rate("VAT", 200_000)}}, nil, usd(mode, billing.ModeAbsorb))
		steps := q.Lines[0].Steps
		if len(steps) != 2 || steps[0].Kind != order.StepListed || steps[0].Amount != 2400 ||
			steps[1].Kind != order.StepTax || steps[1].Label != "VAT" || steps[1].PPM != 200_000 || steps[1].Included != included ||
			steps[1].Amount != q.Lines[0].TaxAmount {
			t.Errorf("%s: %+v", mode, steps)
		}
	}
}

func drawItems(t *rapid.T) []order.Item {
	rates := []*order.Tax{nil, rate("a", rapid.Int64Range(0, 270_000).Draw(t, "rate a")), rate("b", rapid.Int64Range(0, 270_000).Draw(t, "rate b"))}
	items := make([]order.Item, rapid.IntRange(0, 20).Draw(t, "lines"))
	for i := range items {
		items[i] = order.Item{
			ListedAmount: rapid.OneOf(rapid.Just[int64](0), rapid.Int64Range(0, 1_000_000)).Draw(t, "listed"),
			Tax:          rapid.SampledFrom(rates).Draw(t, "rate"),
		}
	}
	return items
}

func drawTerms(t *rapid.T) order.Terms {
	return order.Terms{
		Currency: rapid.SampledFrom([]money.Currency{"USD", "JPY", "KWD"}).Draw(t, "currency"),
		TaxMode:  rapid.SampledFrom([]business.TaxMode{business.TaxExclusive, business.TaxInclusive}).Draw(t, "tax mode"),
		FeeMode:  rapid.SampledFrom([]billing.Mode{billing.ModeAbsorb, billing.ModeSplit, billing.ModeCustomer}).Draw(t, "fee mode"),
		SplitPPM: rapid.Int64Range(0, money.Million).Draw(t, "split ppm"),
		FeePPM:   rapid.Int64Range(0, billing.MaxFeePPM).Draw(t, "fee ppm"),
	}
}

// Invariants of a price: the parts add up, tax by rate is the lines' tax, a card can pay it, nothing is negative.
func TestPriceAddsUp(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		q := order.Price(items, nil, terms)
		var subtotal, lineTax, rates, lines int64
		for i, l := range q.Lines {
			if l.TaxAmount < 0 || l.ListedAmount != items[i].ListedAmount || terms.TaxMode == business.TaxInclusive && l.TaxAmount > l.ListedAmount {
				t.Fatalf("line %d: %+v", i, l)
			}
			subtotal, lineTax, lines = subtotal+l.ListedAmount, lineTax+l.TaxAmount, lines+l.TotalAmount
		}
		for _, r := range q.Totals.Taxes {
			rates += r.Amount
		}
		got := q.Totals
		want := subtotal + got.ServiceFeeAmount
		if terms.TaxMode == business.TaxExclusive {
			want += got.TaxAmount
		}
		if got.SubtotalAmount != subtotal || got.TotalAmount != want || rates != got.TaxAmount || got.TaxAmount < lineTax || got.ServiceFeeAmount < 0 {
			t.Fatalf("%+v", got)
		}
		fair := feeTaxes(items, got.TaxAmount-lineTax)
		for _, r := range got.Taxes {
			if of, fee := fair[r.RateID], r.Amount-taxOfLines(items, q, r.RateID); of != nil && (fee < of[0] || fee > of[0]+1) {
				t.Fatalf("%d of the service fee's tax is %s, want %d or one more", fee, r.Name, of[0])
			}
			if ofLines := taxOfLines(items, q, r.RateID); r.Amount < ofLines || r.Amount > ofLines && terms.TaxMode == business.TaxExclusive {
				t.Fatalf("%d of %s, and the lines have %d", r.Amount, r.Name, ofLines)
			}
		}
		if info, _ := money.Lookup(terms.Currency); got.TotalAmount%info.ChargeMultiple != 0 {
			t.Fatalf("no card pays %d %s", got.TotalAmount, terms.Currency)
		}
		if lines == 0 && got.TotalAmount != 0 {
			t.Fatalf("%d for nothing", got.TotalAmount)
		}
	})
}

// feeTaxes returns the part of each rate in the service fee's tax, rounded down: by the lines' parts of it.
func feeTaxes(items []order.Item, tax int64) map[uuid.UUID][]int64 {
	weights, sum := map[uuid.UUID]int64{}, int64(0)
	for _, it := range items {
		if it.Tax != nil {
			weights[it.Tax.RateID] += it.ListedAmount * it.Tax.PPM
			sum += it.ListedAmount * it.Tax.PPM
		}
	}
	out := map[uuid.UUID][]int64{}
	for rate, w := range weights {
		if sum > 0 {
			out[rate] = []int64{money.FloorDiv(tax, w, sum)}
		}
	}
	return out
}

// taxOfLines returns the lines' tax of one rate. Where prices include tax the service fee has some, too.
func taxOfLines(items []order.Item, q order.Quote, rate uuid.UUID) (sum int64) {
	for i, l := range q.Lines {
		if items[i].Tax != nil && items[i].Tax.RateID == rate {
			sum += l.TaxAmount
		}
	}
	return sum
}

// The same cart at the same terms is the same quote, for any caller at any time.
func TestPriceIsAFunction(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		offs := drawOffs(t, len(items))
		first := order.Price(items, offs, terms)
		if again := order.Price(slices.Clone(items), slices.Clone(offs), terms); !reflect.DeepEqual(first, again) {
			t.Fatalf("%+v, and then %+v", first, again)
		}
	})
}

// A29. The total of a payment at the studio or by another method is the price, for any fee and any bearer.
func TestA29_NoFeeButOnCards(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		offs := drawOffs(t, len(items))
		terms.Tender = rapid.SampledFrom([]billing.Tender{billing.TenderCash, billing.TenderExternal}).Draw(t, "tender")
		got := order.Price(items, offs, terms).Totals
		price := got.SubtotalAmount - got.DiscountAmount
		if terms.TaxMode == business.TaxExclusive {
			price += got.TaxAmount
		}
		if got.ServiceFeeAmount != 0 || got.TotalAmount != price {
			t.Fatalf("%+v", got)
		}
		terms.FeePPM, terms.FeeMode = 0, billing.ModeAbsorb
		if free := order.Price(items, offs, terms).Totals; !reflect.DeepEqual(free, got) {
			t.Fatalf("%+v, without any fee %+v", got, free)
		}
	})
}

// The totals do not depend on the order of the lines, and a line's tax is within one unit of its own share.
func TestPriceIsStable(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		before := order.Price(items, nil, terms).Totals
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		q := order.Price(items, nil, terms)
		after := q.Totals
		if before.SubtotalAmount != after.SubtotalAmount || before.TaxAmount != after.TaxAmount ||
			before.ServiceFeeAmount != after.ServiceFeeAmount || before.TotalAmount != after.TotalAmount {
			t.Fatalf("%+v became %+v", before, after)
		}
		for i, l := range q.Lines {
			if items[i].Tax == nil {
				continue
			}
			alone := money.RoundHalfUp(l.ListedAmount, items[i].Tax.PPM, money.Million)
			if terms.TaxMode == business.TaxInclusive {
				alone = money.RoundHalfUp(l.ListedAmount, items[i].Tax.PPM, money.Million+items[i].Tax.PPM)
			}
			if d := l.TaxAmount - alone; d < -1 || d > 1 {
				t.Fatalf("line %d has %d tax, alone it would have %d", i, l.TaxAmount, alone)
			}
		}
	})
}

// A customer who bears the fee never makes the studio lose a cent: it nets its price in both tax conventions.
func TestA28_StudioNetsItsPrice(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		items, terms := drawItems(t), drawTerms(t)
		terms.FeeMode, terms.Currency = billing.ModeCustomer, "USD"
		q := order.Price(items, nil, terms)
		absorbed := terms
		absorbed.FeeMode = billing.ModeAbsorb
		price := order.Price(items, nil, absorbed).Totals
		fee := money.RoundHalfUp(q.Totals.TotalAmount, terms.FeePPM, money.Million)
		feeTax := q.Totals.TaxAmount - price.TaxAmount
		if q.Totals.TotalAmount-fee-feeTax != price.TotalAmount {
			t.Fatalf("the studio nets %d of %d", q.Totals.TotalAmount-fee-feeTax, price.TotalAmount)
		}
	})
}
