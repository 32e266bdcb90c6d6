package bench

import (
	"maps"
	"reflect"
	"testing"
	"time"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// withPlans is a seeded database that the product has open.
func withPlans(t *testing.T) *bench {
	t.Helper()
	b := seeded(t)
	b.Clients, b.Window, b.Say = 2, time.Second, func(line string) { t.Log(line) }
	var err error
	if b.db, err = pg.Open(t.Context(), pg.Config{URL: b.url("foyer_app")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.db.Close)
	return b
}

// TestCreditFloor: a booking by credit of the least floor leaves the same rows as one of the product, except for ids
// and times, and takes a credit as that does.
func TestCreditFloor(t *testing.T) {
	b := withPlans(t)
	if err := b.sellPacks(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.priceClasses(t.Context(), creditPrice); err != nil {
		t.Fatal(err)
	}
	buyers, err := b.buyers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tables := maps.Clone(rowsOfCart)
	const of = `join order_lines x on x.id = d.order_line_id
		join orders r on r.id = x.order_id where r.cart_id = bench.cart($1)`
	tables["redemptions"] = "select d.* from redemptions d " + of
	tables["unearned_uses"] = "select u.* from unearned_uses u join redemptions d on d.id = u.id " + of
	tables["grants"] = `select g.balance, g.unused_amount, g.value_amount, m.state from grants g
		join redemptions d on d.grant_id = g.id join memberships m on m.id = g.membership_id ` + of
	written := func() map[string]int64 {
		t.Helper()
		n, err := b.writtenIn(t.Context(), rowsOfCredit)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := written()
	who := tenancy.Visitor(buyers[0], b.place.Business, tenancy.SurfaceAPI)
	if err := book(t.Context(), services(b.db, nil).Checkout, who, 0); err != nil {
		t.Fatal(err)
	}
	app := connectAs(t, b, "foyer_app")
	leastOnce(t, app, b.creditScript(), 1)
	after := written()
	for table, each := range rowsOfCredit {
		if got := after[table] - before[table]; got != 2*each {
			t.Errorf("two bookings wrote %d rows of %s, want %d", got, table, 2*each)
		}
	}
	want := b.rowsOf(t, int64(0), tables)
	for table, rows := range b.rowsOf(t, int64(1), tables) {
		if !reflect.DeepEqual(rows, want[table]) {
			t.Errorf("%s has\n%v\nthe product's has\n%v", table, rows, want[table])
		}
	}
}

// TestNightOfRenewals: the seeded members are renewed once each by two workers, and a customer's plans are listed.
func TestNightOfRenewals(t *testing.T) {
	b := withPlans(t)
	rows, err := b.plans(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		t.Logf("%s: %.3f", r.Workload, r.Foyer)
		if r.Unit == "trips" && !r.Aim.Met(r.Foyer) {
			t.Errorf("%s: %.0f", r.Workload, r.Foyer)
		}
	}
}
