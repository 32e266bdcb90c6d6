package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	racers       = 200 // want the last seat at once
	racesOfRound = 4   // the first is not counted
)

// race measures the time of an answer when 200 customers want the last seat of a class at once, against 200 at once
// who each want a seat of a class with room, and against 200 who want the last seat of another class one after
// another: a request among many at once should not take much longer than in a queue of them. Each holds a cart, over
// HTTP. One of the 200 must get the seat, the others a conflict, and none a 500.
func (b *bench) race(ctx context.Context) ([]Row, error) {
	connections, closeAll, err := clients(b.server.address, racers)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	ways := []func(n int) racing{
		func(n int) racing { return burst(connections, b.raceRequests(n, 0)) },
		func(n int) racing { return burst(connections, b.raceRequests(n, 1)) },
		func(n int) racing { return oneByOne(connections[0], b.raceRequests(b.Rounds*racesOfRound+n, 0)) },
	}
	var contended, apart, queue, given, failed series
	for round := range b.Rounds {
		came := make([]racing, len(ways))
		for i := range racesOfRound {
			n := round*racesOfRound + i
			for k := range ways {
				way := (n + k) % len(ways)
				r := ways[way](n)
				if i == 0 {
					r.took = nil
				}
				came[way] = together([]racing{came[way], r})
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		last, own, single := came[0], came[1], came[2]
		if own.won != racers*racesOfRound {
			return nil, fmt.Errorf("bench: %d of %d got a seat of a class with room%s", own.won, racers*racesOfRound, own.wrong)
		}
		if single.won != racesOfRound || single.failed > 0 {
			return nil, fmt.Errorf("bench: one after another %d got the last of %d seats%s", single.won, racesOfRound, single.wrong)
		}
		contended, apart, queue = append(contended, last.p99()), append(apart, own.p99()), append(queue, single.each(racers))
		given = append(given, float64(last.won)/racesOfRound)
		failed = append(failed, float64(last.failed))
		b.Say(fmt.Sprintf("race %d/%d: p99 %.1f ms, %.1f ms for seats of their own, %.1f ms for all one by one; %d seats given, %d refused, %d failed%s",
			round+1, b.Rounds, last.p99(), own.p99(), queue[round], last.won, last.refused, last.failed, last.wrong))
	}
	name := fmt.Sprintf("%d at once for the last seat", racers)
	return []Row{
		{Workload: name + ", p99 ms over as many at once for seats of their own", Foyer: contended.median(), Floor: apart.median(),
			Figure: contended.over(apart), Aim: Aim{Most: 5}},
		{Workload: name + ", p99 ms over all of them one by one", Foyer: contended.median(), Floor: queue.median(), Figure: contended.over(queue),
			Aim: Aim{Most: 1.5}},
		{Workload: name + ", seats given", Foyer: given.median(), Floor: 1, Figure: given, Aim: Aim{Least: 1, Most: 1}},
		{Workload: name + ", answers that are no answer", Foyer: failed.sum(), Floor: 0, Figure: failed, Unit: "a round", Aim: Aim{None: true}},
	}, nil
}

// raceRequests are the holds of race n: 0 of the last seat, 1 of seats of their own.
func (b *bench) raceRequests(n, which int) [][]byte {
	out := make([][]byte, racers)
	for i := range out {
		out[i] = rushHold(2*b.rushCarts + int64((n*3+which)*racers+i))
	}
	return out
}

// racing is the outcome of requests.
type racing struct {
	took                 []time.Duration
	won, refused, failed int
	wrong                string // answer of the first failed one
}

// burst sends one request on each connection, all at once.
func burst(connections []*client, requests [][]byte) racing {
	var start, done sync.WaitGroup
	each := make([]racing, len(requests))
	start.Add(1)
	for i, request := range requests {
		done.Go(func() {
			start.Wait()
			each[i].send(connections[i], request)
		})
	}
	start.Done()
	done.Wait()
	return together(each)
}

// oneByOne sends them one after the other on one connection.
func oneByOne(c *client, requests [][]byte) racing {
	var r racing
	for _, request := range requests {
		r.send(c, request)
	}
	return r
}

func (r *racing) send(c *client, request []byte) {
	began := time.Now() // real time: it is measured
	status, body, err := c.ask(request)
	r.took = append(r.took, time.Since(began))
	switch {
	case err == nil && status == fasthttp.StatusOK:
		r.won++
	case err == nil && status == fasthttp.StatusConflict:
		r.refused++
	default:
		r.failed++
		r.wrong = fmt.Sprintf(": %d %s %v", status, body, err)
	}
}

func together(list []racing) (out racing) {
	for _, r := range list {
		out.took = append(out.took, r.took...)
		out.won += r.won
		out.refused += r.refused
		out.failed += r.failed
		if out.wrong == "" {
			out.wrong = r.wrong
		}
	}
	return out
}

// each is how many ms so many of them take one after the other.
func (r racing) each(many int) float64 {
	var sum time.Duration
	for _, t := range r.took {
		sum += t
	}
	return sum.Seconds() * 1e3 * float64(many) / float64(len(r.took))
}

func (r racing) p99() float64 { return percentile(r.took, 99).Seconds() * 1e3 }

const rushClients = 32 // want the same at once

// rushOfLoad is how many carts there are for one round of a rush: more than are used.
func (b *bench) rushOfLoad() int64 { return 2048 * b.seconds() }

// rush measures 32 requests at once, over HTTP, for the same half hour of one instructor, or of one room as a whole;
// and then the next. One gets it, the others are refused with alternatives. There is no floor: an insert guarded only
// by an exclusion constraint is faster, and has deadlocks.
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

// burst sends all requests at once, and again when the last has its answer, for so long, and returns the answers a
// second.
func (r *rushing) burst(long time.Duration) (rate float64, err error) {
	began, first := time.Now(), r.next // real time: it is measured
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

// deadlocks returns the number of deadlocks that the server has counted in this database. A backend reports its
// counters when it is idle, a second later at most.
func (b *bench) deadlocks(ctx context.Context) (n int64, err error) {
	if _, err := b.super.Exec(ctx, "select pg_sleep(1.2)"); err != nil {
		return 0, err
	}
	err = b.super.QueryRow(ctx, "select deadlocks from pg_stat_database where datname = current_database()").Scan(&n)
	return n, err
}
