package product_test

import (
	"slices"
	"testing"

	"foyer/app/assembly"
	"foyer/app/integrity"
)

// Each data check finds what it is about.
func TestChecks(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 9, "Blue", "Red")
	bought := s.buy(t, s.Customer(t, "Ada"), s.cart(t, 2, variants[0]), 2400)
	s.jobs(t)
	s.returns(t, back(bought.OrderID, 1, s.lines(t, bought.OrderID)...))
	s.hold(t, s.Customer(t, "Ben"), s.cart(t, 1, variants...))
	s.check(t)
	for _, c := range []struct{ check, breaks, mends string }{
		{"stock_levels", "update stock_levels set on_hand = on_hand + 1", "update stock_levels set on_hand = on_hand - 1"},
		{
			"stock_levels", "update stock_moves set on_hand = 10 - on_hand where number = 1",
			"update stock_moves set on_hand = 10 - on_hand where number = 1",
		},
		{"stock_held", "update stock_levels set held = held + 1", "update stock_levels set held = held - 1"},
		{
			"stock_held", "update stock_reservations set quantity = quantity + 1",
			"update stock_reservations set quantity = quantity - 1",
		},
		{
			"stock_below_zero", "update product_variants set below_zero = true",
			"update product_variants set below_zero = false",
		},
		{"stock_sold", "update orders set state = 'refunded'", "update orders set state = 'fulfilled'"},
		{
			"stock_returned", "update order_returns set restocked = false",
			"update order_returns set restocked = true",
		},
		{
			"stock_returned", "update stock_moves set quantity = 2 where kind = 'return'",
			"update stock_moves set quantity = 1 where kind = 'return'",
		},
		{"returned_goods", "update order_returns set quantity = 3", "update order_returns set quantity = 1"},
		{"returned_goods", "update orders set state = 'refunded'", "update orders set state = 'fulfilled'"},
		{
			"stock_returned", "update stock_moves set variant_id = (select id from product_variants v " +
				"where v.id <> stock_moves.variant_id) where kind = 'return'",
			"update stock_moves set variant_id = (select id from product_variants v " +
				"where v.id <> stock_moves.variant_id) where kind = 'return'",
		},
		{"stock_returned", "delete from stock_moves where kind = 'return'", ""},
		{"stock_sold", "update stock_moves set quantity = -3 where kind = 'sell'", ""},
		{
			"variant_options", `update product_variants set choices = '["Green"]' where choices = '["Red"]'`,
			`update product_variants set choices = '["Red"]' where choices = '["Green"]'`,
		},
		{"variant_options", "update product_options set choices = '[\"Blue\"]'", ""},
	} {
		s.w.SQL(t, c.breaks)
		r, err := integrity.CheckBusiness(t.Context(), s.w.DB.View(s.Business.ID), assembly.Checks()...)
		must(t, r, err)
		if !slices.ContainsFunc(r.Differences, func(d integrity.Difference) bool { return d.Check == c.check }) {
			t.Errorf("%s is silent about: %s (%+v)", c.check, c.breaks, r.Differences)
		}
		if c.mends != "" {
			s.w.SQL(t, c.mends)
		}
	}
}
