package bench

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// leastOnce books cart n as pgbench does with the least floor.
func leastOnce(t *testing.T, app *pgx.Conn, s script, n int64) {
	t.Helper()
	pipelines := asPgbench(t, s, n)
	if len(pipelines) != 2 || len(pipelines[0]) != 2 || len(pipelines[1]) != 2 {
		t.Fatalf("the least floor has %v", pipelines)
	}
	for _, p := range pipelines {
		runPipeline(t, app, p)
	}
}

// TestLeastFloor: a booking of the least floor leaves the same rows as one of the product, except for ids, times and
// the actor's name, whether triggers write the audit events or it writes them itself.
func TestLeastFloor(t *testing.T) {
	b := seeded(t)
	buyers, err := b.buyers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, cart, err := b.bookingTrips(t.Context(), buyers)
	if err != nil {
		t.Fatal(err)
	}
	want := b.leaves(t, cart)
	app := connectAs(t, b, "foyer_app")
	for _, silent := range []bool{false, true} {
		if silent {
			for _, table := range leastEvents {
				command(t, b.super, "drop trigger audit on "+table)
			}
		}
		s, err := b.leastScript(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if writes := strings.Contains(s.text, "insert into audit_events"); writes != silent {
			t.Errorf("it writes events: %v; triggers do: %v", writes, !silent)
		}
		n := b.cart.Add(1) - 1
		before, err := b.written(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leastOnce(t, app, s, n)
		after, err := b.written(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for table, each := range rowsOfBooking {
			if got := after[table] - before[table]; got != each {
				t.Errorf("it wrote %d rows of %s, want %d", got, table, each)
			}
		}
		for table, rows := range b.leaves(t, n) {
			if !reflect.DeepEqual(rows, want[table]) {
				t.Errorf("%s has\n%v\nthe product's has\n%v", table, rows, want[table])
			}
		}
	}
}

// leaves returns the rows of a booked cart in each table, without values that differ between bookings.
func (b *bench) leaves(t *testing.T, n int64) map[string][]map[string]any {
	t.Helper()
	return b.rowsOf(t, n, rowsOfCart)
}

// rowsOfCart are where a booking leaves rows, by the number $1 of its cart.
var rowsOfCart = map[string]string{
	"carts":               "select person_id, state, ref from carts where id = bench.cart($1)",
	"holds":               "select h.* from holds h where cart_id = bench.cart($1)",
	"bookings":            "select b.* from bookings b join holds h on h.id = b.hold_id where h.cart_id = bench.cart($1)",
	"booking_transitions": "select m.* from booking_transitions m join bookings b on b.id = m.booking_id join holds h on h.id = b.hold_id where h.cart_id = bench.cart($1) order by m.created_at, m.id",
	"orders":              "select r.* from orders r where cart_id = bench.cart($1)",
	"order_lines":         "select x.* from order_lines x join orders r on r.id = x.order_id where r.cart_id = bench.cart($1)",
	"audit_events": `select e.* from audit_events e where record_id in (select id from orders where cart_id = bench.cart($1)
			union select b.id from bookings b join holds h on h.id = b.hold_id where h.cart_id = bench.cart($1)) order by record`,
	"occurrences":     "select taken > 0 as taken, taken = taken_online as online from occurrences where id = bench.free_date($1)",
	"river.river_job": "select * from river.river_job j where args ->> 'order' = (select id::text from orders where cart_id = bench.cart($1))",
}

// rowsOf reads such rows of one booking or sale, without values that differ between them.
func (b *bench) rowsOf(t *testing.T, of any, tables map[string]string) map[string][]map[string]any {
	t.Helper()
	out := map[string][]map[string]any{}
	for table, from := range tables {
		rows, err := b.super.Query(t.Context(), "select to_jsonb(r) from ("+from+") r", of)
		if err != nil {
			t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[map[string]any])
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			t.Errorf("%v left nothing in %s", of, table)
		}
		for _, row := range list {
			alike(row)
		}
		out[table] = list
	}
	return out
}

// alike removes the values that differ between bookings: ids, times, receipts, and the names of actors and offerings.
func alike(row map[string]any) {
	for name, v := range row {
		inner, nested := v.(map[string]any)
		switch {
		case nested:
			alike(inner)
		case name == "seq", name == "at", name == "order", name == "label", name == "actor_kind", name == "actor_id", name == "actor_name", name == "surface":
			delete(row, name)
		case v != nil && (name == "id" || name == "until" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_hash")):
			row[name] = "some"
		}
	}
}

// TestLeastFloorIsGuarded: a missing seat, a second seat for the same customer, and an expired hold leave no rows.
func TestLeastFloorIsGuarded(t *testing.T) {
	b := seeded(t)
	s, err := b.leastScript(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	app := connectAs(t, b, "foyer_app")
	written := func() map[string]int64 {
		t.Helper()
		w, err := b.written(context.WithoutCancel(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for name, before := range map[string]string{
		"full":      "update occurrences set capacity = 1, online_capacity = 1, taken = 1, taken_online = 1 where id = bench.free_date($1)",
		"draft":     "update offerings set state = 'draft' where id = (select offering_id from occurrences where id = bench.free_date($1))",
		"dearer":    "update offerings set price_amount = 100 where id = (select offering_id from occurrences where id = bench.free_date($1))",
		"ordered":   "update carts set state = 'ordered' where id = bench.cart($1)",
		"begun":     "update occurrences set starts_at = now() - interval '1 minute' where id = bench.free_date($1)",
		"cancelled": "update occurrences set state = 'cancelled' where id = bench.free_date($1)",
	} {
		n := b.cart.Add(1) - 1
		if _, err := b.super.Exec(t.Context(), before, n); err != nil {
			t.Fatal(err)
		}
		was := written()
		leastOnce(t, app, s, n)
		if is := written(); !reflect.DeepEqual(was, is) {
			t.Errorf("%s: %v became %v", name, was, is)
		}
	}
	n := b.cart.Add(1) - 1
	leastOnce(t, app, s, n)
	was := written()
	leastOnce(t, app, s, n)
	if is := written(); !reflect.DeepEqual(was, is) {
		t.Errorf("booked twice: %v became %v", was, is)
	}
}

// TestLeastDefines: a client's variables are valid in pgbench, and the policy is that of a studio without one.
func TestLeastDefines(t *testing.T) {
	b := &bench{}
	for _, d := range b.leastDefines() {
		name, value, ok := strings.Cut(d, "=")
		if !ok || value == "" || name == "rules" && !json.Valid([]byte(value)) {
			t.Errorf("define %q", d)
		}
	}
}
