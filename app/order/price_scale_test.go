package order_test

import (
	"testing"
	"time"

	"foyer/app/business"
	"foyer/app/order"
	"foyer/billing"
)

// manyLines is a cart of so many lines with two rates of tax and two discounts, of which one is a code, at terms that
// a fee is added to.
func manyLines(n int) ([]order.Item, []order.Off, order.Terms) {
	rates := []*order.Tax{rate("VAT", 200_000), rate("VAT reduced", 70_000)}
	items, all := make([]order.Item, n), make([]bool, n)
	for i := range items {
		items[i], all[i] = order.Item{ListedAmount: int64(1500 + 100*i), Tax: rates[i%2]}, true
	}
	return items, []order.Off{percent(100_000, all...), fixed(500, all...)}, usd(business.TaxExclusive, billing.ModeCustomer)
}

// A cart of ten lines is priced within 20 microseconds, the best of a thousand times so that a busy machine does not
// count, and its allocations grow no faster than its lines.
func TestPriceIsCheap(t *testing.T) {
	items, offs, terms := manyLines(10)
	best := time.Hour
	for range 1000 {
		begun := time.Now()
		order.Price(items, offs, terms)
		best = min(best, time.Since(begun))
	}
	if t.Logf("ten lines in %s", best); best > 20*time.Microsecond {
		t.Errorf("ten lines take %s", best)
	}
	allocated := func(n int) float64 {
		items, offs, terms := manyLines(n)
		return testing.AllocsPerRun(100, func() { order.Price(items, offs, terms) })
	}
	ten, twenty, forty := allocated(10), allocated(20), allocated(40)
	t.Logf("allocations of 10, 20 and 40 lines: %.0f, %.0f, %.0f", ten, twenty, forty)
	if forty-twenty > 2*(twenty-ten)+4 {
		t.Errorf("10, 20 and 40 lines allocate %.0f, %.0f and %.0f times", ten, twenty, forty)
	}
}

// mixedLines is a cart of six bookings and four products with quantities, at three rates of tax, with a discount of
// bookings, one of products, and a code of both.
func mixedLines() ([]order.Item, []order.Off, order.Terms) {
	rates := []*order.Tax{rate("VAT", 200_000), rate("VAT reduced", 70_000), rate("Sales tax", 88_750)}
	items := make([]order.Item, 10)
	seats, goods, all := make([]bool, 10), make([]bool, 10), make([]bool, 10)
	for i := range items {
		items[i] = order.Item{ListedAmount: int64(1500 + 100*i), Tax: rates[i%2]}
		if seats[i], all[i] = i < 6, true; !seats[i] {
			goods[i], items[i] = true, order.Item{ListedAmount: int64(i * 899), Tax: rates[2]}
		}
	}
	offs := []order.Off{percent(100_000, seats...), percent(50_000, goods...), fixed(500, all...)}
	return items, offs, usd(business.TaxExclusive, billing.ModeCustomer)
}

// A cart of ten mixed lines is priced within 20 microseconds, as one of ten alike.
func TestMixedPriceIsCheap(t *testing.T) {
	items, offs, terms := mixedLines()
	if q := order.Price(items, offs, terms); len(q.Totals.Discounts) != 3 || len(q.Totals.Taxes) != 3 {
		t.Errorf("%+v", q.Totals)
	}
	best := time.Hour
	for range 1000 {
		begun := time.Now()
		order.Price(items, offs, terms)
		best = min(best, time.Since(begun))
	}
	if t.Logf("ten mixed lines in %s", best); best > 20*time.Microsecond {
		t.Errorf("ten mixed lines take %s", best)
	}
}

// BenchmarkPriceMixed prices a cart of ten mixed lines.
func BenchmarkPriceMixed(b *testing.B) {
	items, offs, terms := mixedLines()
	b.ReportAllocs()
	for b.Loop() {
		order.Price(items, offs, terms)
	}
}

// BenchmarkPrice prices a cart of ten lines.
func BenchmarkPrice(b *testing.B) {
	items, offs, terms := manyLines(10)
	b.ReportAllocs()
	for b.Loop() {
		order.Price(items, offs, terms)
	}
}
