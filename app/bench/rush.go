package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

const rushClients = 32 // want the same at once

// rushOfLoad is how many carts there are for one round of a rush: more than are used.
func (b *bench) rushOfLoad() int64 { return 2048 * b.seconds() }

// rush is what 32 want at once, over HTTP: the same half hour with the same person, or in the same room as a whole; and
// then the next. One gets it, the others are refused and told of other times. There is no floor: an insert that only an
// exclusion constraint guards answers sooner, and with deadlocks.
func (b *bench) rush(ctx context.Context) ([]Row, error) {
	connections, closeAll, err := clients(b.server.address, rushClients)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	var rows []Row
	for i, what := range []string{"a person", "a whole room"} {
		r := rushing{bench: b, connections: connections, next: int64(i) * b.rushCarts, end: int64(i+1) * b.rushCarts}
		more, err := r.rows(ctx, what)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// rushing uses the rush carts from next to end.
type rushing struct {
	*bench
	connections []*client
	next, end   int64
}

func (r *rushing) rows(ctx context.Context, what string) ([]Row, error) {
	var rates, dead series
	for round := range r.Rounds {
		before, err := r.deadlocks(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := r.burst(r.Warm); err != nil {
			return nil, err
		}
		rate, err := r.burst(r.Window)
		if err != nil {
			return nil, err
		}
		after, err := r.deadlocks(ctx)
		if err != nil {
			return nil, err
		}
		rates, dead = append(rates, rate), append(dead, float64(after-before))
		r.Say(fmt.Sprintf("rush on %s %d/%d: %.0f answers/s, %d deadlocks", what, round+1, r.Rounds, rate, after-before))
	}
	name := fmt.Sprintf("%d at once for the same time of %s, ", rushClients, what)
	return []Row{
		{Workload: name + "answers per second", Foyer: rates.median(), Floor: math.NaN(), Figure: rates, Unit: "a second"},
		{Workload: name + "deadlocks", Foyer: dead.sum(), Floor: 0, Figure: dead, Unit: "a round", Aim: Aim{None: true}},
	}, nil
}

// burst lets all ask at once, and once more when the last has its answer, for so long, and returns the answers a second.
func (r *rushing) burst(long time.Duration) (rate float64, err error) {
	began, first := time.Now(), r.next // real time: it is what is measured
	for time.Since(began) < long {
		if r.next+rushClients > r.end {
			return 0, errors.New("bench: there are too few rush carts")
		}
		requests := make([][]byte, rushClients)
		for i := range requests {
			requests[i] = rushHold(r.next + int64(i))
		}
		r.next += rushClients
		if got := burst(r.connections, requests); got.won != 1 || got.failed > 0 {
			return 0, fmt.Errorf("bench: %d of %d got the same time, %d got no answer%s", got.won, rushClients, got.failed, got.wrong)
		}
	}
	return float64(r.next-first) / time.Since(began).Seconds(), nil
}

// rushHold is the request that holds rush cart n.
func rushHold(n int64) []byte {
	return head("POST", "/storefront/carts/"+cartToken(1_000_000_000+n)+"/hold", sessionToken(10_000+n%rushRacers), "")
}

// rushRacers is bench.rush_racers().
const rushRacers = 20_011

// deadlocks is how many the server has counted in this database. A backend tells what it has counted when it has nothing
// else to do, a second later at most.
func (b *bench) deadlocks(ctx context.Context) (n int64, err error) {
	if _, err := b.super.Exec(ctx, "select pg_sleep(1.2)"); err != nil {
		return 0, err
	}
	err = b.super.QueryRow(ctx, "select deadlocks from pg_stat_database where datname = current_database()").Scan(&n)
	return n, err
}
