package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	lockedFor    = 8 * time.Second
	lockedBehind = 30
	lockedP99    = 250 * time.Millisecond
)

// lockedRow has somebody hold one date's row while thirty people book that date, and looks at how all others fare.
func lockedRow(ctx context.Context, p *place, at *wire, _ *program, t *town) ([]figure, error) {
	hot := date{t.studios[len(t.studios)-1], t.studios[len(t.studios)-1].dates[0]}
	var queue tally
	var filled []*cart
	for range lockedBehind {
		c := <-t.customers
		defer func() { t.customers <- c }()
		one := c.cart(hot, patiently(at, &queue))
		if err := one.fill(ctx); err != nil {
			return nil, err
		}
		filled = append(filled, one)
	}
	super, err := p.postgres.connect(ctx, "town")
	if err != nil {
		return nil, err
	}
	defer super.Close(ctx)
	if _, err := super.Exec(ctx, "begin; select from occurrences where id = '"+hot.occurrence+"' for update"); err != nil {
		return nil, err
	}

	queue = tally{}
	var booked ledger
	var waiting sync.WaitGroup
	for _, one := range filled {
		waiting.Go(func() {
			if err := one.hold(ctx); err != nil {
				return // it is in the tally
			}
			if booking, err := one.confirm(ctx); err == nil {
				booked.add(booking, hot.studio)
			}
		})
	}
	var others tally
	var done ledger
	t.mixed(ctx, at, &others, &done, lockedFor)
	began := time.Now() // real time: it is what is measured
	if _, err := super.Exec(ctx, "rollback"); err != nil {
		return nil, err
	}
	waiting.Wait()
	after := time.Since(began)
	p.say("  others: %s", &others)
	p.say("  the queue: %s", &queue)
	return []figure{
		atMost(fmt.Sprintf("a date's row locked for %s while %d customers book it: other studios' requests, p99", short(lockedFor), lockedBehind), lockedP99, others.part(0.99)),
		none("the same, other studios' requests that fail", others.count(failed), fmt.Sprint(others.count(anyStatus))),
		none("the same, responses to the thirty other than success or \"retry\"", queue.unsaid(), fmt.Sprintf("%d (%d told to retry)",
			queue.count(anyStatus), queue.count(func(status int) bool { return status >= http.StatusInternalServerError }))),
		holds("the same, of the thirty booked on retry", fmt.Sprint(lockedBehind), fmt.Sprintf("%d, %s after its end", booked.len(), short(after)),
			booked.len() == lockedBehind),
	}, nil
}
