package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

const (
	rushClients = 32 // want the same at once
)

// rushOfLoad is how many carts there are for one round of a rush: more than are used.
func (b *bench) rushOfLoad() int64 {
	return 2048 * b.seconds()
}

// rush is what 32 want at once: the same half hour with the same person, or in the same room as a whole; and then the
// next. The product holds carts: it locks the person or the room, looks, and then writes hold, booking, occurrence and
// claim, or refuses and names other times. What stands against it is the way that suggests itself, and no floor: an insert into a table with the same
// exclusion constraints, which decide. That a time is taken is an answer, for both; a deadlock is none.
func (b *bench) rush(ctx context.Context) ([]Row, error) {
	db, err := pg.Open(ctx, pg.Config{URL: b.URL("foyer_app"), MaxConns: rushClients})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	bare, err := b.openBare(ctx)
	if err != nil {
		return nil, err
	}
	defer bare.close()
	business, err := b.id(ctx, "bench.rush()")
	if err != nil {
		return nil, err
	}
	people, err := b.people(ctx, `select p.id, p.name, p.email from generate_series(0, bench.rush_racers() - 1) n
		join persons p on p.id = bench.rush_racer(n) order by n`)
	if err != nil {
		return nil, err
	}
	holds := &holding{verbs: newCheckout(db), business: business, racers: people, left: b.rushCarts}
	rows, err := b.rushOn(ctx, "a person", holds, bare.on("member"))
	if err != nil {
		return nil, err
	}
	holds = &holding{verbs: holds.verbs, business: business, racers: people, next: b.rushCarts, left: b.rushCarts}
	more, err := b.rushOn(ctx, "a whole room", holds, bare.on("space"))
	return append(rows, more...), err
}

func (b *bench) rushOn(ctx context.Context, what string, holds *holding, bare *inserting) ([]Row, error) {
	var won, dead, wonBare, deadBare series
	rounds, err := b.compare(ctx, "rush on "+what,
		b.rushing("holds", b.Warm, &won, &dead, holds.one),
		b.rushing("bare", 0, &wonBare, &deadBare, bare.one)) // one burst can take a minute
	if err != nil {
		return nil, err
	}
	b.Say(fmt.Sprintf("rush on %s: %.0f times held, %.0f inserted; %.0f and %.0f deadlocks",
		what, won.sum(), wonBare.sum(), dead.sum(), deadBare.sum()))
	name := fmt.Sprintf("%d at once for the same time of %s, over bare inserts", rushClients, what)
	return append(against(name, rounds[0], rounds[1], Aim{Least: 20}, Aim{}), Row{
		Workload: name + ", deadlocks", Foyer: dead.sum(), Floor: deadBare.sum(), Figure: dead, Unit: "a round", Aim: Aim{None: true},
	}), nil
}

// rushing is a contender of a rush. won counts the times it got, and dead the deadlocks that the server counted.
func (b *bench) rushing(name string, warm time.Duration, won, dead *series, op func(context.Context) (bool, error)) contender {
	return contender{name, func(ctx context.Context, t timing) (sample, error) {
		var got atomic.Int64
		before, err := b.deadlocks(ctx)
		if err != nil {
			return sample{}, err
		}
		s, err := bursts(ctx, timing{warm, t.window}, rushClients, b.cpu.and(os.Getpid()), func(ctx context.Context, _ int) error {
			ok, err := op(ctx)
			if ok {
				got.Add(1)
			}
			return err
		})
		if err != nil {
			return sample{}, err
		}
		after, err := b.deadlocks(ctx)
		*won, *dead = append(*won, float64(got.Load())), append(*dead, float64(after-before))
		return s, err
	}}
}

// deadlocks is how many the server has counted in this database. A backend tells what it has counted when it has nothing
// else to do, a second later at most.
func (b *bench) deadlocks(ctx context.Context) (n int64, err error) {
	if _, err := b.super.Exec(ctx, "select pg_sleep(1.2)"); err != nil {
		return 0, err
	}
	err = b.super.QueryRow(ctx, "select deadlocks from pg_stat_database where datname = current_database()").Scan(&n)
	return n, err
}

// holding holds rush carts, from next on.
type holding struct {
	verbs      *checkout.Service
	business   uuid.UUID
	racers     []tenancy.Principal
	next, left int64
	used       atomic.Int64
}

// one holds a cart and tells whether it got the time. A refusal because somebody else has it is an answer.
func (h *holding) one(ctx context.Context) (bool, error) {
	used := h.used.Add(1) - 1
	if used >= h.left {
		return false, errDone
	}
	n := h.next + used
	sc := tenancy.Visitor(h.racers[n%int64(len(h.racers))], h.business, tenancy.SurfaceAPI)
	_, err := h.verbs.Hold(ctx, sc, rushToken(n), checkout.HoldInput{})
	if f := fault.From(err); f != nil && f.Kind == fault.Conflict && !errors.Is(err, booking.ErrTooManyHolds) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("rush cart %d: %w", n, err)
	}
	return true, nil
}

// rushToken is the token of rush cart n.
func rushToken(n int64) string { return cartToken(1_000_000_000 + n) }
