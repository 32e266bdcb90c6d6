package bench

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// TestRush: of the 32 carts of a burst one gets the person, or the room, the others are refused; and so it is with the
// inserts that stand beside them.
func TestRush(t *testing.T) {
	b := seeded(t)
	business, err := b.id(t.Context(), "bench.rush()")
	if err != nil {
		t.Fatal(err)
	}
	people, err := b.people(t.Context(), "select id, name, email from persons where email like 'racer%' order by email limit 64")
	if err != nil {
		t.Fatal(err)
	}
	bare, err := b.openBare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer bare.close()
	for name, ways := range map[string][]func(context.Context) (bool, error){
		"people": {b.holds(t, business, people, 0), bare.on("member").one},
		"rooms":  {b.holds(t, business, people, b.rushCarts), bare.on("space").one},
	} {
		for i, one := range ways {
			for burst := range 2 {
				won := 0
				for range rushClients {
					got, err := one(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if got {
						won++
					}
				}
				if won != 1 {
					t.Errorf("%s, %d: %d of burst %d got it", name, i, won, burst)
				}
			}
		}
	}
	over := &holding{left: 0}
	if _, err := over.one(t.Context()); !errors.Is(err, errDone) {
		t.Errorf("without a cart left: %v", err)
	}
	if n, err := b.deadlocks(t.Context()); err != nil || n != 0 {
		t.Errorf("%d deadlocks, %v", n, err)
	}
}

// holds holds the rush carts from first on.
func (b *bench) holds(t *testing.T, business uuid.UUID, people []tenancy.Principal, first int64) func(context.Context) (bool, error) {
	t.Helper()
	db, err := pg.Open(t.Context(), pg.Config{URL: b.URL("foyer_app")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return (&holding{verbs: newCheckout(db), business: business, racers: people, next: first, left: b.rushCarts}).one
}

// TestInsertsAgain: a deadlock is tried again, three times in all; a conflict is an answer; another error ends it.
func TestInsertsAgain(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		codes []string
		got   bool
		err   error
	}{
		{[]string{""}, true, nil}, {[]string{"23P01"}, false, nil}, {[]string{"40P01", "40P01", ""}, true, nil},
		{[]string{"40P01", "23P01"}, false, nil}, {[]string{"40P01", "40P01", "40P01"}, false, errVain}, {[]string{"42P01"}, false, boom},
	} {
		asked := 0
		i := &inserting{exec: func(context.Context, string, ...any) (string, error) {
			code := c.codes[asked]
			asked++
			if code == "" {
				return "", nil
			}
			return code, boom
		}}
		got, err := i.one(t.Context())
		if got != c.got || !errors.Is(err, c.err) || asked != len(c.codes) {
			t.Errorf("%q: %v, %v after %d", c.codes, got, err, asked)
		}
	}
}

// TestRaceCarts: the carts of a race are for the last seat, and for seats that there are; each race has its own.
func TestRaceCarts(t *testing.T) {
	b := seeded(t)
	for which, want := range []int64{1, racers, racers} {
		var dates, free int64
		first := 2*b.rushCarts + int64(which*racers)
		if err := b.super.QueryRow(t.Context(), `select count(distinct i.occurrence_id), sum(o.capacity - o.taken) / count(*)
			from generate_series($1::bigint, $1 + $2 - 1) n join cart_items i on i.id = bench.id(47, n)
			join occurrences o on o.id = i.occurrence_id`, first, racers).Scan(&dates, &free); err != nil {
			t.Fatal(err)
		}
		if dates != want || (free == 1) != (which == 0) {
			t.Errorf("%d: %d dates with %d seats", which, dates, free)
		}
	}
}

func TestRacing(t *testing.T) {
	a := racing{took: []time.Duration{time.Second}, won: 1, failed: 1, wrong: ": 500"}
	b := racing{took: []time.Duration{3 * time.Second}, refused: 2, failed: 1, wrong: ": 502"}
	sum := together([]racing{a, b})
	if sum.won != 1 || sum.refused != 2 || sum.failed != 2 || sum.wrong != ": 500" || sum.p99() != 3000 {
		t.Errorf("together %+v", sum)
	}
	full := racing{won: racers * racesOfRound}
	if expectAll(full, full) != nil || expectAll(full, sum) == nil {
		t.Error("somebody without a seat is not told")
	}
}

// TestRaceIsSent: all at once, each on its own connection, and every kind of answer is counted as what it is.
func TestRaceIsSent(t *testing.T) {
	var all sync.WaitGroup
	all.Add(3)
	address := serve(t, func(path string) int {
		if path == "/alone" {
			return 200
		}
		all.Done()
		all.Wait()
		return map[string]int{"/200": 200, "/409": 409, "/500": 500}[path]
	})
	connections, closeAll, err := clients(address, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll()
	got := burst(connections, [][]byte{head("POST", "/200", "", ""), head("POST", "/409", "", ""), head("POST", "/500", "", "")})
	if got.won != 1 || got.refused != 1 || got.failed != 1 || len(got.took) != 3 || got.wrong == "" {
		t.Errorf("%+v", got)
	}
	if got := oneByOne(connections[0], [][]byte{head("POST", "/alone", "", ""), head("POST", "/alone", "", "")}); got.won != 2 {
		t.Errorf("one by one %+v", got)
	}
}
