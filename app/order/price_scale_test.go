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

// BenchmarkPrice prices a cart of ten lines.
func BenchmarkPrice(b *testing.B) {
	items, offs, terms := manyLines(10)
	b.ReportAllocs()
	for b.Loop() {
		order.Price(items, offs, terms)
	}
}
