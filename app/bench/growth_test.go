package bench

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
)

// grown is a small database of the benches of growth.
func grown(t *testing.T, businesses int) *growing {
	t.Helper()
	w := apptest.Open(t)
	super, err := pgx.Connect(t.Context(), w.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = super.Close(context.WithoutCancel(t.Context())) })
	g := &growing{businesses: businesses, bench: &bench{Options: Options{URL: within(w)}, super: super, carts: 40}}
	if err := seedGrowth(t.Context(), super, businesses, int(g.carts), func(string) {}); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestIndexesAreMadeAgain: a seed leaves every index and constraint as it found it.
func TestIndexesAreMadeAgain(t *testing.T) {
	w := apptest.Open(t)
	super := connectAs(t, &bench{Options: Options{URL: within(w)}}, "postgres")
	defined := func() []string {
		t.Helper()
		rows, err := super.Query(t.Context(), `select pg_get_indexdef(indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
				where c.relnamespace = 'public'::regnamespace
			union all select conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid) from pg_constraint
				where connamespace = 'public'::regnamespace order by 1`)
		if err != nil {
			t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	before := defined()
	if err := seedGrowth(t.Context(), super, 2, 3, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if after := defined(); len(before) < 200 || !slices.Equal(before, after) {
		for _, is := range after {
			if !slices.Contains(before, is) {
				t.Errorf("there was no %s", is)
			}
		}
		t.Errorf("%d became %d", len(before), len(after))
	}
}

// TestCopyHasIndexes: the copy of customers without row-level security has no other difference.
func TestCopyHasIndexes(t *testing.T) {
	b := seeded(t)
	var product, bare, walled int
	if err := b.super.QueryRow(t.Context(), `select (select count(*) from pg_index where indrelid = 'public.customers'::regclass),
		(select count(*) from pg_index where indrelid = 'bare.customers'::regclass),
		(select count(*) from pg_policy where polrelid = 'bare.customers'::regclass)`).Scan(&product, &bare, &walled); err != nil {
		t.Fatal(err)
	}
	if product < 3 || bare != product || walled != 0 {
		t.Errorf("%d indexes, the copy has %d and %d policies", product, bare, walled)
	}
}

// TestGrowthReads: pgbench's statements for a drawn business are the product's for it, and find the same.
func TestGrowthReads(t *testing.T) {
	g := grown(t, 1) // the only one to draw
	app := connectAs(t, g.bench, "foyer_app")
	for name, trips := range map[string]func(context.Context, *growing) ([]trip, error){
		"schedule": growthScheduleTrips, "search": growthSearchTrips,
	} {
		heard, err := trips(t.Context(), g)
		if err != nil || len(heard) != 1 {
			t.Fatalf("%s: %d trips, %v", name, len(heard), err)
		}
		s, err := readFloor(func(context.Context, *growing) ([]trip, error) { return heard, nil })(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		sameReads(t, app, name, drawnBy(t, app, s, 7), heard[0])
	}
}

// TestGrowthDraws: with more than one business pgbench draws each of them.
func TestGrowthDraws(t *testing.T) {
	g := grown(t, 3)
	app := connectAs(t, g.bench, "foyer_app")
	s, err := readFloor(growthScheduleTrips)(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]int{}
	for n := range int64(30) {
		command(t, app, "begin")
		for i, st := range drawnBy(t, app, s, n)[0] {
			rows := st.run(t, app)
			if i == 0 {
				drawn[string(rows[0][0])]++
			} else if i == 2 && len(rows) < 40 {
				t.Errorf("%d dates of %s", len(rows), st.values[0])
			}
		}
		command(t, app, "rollback")
	}
	if len(drawn) != g.businesses {
		t.Errorf("drawn were %v", drawn)
	}
}

// TestDraw: each business once, and then any of them.
func TestDraw(t *testing.T) {
	g := &growing{businesses: 5, fresh: 5, random: rand.New(rand.NewPCG(1, 1))}
	first := map[int]bool{}
	for range 5 {
		first[g.draw()] = true
	}
	later := map[int]bool{}
	for range 100 {
		later[g.draw()] = true
	}
	if len(first) != 5 || len(later) != 5 {
		t.Errorf("first %v, later %v", first, later)
	}
}

// drawnBy reads a script as asPgbench does, after its first trip.
func drawnBy(t *testing.T, app *pgx.Conn, s script, n int64) [][]sent {
	t.Helper()
	_, sql, _ := strings.Cut(s.text, ":i\n")
	sql, _, ok := strings.Cut(sql, " \\gset\n")
	if !ok {
		t.Fatalf("nothing is drawn in %q", s.text)
	}
	r := app.PgConn().ExecParams(t.Context(), strings.ReplaceAll(sql, ":n", "$1"), [][]byte{[]byte(strconv.FormatInt(n, 10))}, nil, nil, nil).Read()
	if r.Err != nil || len(r.Rows) != 1 {
		t.Fatalf("%d rows drawn: %v", len(r.Rows), r.Err)
	}
	values := map[string]string{}
	for i, f := range r.FieldDescriptions {
		values[":"+f.Name] = string(r.Rows[0][i])
	}
	return asPgbenchWith(t, s, n, values)
}

// TestGrowthHold: pgbench holds one cart after another, each in its own business, and writes the rows of a hold.
func TestGrowthHold(t *testing.T) {
	g := grown(t, 3)
	s, err := holdFloor(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	app := connectAs(t, g.bench, "foyer_app")
	businesses := map[string]bool{}
	for n := g.cart.Load(); n < g.carts; n++ {
		pipelines := drawnBy(t, app, s, n)
		if len(pipelines) != 1 {
			t.Fatalf("a hold is %d transactions", len(pipelines))
		}
		runPipeline(t, app, pipelines[0])
		var business string
		if err := g.super.QueryRow(t.Context(), `select b.business_id::text from holds h
			join bookings b on b.hold_id = h.id and b.state = 'held' join booking_transitions m on m.booking_id = b.id
			where h.cart_id = bench.growth_cart($1) and h.person_id = bench.growth_person($1) and b.occurrence_id = bench.growth_date($1)`, n).
			Scan(&business); err != nil {
			t.Fatalf("cart %d: %v", n, err)
		}
		businesses[business] = true
	}
	if len(businesses) != g.businesses {
		t.Errorf("%d of %d businesses were drawn", len(businesses), g.businesses)
	}
}

// TestGrowthID: the bench names rows as the seeds do.
func TestGrowthID(t *testing.T) {
	g := grown(t, 2)
	for _, n := range []int{0, 1, 39_999, 1_680_000_000} {
		var id uuid.UUID
		err := g.super.QueryRow(t.Context(), "select bench.id(12, $1)", n).Scan(&id)
		if err != nil || id != growthID(12, n) {
			t.Errorf("%d is %s there and %s here, %v", n, id, growthID(12, n), err)
		}
	}
}

func TestGrowthRows(t *testing.T) {
	at := func(ms ...int) (s []sample) {
		for _, m := range ms {
			s = append(s, sample{p50: time.Duration(m) * time.Millisecond})
		}
		return s
	}
	rows := growthRows("schedule", 100, at(10, 20), at(5, 5), at(11, 24), at(5, 6))
	if len(rows) != 2 || rows[0].Figure[0] != 1.1 || rows[0].Figure[1] != 1.2 || rows[0].Aim.Most != 1.1 || rows[1].Figure[1] != 1 {
		t.Errorf("%+v", rows)
	}
	if growthMost(1000) != 1.2 || growthMost(10_000) != 1.3 {
		t.Error("among thousands it may cost a little more")
	}
}
