package bench

import (
	"maps"
	"reflect"
	"testing"

	"foyer/app/clock"
	"foyer/app/pg"
)

// rowsOfSale are where a sale by card leaves rows, by the number $1 of its cart.
var rowsOfSale = map[string]string{
	"payments":        "select p.*, '' as intent, '' as charge from payments p join orders r on r.id = p.order_id where r.cart_id = bench.cart($1)",
	"ledger_entries":  "select e.* from ledger_entries e join payments p on e.source_id = p.id::text join orders r on r.id = p.order_id where r.cart_id = bench.cart($1)",
	"ledger_postings": "select x.* from ledger_postings x join ledger_entries e on e.id = x.entry_id join payments p on e.source_id = p.id::text join orders r on r.id = p.order_id where r.cart_id = bench.cart($1) order by x.seq",
}

// TestSettleFloor: a payment settled by the least floor leaves the same rows as one by the product, except for ids,
// times and the actor.
func TestSettleFloor(t *testing.T) {
	b := seeded(t)
	b.Clients = 1
	var err error
	if b.db, err = pg.Open(t.Context(), pg.Config{URL: b.url("foyer_app"), Clock: clock.System{}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.db.Close)
	buyers, err := b.buyers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &till{bench: b, buyers: buyers, only: succeeded}
	if err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	f, err := s.openFloor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	tables := maps.Clone(rowsOfCart)
	maps.Copy(tables, rowsOfSale)
	ours, theirs := b.cart.Add(1)-1, b.cart.Add(1)-1
	settled := func(n int64, settle func() error) {
		t.Helper()
		if err := s.waits(t.Context(), n, 1); err != nil {
			t.Fatal(err)
		}
		if err := settle(); err != nil {
			t.Fatal(err)
		}
	}
	settled(ours, func() error { return s.tells(t.Context(), ours) }) // and opens the accounts of the books
	settled(theirs, func() error { return f.once(t.Context(), f.connections[0], theirs) })
	want, got := b.rowsOf(t, ours, tables), b.rowsOf(t, theirs, tables)
	for table := range tables {
		if !reflect.DeepEqual(got[table], want[table]) {
			t.Errorf("%s: the floor leaves\n%v\nand the product\n%v", table, got[table], want[table])
		}
	}
}
