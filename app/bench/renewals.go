package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// A night of renewals: in a short run few of them.
const (
	renewalsOfNight = 10_000
	renewalsOfShort = 400
	renewalWorkers  = 2
	renewalsMost    = 10 // MB of heap more than before
)

// renewals has two workers renew the memberships of a business whose billing periods begin on one day: for each an
// order, and a charge of its saved card that is put into the outbox. The charges themselves, which wait for the
// processor, are left out. Memory is the live heap of both.
func (b *bench) renewals(ctx context.Context) ([]Row, error) {
	n := renewalsOfNight
	if b.Window <= time.Second {
		n = renewalsOfShort
	}
	t := &till{bench: b}
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	if err := b.seedRenewals(ctx, n); err != nil {
		return nil, err
	}
	before, peak := liveHeap(), uint64(0)
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-done:
				return
			case <-time.After(500 * time.Millisecond):
				peak = max(peak, liveHeap())
			}
		}
	}()
	failed := make([]error, renewalWorkers)
	began, cpu := time.Now(), b.cpu.now() // real time: it is measured
	var workers sync.WaitGroup
	for i := range renewalWorkers {
		workers.Go(func() { failed[i] = t.owed.RenewDue(ctx) })
	}
	workers.Wait()
	took, used := time.Since(began), b.cpu.now()-cpu
	close(done)
	<-watched
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	var renewed int
	if err := b.super.QueryRow(ctx, `select count(*) from cycles c join order_lines x on x.id = c.order_line_id
		join payments p on p.order_id = x.order_id
		where c.business_id = bench.business(0) and c.state = 'due' and c.tries = 1`).Scan(&renewed); err != nil {
		return nil, err
	}
	if renewed != n {
		return nil, fmt.Errorf("bench: %d of %d memberships were renewed", renewed, n)
	}
	more := float64(int64(max(peak, before))-int64(before)) / (1 << 20)
	name := fmt.Sprintf("renewals of one midnight, %d by %d workers", n, renewalWorkers)
	row := func(what string, figure float64, unit string, aim Aim) Row {
		return Row{
			Workload: name + ", " + what, Foyer: figure, Floor: math.NaN(), Figure: series{figure}, Unit: unit, Aim: aim,
		}
	}
	b.Say(fmt.Sprintf("%s: %s, %.1f MB more", name, took, more))
	rows := []Row{row("ms each", float64(took.Microseconds())/1e3/float64(n), "ms", Aim{})}
	if used > 0 {
		rows = append(rows, row("CPU ms of Postgres each", float64(used.Microseconds())/1e3/float64(n), "ms", Aim{}))
	}
	return append(rows, row("MB of live heap beyond that before", more, "MB", Aim{Most: renewalsMost})), nil
}

// liveHeap returns the bytes that are in use.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// seedRenewals makes a plan and members of it. The account that has their cards is there.
func (b *bench) seedRenewals(ctx context.Context, n int) error {
	if _, err := b.onSale(ctx, plan.CreateInput{
		Name: "Renewing", Kind: plan.Renewing, PriceAmount: 6000, Benefits: []plan.Benefit{{}},
		Validity: plan.Validity{Count: 1, Unit: rules.Month},
	}); err != nil {
		return err
	}
	if err := fill(ctx, b.super, map[string]int{"renewals": n}, b.Say, "seed_renewals.sql"); err != nil {
		return err
	}
	_, err := b.super.Exec(ctx, "analyze customers, memberships, cycles, saved_cards")
	return err
}
