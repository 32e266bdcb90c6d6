package main

import (
	"context"
	"fmt"
	"time"
)

const (
	cutLong  = 15 * time.Second
	cutEvery = time.Second
)

// connectionsCut ends all connections of the product again and again, as an administrator or a failover does.
func connectionsCut(ctx context.Context, p *place, at *wire, _ *program, t *town) ([]figure, error) {
	super, err := p.postgres.connect(ctx, "postgres")
	if err != nil {
		return nil, err
	}
	defer super.Close(ctx)
	cut := 0
	var cutting error
	var reads, writes tally
	var done ledger
	stopCutting := behind(ctx, func(ctx context.Context) {
		for pause(ctx, cutEvery) && cutting == nil {
			var n int
			cutting = super.QueryRow(context.WithoutCancel(ctx),
				"select count(pg_terminate_backend(pid)) from pg_stat_activity where usename in ('foyer_app', 'foyer_job')").Scan(&n)
			cut += n
		}
	})
	stopBooking := behind(ctx, func(ctx context.Context) {
		over(ctx, 4, func(context.Context, int, int) {
			t.book(context.WithoutCancel(ctx), patiently(at, &writes), sharedStudios, &done)
		})
	})
	steady(ctx, 200, cutLong, func(ctx context.Context, n int, due time.Time) { t.look(ctx, at, &reads, n, due) })
	stopCutting()
	stopBooking()
	if cutting != nil {
		return nil, cutting
	}
	p.say("  reads: %s", &reads)
	p.say("  writes: %s", &writes)
	a, err := done.compare(ctx, at, t, sharedStudios)
	if err != nil {
		return nil, err
	}
	return []figure{
		none(fmt.Sprintf("all connections to Postgres ended every second for %s (%d of them): reads answered with 5xx", short(cutLong), cut),
			reads.count(failed), fmt.Sprint(reads.count(anyStatus))),
		none("the same, responses to bookings other than success or \"retry\"", writes.unsaid(),
			fmt.Sprintf("%d (%d told to retry)", writes.count(anyStatus), writes.count(failed))),
		holds("the same, bookings acknowledged; lost; findings of the data check", "any, 0, 0", fmt.Sprintf("%d, %d, %d", done.len(), a.lost, a.wrong),
			done.len() > 0 && a.lost == 0 && a.wrong == 0),
	}, nil
}
