package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	sigtermTimes = 5
	sigtermLoad  = 16 // people who ask as fast as they are answered
)

// sigterm ends a server that is busy. There is no balancer: whoever finds that nobody listens any more goes away, and everybody
// else must have an answer.
func sigterm(ctx context.Context, p *place) ([]figure, error) {
	s, t, err := p.shared(ctx)
	if err != nil {
		return nil, err
	}
	var seen tally
	var longest highest
	after := 0
	for range sigtermTimes {
		server, err := s.serve(ctx, "sigterm")
		if err != nil {
			return nil, err
		}
		at := newWire(server.address)
		stop := behind(ctx, func(ctx context.Context) {
			over(ctx, sigtermLoad, func(ctx context.Context, who, n int) {
				q := t.lookOf(who*131 + n)
				if n%4 == 0 {
					q = ask{method: http.MethodPost, path: "/storefront/carts", key: rand.Text(),
						body: fmt.Sprintf(`{"locationId":%q}`, t.studios[who%len(t.studios)].location)}
				}
				due := time.Now() // real time: it is what is measured
				a, err := at.do(ctx, q)
				if errors.Is(err, errRefused) {
					pause(ctx, time.Minute) // this one has gone away
					return
				}
				seen.say(due, q, a, err)
			})
		})
		pause(ctx, time.Second)
		before := seen.count(anyStatus)
		took, err := server.end()
		stop()
		at.close()
		if err != nil {
			return nil, err
		}
		after += seen.count(anyStatus) - before
		longest.see(int64(took))
	}
	p.say("  %s; %d of them after the signal", &seen, after)
	return []figure{
		none(fmt.Sprintf("SIGTERM under load, %d times: requests accepted and not answered", sigtermTimes), seen.count(failed),
			fmt.Sprintf("%d (%d after the signal)", seen.count(anyStatus), after)),
		atMost("the same, time to exit with code 0", endMost, time.Duration(longest.n.Load())),
	}, nil
}
