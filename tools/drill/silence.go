package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
)

const (
	stoppedFor = 15 * time.Second
	// What the product gives a request, and half a second for the way there and back.
	readMost  = 10*time.Second + 500*time.Millisecond
	writeMost = 20*time.Second + 500*time.Millisecond
)

// postgresStopped stops Postgres, every process of it, so that it neither answers nor hangs up.
func postgresStopped(ctx context.Context, p *place, at *wire, _ *program, t *town) (list []figure, err error) {
	var reads, writes tally
	var done ledger
	if err := signalAll(p.postgres.data, syscall.SIGSTOP); err != nil {
		return nil, err
	}
	goOn := sync.OnceValue(func() error { return signalAll(p.postgres.data, syscall.SIGCONT) })
	defer func() { err = errors.Join(err, goOn()) }()
	var both sync.WaitGroup
	both.Go(func() {
		steady(ctx, 20, stoppedFor, func(ctx context.Context, n int, due time.Time) { t.look(ctx, at, &reads, n, due) })
	})
	both.Go(func() {
		steady(ctx, 5, stoppedFor, func(ctx context.Context, _ int, _ time.Time) { t.bookOnce(ctx, at, &writes, &done) })
	})
	pause(ctx, stoppedFor)
	if err := goOn(); err != nil {
		return nil, err
	}
	back := normalAgain(ctx, bookingsP95, func(seen *tally) { t.mixed(ctx, at, seen, &done, time.Second) })
	both.Wait()
	p.say("  reads: %s", &reads)
	p.say("  writes: %s", &writes)
	a, err := done.compare(ctx, at, t, sharedStudios)
	if err != nil {
		return nil, err
	}
	slow := func(status int) bool { return status >= 500 }
	return []figure{
		atMost(fmt.Sprintf("Postgres stopped for %s: the slowest read", short(stoppedFor)), readMost, reads.part(1)),
		atMost("the same, the slowest write", writeMost, writes.part(1)),
		none("the same, responses other than success or \"retry\"", reads.unsaid()+writes.unsaid(), fmt.Sprintf("%d (%d told to retry)",
			reads.count(anyStatus)+writes.count(anyStatus), reads.count(slow)+writes.count(slow))),
		atMost("the same, time until reads and bookings are as before", backMost, back),
		holds("the same, bookings lost, and findings of the data check", "0, 0", fmt.Sprintf("%d, %d", a.lost, a.wrong), a.lost == 0 && a.wrong == 0),
	}, nil
}
