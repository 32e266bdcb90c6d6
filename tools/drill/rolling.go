package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"
)

const (
	rollingLong  = 2 * time.Minute
	rollingEvery = 10 * time.Second
	// A hundred requests a second: 80 reads, and 5 bookings of four keyed writes each.
	mixedReads    = 80
	mixedBookings = 5
)

// rolling restarts two servers behind nginx in turn, as a deployment does, while people read and book.
func rolling(ctx context.Context, p *place) (list []figure, err error) {
	s, t, err := p.shared(ctx)
	if err != nil {
		return nil, err
	}
	var commands [2]command
	var servers [2]*program
	var addresses [2]string
	for i := range servers {
		if addresses[i], err = freeAddress(); err != nil {
			return nil, err
		}
		commands[i] = s.command(s.foyer, fmt.Sprint("rolling", i), "serve", "--with-worker", "--addr", addresses[i])
		if servers[i], err = commands[i].start(ctx); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, ended(servers[i])) }()
	}
	front, err := startNginx(ctx, p.operations, filepath.Join(p.dir, "nginx"), addresses[:]...)
	if errors.Is(err, errNoNginx) {
		return []figure{holds("two servers behind nginx, restarted in turn", "0 failed requests", "not run: "+err.Error(), false)}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, front.stop()) }()

	at := newWire(front.address)
	defer at.close()
	var seen tally
	var done ledger
	restarts, longest := 0, highest{}
	var restarting error
	stop := behind(ctx, func(ctx context.Context) {
		for pause(ctx, rollingEvery) && restarting == nil {
			i := restarts % 2
			took, err := servers[i].end()
			longest.see(int64(took))
			if err == nil {
				servers[i], err = commands[i].start(context.WithoutCancel(ctx))
			}
			restarting = err
			restarts++
		}
	})
	t.mixed(ctx, at, &seen, &done, rollingLong)
	stop()
	if restarting != nil {
		return nil, restarting
	}
	p.say("  %s; %d restarts", &seen, restarts)
	a, err := done.compare(ctx, at, t, sharedStudios)
	if err != nil {
		return nil, err
	}
	bad := seen.count(func(status int) bool { return status < http.StatusOK || status >= http.StatusBadRequest })
	return []figure{
		none(fmt.Sprintf("two servers behind nginx, %d restarts in turn under 100 requests a second for %s: failed requests", restarts, short(rollingLong)),
			bad, fmt.Sprint(seen.count(anyStatus))),
		holds("the same, bookings acknowledged; lost; findings of the data check", "any, 0, 0", fmt.Sprintf("%d, %d, %d", done.len(), a.lost, a.wrong),
			done.len() > 0 && a.lost == 0 && a.wrong == 0),
		atMost("the same, shutdown of a server", endMost, time.Duration(longest.n.Load())),
	}, nil
}

// mixed is a hundred requests a second for so long: reads of all studios, bookings at the first.
func (t *town) mixed(ctx context.Context, at *wire, seen *tally, done *ledger, long time.Duration) {
	var both sync.WaitGroup
	both.Go(func() {
		steady(ctx, mixedReads, long, func(ctx context.Context, n int, due time.Time) { t.look(ctx, at, seen, n, due) })
	})
	both.Go(func() {
		steady(ctx, mixedBookings, long, func(ctx context.Context, _ int, _ time.Time) { t.bookOnce(ctx, at, seen, done) })
	})
	both.Wait()
}
