package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// What the product gives the processor, and half a second for everything else.
	processorMost = 10*time.Second + 500*time.Millisecond
	settleMost    = 60 * time.Second
)

// processorHangs has the processor take requests and say nothing, while one customer wants to pay and another one has just paid.
func processorHangs(ctx context.Context, p *place) (list []figure, err error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	far, err := openFarStripe(p.dir, address)
	if err != nil {
		return nil, err
	}
	defer far.close()
	s, err := p.database(ctx, "payments", p.foyer)
	if err != nil {
		return nil, err
	}
	s = s.with(append(far.env, "BASE_URL=http://drill.test")...)
	server, err := s.command(s.foyer, "processor-hangs", "serve", "--with-worker", "--addr", address).start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ended(server)) }()
	f := s.founder(newWire(address))
	t, err := f.found(ctx, size{studios: 1, listings: 2, customers: 2, price: 2200})
	if err != nil {
		return nil, err
	}
	if err := f.takesCards(ctx, t, far); err != nil {
		return nil, err
	}

	var before, during tally
	paying, wanting := <-t.customers, <-t.customers
	paid, wanted := paying.cart(t.date(0, 1), once(f.at, &before)), wanting.cart(t.date(1, 1), once(f.at, &before))
	for _, c := range []*cart{paid, wanted} {
		if err := errors.Join(c.fill(ctx), c.hold(ctx)); err != nil {
			return nil, err
		}
	}
	secret, err := paid.pay(ctx)
	if err != nil {
		return nil, err
	}
	goOn := far.hang()
	defer goOn()
	if _, err := far.sim.PayByCard(secret, "4242424242424242"); err != nil {
		return nil, err
	}
	paid.send, wanted.send = once(f.at, &during), once(f.at, &during)
	var both sync.WaitGroup
	both.Go(func() { _, _ = wanted.pay(ctx) }) // what became of it is in the tally
	both.Go(func() { _, _ = paid.confirm(ctx) })
	both.Wait()
	goOn()
	there := map[string]bool{}
	settled, ok := until(ctx, 2*settleMost, func() bool {
		there, err = f.bookings(ctx, t.owner, t.studios[0])
		return err != nil || len(there) > 0
	})
	if err != nil {
		return nil, err
	}
	p.say("  %s", &during)
	return []figure{
		atMost("the card processor accepts requests and never answers: the slower of \"payment\" and \"confirm\"", processorMost, during.part(1)),
		none("the same, responses other than success or \"processor_unavailable\"", during.unsaid(), fmt.Sprint(during.count(anyStatus))),
		holds("the same, time until paid carts are booked after it answers again", "≤ "+short(settleMost), short(settled), ok && settled <= settleMost && len(there) == 1),
	}, nil
}

// takesCards connects the first studio with the processor, whose page its owner fills in.
func (f founder) takesCards(ctx context.Context, t *town, far *farStripe) error {
	path := "/businesses/" + t.studios[0].business + "/processor"
	begin := ask{method: http.MethodPost, path: path + "/onboarding", session: t.owner, body: `{"returnUrl":"http://drill.test/"}`}
	if err := f.want(ctx, http.StatusOK, begin, nil); err != nil {
		return err
	}
	if err := far.sim.Activate(far.account); err != nil {
		return err
	}
	var now struct{ State string }
	_, ok := until(ctx, time.Minute, func() bool {
		return f.want(ctx, http.StatusOK, ask{method: http.MethodGet, path: path, session: t.owner}, &now) == nil && now.State == "active"
	})
	if !ok {
		return fmt.Errorf("the studio's account is %q after a minute", now.State)
	}
	return nil
}

// pay asks for the payment of a held cart, and returns what the customer's browser needs for it.
func (c *cart) pay(ctx context.Context) (secret string, err error) {
	var out struct{ ClientSecret string }
	err = c.do(ctx, http.StatusOK, "payment", "/storefront/carts/"+c.token+"/payment", fmt.Sprintf(`{"quotedTotal":%d}`, c.total), &out)
	return out.ClientSecret, err
}
