package bench

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// rowsOfDeskSale are where a sale at the desk leaves rows, by the id $1 of its order.
var rowsOfDeskSale = map[string]string{
	"orders":        "select r.* from orders r where r.id = $1",
	"order_lines":   "select x.* from order_lines x where x.order_id = $1 order by x.position",
	"order_tenders": "select t.* from order_tenders t where t.order_id = $1",
	"tender_parts": `select a.*, x.position from order_tenders t join tender_parts a on a.tender_id = t.id
		join order_lines x on x.id = a.line_id where t.order_id = $1 order by a.seq`,
	"stock_moves": `select m.*, x.position, x.subject_id = m.variant_id as same from order_lines x
		join stock_moves m on m.order_line_id = x.id where x.order_id = $1 order by x.position`,
	"stock_levels": `select s.*, x.position from order_lines x join stock_levels s on s.variant_id = x.subject_id
		where x.order_id = $1 order by x.position`,
	"ledger_entries": `select e.* from order_tenders t join ledger_entries e on e.source_id = t.id::text
		where t.order_id = $1`,
	"ledger_postings": `select p.*, a.code from order_tenders t join ledger_entries e on e.source_id = t.id::text
		join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
		where t.order_id = $1 order by p.seq`,
	"audit_events": `select e.* from audit_events e where e.record_id in (
			select $1 union select id from order_tenders where order_id = $1
			union select m.id from order_lines x join stock_moves m on m.order_line_id = x.id where x.order_id = $1)
		order by e.record, e.before::text, e.after - 'id' - 'order_line_id' - 'variant_id'`,
}

// openedDesk is a desk on a seeded database.
func openedDesk(t *testing.T) *desk {
	t.Helper()
	b := seeded(t)
	b.Clients, b.Say = 2, func(string) {}
	if err := b.seedGoods(t.Context(), 2, 1); err != nil {
		t.Fatal(err)
	}
	var err error
	if b.db, err = pg.Open(t.Context(), pg.Config{URL: b.url("foyer_app")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.db.Close)
	d, err := b.openDesk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSaleFloor: a sale of the least floor leaves the same rows as one of the product, except for ids and times.
func TestSaleFloor(t *testing.T) {
	d := openedDesk(t)
	leaves := func(order uuid.UUID) map[string][]map[string]any {
		t.Helper()
		out := d.rowsOf(t, order, rowsOfDeskSale)
		for i, x := range out["order_lines"] {
			x["variant_id"], out["order_lines"][i]["subject_id"] = "some", "some"
		}
		return out
	}
	before, err := d.writtenIn(t.Context(), rowsOfDesk)
	if err != nil {
		t.Fatal(err)
	}
	order, err := d.sell(t.Context(), d.sale.Add(1)-1)
	if err != nil {
		t.Fatal(err)
	}
	between, err := d.writtenIn(t.Context(), rowsOfDesk)
	if err != nil {
		t.Fatal(err)
	}
	n := d.sale.Add(1) - 1
	d.leastOnce(t, n)
	after, err := d.writtenIn(t.Context(), rowsOfDesk)
	if err != nil {
		t.Fatal(err)
	}
	for table, each := range rowsOfDesk {
		if ours, theirs := between[table]-before[table], after[table]-between[table]; ours != each || theirs != each {
			t.Errorf("the product wrote %d rows of %s, the floor %d, want %d", ours, table, theirs, each)
		}
	}
	want, got := leaves(order), leaves(benchID(162, n))
	for table := range rowsOfDeskSale {
		if !reflect.DeepEqual(got[table], want[table]) {
			t.Errorf("%s: the floor leaves\n%v\nand the product\n%v", table, got[table], want[table])
		}
	}
}

// leastOnce makes sale n as pgbench does with the least floor.
func (d *desk) leastOnce(t *testing.T, n int64) {
	t.Helper()
	pipelines := asPgbench(t, d.leastScript(), n)
	if len(pipelines) != 1 || len(pipelines[0]) != 2 {
		t.Fatalf("the least floor has %v", pipelines)
	}
	runPipeline(t, connectAs(t, d.bench, "foyer_app"), pipelines[0])
}

// TestSaleFloorIsGuarded: if one of ten variants is not for sale, the floor sells none.
func TestSaleFloorIsGuarded(t *testing.T) {
	d := openedDesk(t)
	for name, spoil := range map[string]string{
		"sold out":  "update stock_levels set on_hand = 0 where variant_id = $1",
		"held":      "update stock_levels set held = on_hand where variant_id = $1",
		"archived":  "update product_variants set archived_at = now() where id = $1",
		"draft":     "update products set state = 'draft' where id = (select product_id from product_variants where id = $1)",
		"elsewhere": "update stock_levels set location_id = bench.free_location() where variant_id = $1",
	} {
		n := d.sale.Add(1) - 1
		if _, err := d.super.Exec(t.Context(), "set session_replication_role = replica"); err != nil {
			t.Fatal(err)
		}
		if _, err := d.super.Exec(t.Context(), spoil, benchID(161, n%saleShelves*saleLines+3)); err != nil {
			t.Fatal(err)
		}
		if _, err := d.super.Exec(t.Context(), "reset session_replication_role"); err != nil {
			t.Fatal(err)
		}
		was, err := d.writtenIn(t.Context(), rowsOfDesk)
		if err != nil {
			t.Fatal(err)
		}
		d.leastOnce(t, n)
		is, err := d.writtenIn(t.Context(), rowsOfDesk)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(was, is) {
			t.Errorf("%s: %v became %v", name, was, is)
		}
		if _, err := d.sell(t.Context(), n); err == nil {
			t.Errorf("%s: the product sells it", name)
		}
	}
}
