package bench

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// TestRush: of the 32 carts of a burst one gets the person, or the room, the others are refused.
func TestRush(t *testing.T) {
	b := seeded(t)
	db, err := pg.Open(t.Context(), pg.Config{URL: b.url("foyer_app")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	verbs := services(db, nil).Checkout
	for name, first := range map[string]int64{"people": 0, "rooms": b.rushCarts} {
		for n := first; n < first+2*rushClients; n += rushClients {
			won := 0
			for cart := n; cart < n+rushClients; cart++ {
				var business uuid.UUID
				var racer tenancy.Principal
				racer.Kind = tenancy.ActorPerson
				if err := b.super.QueryRow(t.Context(), "select bench.rush(), id, name, email from persons where id = bench.rush_racer($1)", cart).
					Scan(&business, &racer.ID, &racer.Name, &racer.Email); err != nil {
					t.Fatal(err)
				}
				_, err := verbs.Hold(t.Context(), tenancy.Visitor(racer, business, tenancy.SurfaceAPI), cartToken(1_000_000_000+cart), checkout.HoldInput{})
				if err == nil {
					won++
				} else if f := fault.From(err); f == nil || f.Kind != fault.Conflict || errors.Is(err, booking.ErrTooManyHolds) {
					t.Fatalf("%s, cart %d: %v", name, cart, err)
				}
			}
			if won != 1 {
				t.Errorf("%s: %d of the burst from %d on got it", name, won, n)
			}
		}
	}
	if n, err := b.deadlocks(t.Context()); err != nil || n != 0 {
		t.Errorf("%d deadlocks, %v", n, err)
	}
}

// TestRushIsSent: all clients send at once, burst after burst, and a burst is an error unless one of them got it.
func TestRushIsSent(t *testing.T) {
	var asked atomic.Int64
	winners := int64(1)
	address := serve(t, func(string) int {
		if n := asked.Add(1) - 1; n%rushClients < winners {
			return fasthttp.StatusOK
		}
		return fasthttp.StatusConflict
	})
	connections, closeAll, err := clients(address, rushClients)
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll()
	r := rushing{bench: &bench{}, connections: connections, next: 64, end: 1 << 40}
	if rate, err := r.burst(10 * time.Millisecond); err != nil || rate <= 0 || asked.Load() < rushClients || r.next-64 != asked.Load() {
		t.Errorf("%v a second, %d asked, %d carts, %v", rate, asked.Load(), r.next-64, err)
	}
	r.end = r.next
	if _, err := r.burst(time.Second); err == nil {
		t.Error("it goes on without carts")
	}
	for _, winners = range []int64{0, 2} {
		r.end = 1 << 40
		if _, err := r.burst(time.Millisecond); err == nil {
			t.Errorf("%d got the same time, and nothing is said", winners)
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
	if ms := sum.each(200); ms != 400_000 {
		t.Errorf("200 of them take %v ms one after another", ms)
	}
}

// TestRaceIsSent: all at once, each on its own connection, and answers are counted by kind.
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
