package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// How much comes, and for how long. L1, L2 and L3 of the goals.
const (
	readsRate    = 500
	bookingsRate = 50
	crowdLong    = 60 * time.Second
	overloadRate = 5 * readsRate
	overloadLong = 20 * time.Second
	readsP95     = 50 * time.Millisecond
	readsP99     = 150 * time.Millisecond
	bookingsP95  = 250 * time.Millisecond
	memoryMost   = 1 << 30
)

// reads has many visitors look at all studios.
func reads(ctx context.Context, p *place, at *wire, _ *program, t *town) ([]figure, error) {
	var seen tally
	steady(ctx, readsRate, crowdLong, func(ctx context.Context, n int, due time.Time) { t.look(ctx, at, &seen, n, due) })
	p.say("  %s", &seen)
	return []figure{
		atMost(fmt.Sprintf("%d reads a second for %s, p95", readsRate, short(crowdLong)), readsP95, seen.part(0.95)),
		atMost("the same, p99", readsP99, seen.part(0.99)),
		none("the same, responses other than 200", seen.count(func(status int) bool { return status != http.StatusOK }), fmt.Sprint(seen.count(anyStatus))),
	}, nil
}

// bookings has signed-in people book: a cart, its item, the hold and the confirmation, each a request with a key.
func bookings(ctx context.Context, p *place, at *wire, _ *program, t *town) ([]figure, error) {
	var seen tally
	var done ledger
	steady(ctx, bookingsRate, crowdLong, func(ctx context.Context, _ int, _ time.Time) {
		t.bookOnce(ctx, at, &seen, &done)
	})
	p.say("  %s", &seen)
	a, err := done.compare(ctx, at, t, sharedStudios)
	if err != nil {
		return nil, err
	}
	booked, asked := done.len(), bookingsRate*int(crowdLong.Seconds())
	return []figure{
		atMost(fmt.Sprintf("%d bookings a second for %s over %d dates, p95 of a request", bookingsRate, short(crowdLong), sharedStudios*len(t.studios[0].dates)),
			bookingsP95, seen.part(0.95)),
		none("the same, responses of 5xx or none", seen.count(failed), fmt.Sprint(seen.count(anyStatus))),
		holds("the same, bookings made", fmt.Sprint(asked), fmt.Sprint(booked), booked == asked),
		holds("the same, bookings lost, and findings of the data check", "0, 0", fmt.Sprintf("%d, %d", a.lost, a.wrong), a.lost == 0 && a.wrong == 0),
	}, nil
}

// overload sends five times the reads, and then as many as before.
func overload(ctx context.Context, p *place, at *wire, server *program, t *town) ([]figure, error) {
	var memory highest
	watched := behind(ctx, func(ctx context.Context) {
		for pause(ctx, 100*time.Millisecond) {
			memory.see(server.memory())
		}
	})
	var much tally
	var rush sync.WaitGroup
	rush.Go(func() {
		steady(ctx, overloadRate, overloadLong, func(ctx context.Context, n int, due time.Time) { t.look(ctx, at, &much, n, due) })
	})
	pause(ctx, overloadLong)
	served := float64(much.count(anyStatus)) / overloadLong.Seconds()
	back := normalAgain(ctx, readsP95, func(seen *tally) { // while those are answered who came before
		steady(ctx, readsRate, time.Second, func(ctx context.Context, n int, due time.Time) { t.look(ctx, at, seen, n, due) })
	})
	rush.Wait()
	watched()
	p.say("  %s; %.0f a second", &much, served)
	odd := much.count(func(status int) bool {
		return status != http.StatusOK && status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable
	})
	held := memory.n.Load()
	return []figure{
		none(fmt.Sprintf("%d reads a second for %s (answered: %.0f a second), responses other than 200, 429 or 503", overloadRate, short(overloadLong), served),
			odd, fmt.Sprint(much.count(anyStatus))),
		holds("the same, memory of the server", "< 1 GB", fmt.Sprintf("%d MB", held>>20), held < memoryMost),
		atMost(fmt.Sprintf("time after its end until %d a second are below p95 %s again", readsRate, short(readsP95)), backMost, back),
	}, nil
}

// backMost is when all must be as before.
const backMost = 10 * time.Second

// ended ends a program and tells what was wrong with that.
func ended(p *program) error {
	_, err := p.end()
	return err
}
