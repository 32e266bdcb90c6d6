package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"foyer/app/checkout"
	"foyer/app/clock"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

const (
	paidOfRound = 200  // bookings of each kind in a round
	paidPrice   = 1800 // minor units
)

// paid compares the work of Postgres for a class that is paid by card with that for a free one, both through the
// verbs: held, paid and sold, with the two events of the processor that add the sale and its fees to the books. The
// processor is the simulator in this process, without its own work.
func (b *bench) paid(ctx context.Context) ([]Row, error) {
	buyers, err := b.buyers(ctx)
	if err != nil {
		return nil, err
	}
	t := &till{bench: b, buyers: buyers}
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	var paid, free series
	for round := range b.Rounds + 1 { // the first one opens the accounts of the books, and prepares
		if round == 1 {
			paid, free = nil, nil
			if err := t.analyze(ctx); err != nil {
				return nil, err
			}
		}
		for turn := range 2 {
			if (round+turn)%2 == 0 {
				paid, err = t.turn(ctx, paid, paidPrice, t.pay)
			} else {
				free, err = t.turn(ctx, free, 0, t.book)
			}
			if err != nil {
				return nil, err
			}
		}
		if round > 0 {
			b.Say(fmt.Sprintf("paid %d/%d: %.0f µs of CPU of Postgres each, %.0f of one that is free", round, b.Rounds, paid[round-1], free[round-1]))
		}
	}
	return []Row{{Workload: "booking a class and paying it by card, by the verbs, CPU µs of Postgres each over a free one", Foyer: paid.median(),
		Floor: free.median(), Figure: paid.over(free), Aim: Aim{Most: 1.3}}}, t.priced(ctx, 0, 0)
}

// till sells classes by card.
type till struct {
	*bench
	buyers   []tenancy.Principal
	clock    *clock.Fixed // of the simulator
	sim      *stripesim.Server
	billing  *billing.Service
	checkout *checkout.Service
	owed     *owed.Service

	only    string   // only events of this type are delivered; empty: of all
	secrets []string // of payments that were begun

	mu     sync.Mutex
	events []string // that came, and are not processed
}

// open creates the studio's account that accepts cards.
func (t *till) open(ctx context.Context) (err error) {
	t.clock = clock.NewFixed(t.db.Clock().Now())
	t.sim, err = stripesim.New(stripesim.Options{
		Clock: t.clock, AppURL: "http://app.test", WebhookURL: "http://app.test/webhooks/stripe/connect", HTTPClient: &http.Client{Transport: t},
	})
	if err != nil {
		return err
	}
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, HTTPClient: &http.Client{Transport: t.sim}, Clock: t.db.Clock(), NoRetry: true,
	})
	if err != nil {
		return err
	}
	x := services(t.db, processor)
	t.billing, t.checkout, t.owed = x.Billing, x.Checkout, x.Owed
	owner := tenancy.System(t.place.Business, tenancy.SurfaceJob)
	if _, err := t.billing.Onboard(ctx, owner, billing.OnboardInput{Country: "US", ReturnURL: "http://app.test/", RefreshURL: "http://app.test/"}); err != nil {
		return err
	}
	var account string
	if err := t.super.QueryRow(ctx, "select external_id from processor_accounts where business_id = $1", t.place.Business).Scan(&account); err != nil {
		return err
	}
	if err := t.sim.Activate(account); err != nil {
		return err
	}
	_, err = t.billing.Refresh(ctx, owner)
	return err
}

// RoundTrip delivers an event, as the endpoint does.
func (t *till) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var event struct{ ID, Type string }
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, err
	}
	taken := &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(nil)), Request: r}
	if t.only != "" && event.Type != t.only {
		return taken, nil
	}
	if err := t.billing.ReceiveWebhook(r.Context(), processor.EndpointConnect, body, r.Header.Get("Stripe-Signature")); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, event.ID)
	return taken, nil
}

// analyze gathers statistics of the tables of money, which were empty: autovacuum runs a minute later.
func (t *till) analyze(ctx context.Context) error {
	_, err := t.super.Exec(ctx, "analyze webhook_events, payments, orders, order_lines, ledger_accounts, ledger_closings, ledger_entries, ledger_postings")
	return err
}

// priced sets the price of the classes, and of the carts from first on.
func (t *till) priced(ctx context.Context, price, first int64) error {
	if _, err := t.super.Exec(ctx, "update offerings set price_amount = $1 where location_id = bench.free_location()", price); err != nil {
		return err
	}
	_, err := t.super.Exec(ctx, `update cart_items set listed_amount = $1
		where cart_id in (select bench.cart(n) from generate_series($2::bigint, $3::bigint) n)`, price, first, first+paidOfRound-1)
	return err
}

// turn sells some carts, all of them at a price, and adds microseconds of Postgres for one of them.
func (t *till) turn(ctx context.Context, s series, price int64, sell func(context.Context, tenancy.Scope, int64) error) (series, error) {
	first := t.cart.Add(paidOfRound) - paidOfRound
	if err := t.priced(ctx, price, first); err != nil {
		return nil, err
	}
	t.clock.Set(t.db.Clock().Now())
	before := t.cpu.now()
	err := share(t.Clients, paidOfRound, func(_ int, i int64) error {
		n := first + i
		return sell(ctx, tenancy.Visitor(t.buyers[n%int64(len(t.buyers))], t.place.Business, tenancy.SurfaceAPI), n)
	})
	if err == nil && price > 0 {
		err = t.arrive(ctx)
	}
	took := float64((t.cpu.now() - before) / paidOfRound / time.Microsecond)
	if err != nil {
		return nil, err
	}
	var sold int64
	if err := t.super.QueryRow(ctx, `select count(*) from orders where state = 'fulfilled' and total_amount = $1
		and cart_id in (select bench.cart(n) from generate_series($2::bigint, $3::bigint) n)`, price, first, first+paidOfRound-1).Scan(&sold); err != nil {
		return nil, err
	}
	if sold != paidOfRound {
		return nil, fmt.Errorf("bench: %d of %d carts were sold for %d", sold, paidOfRound, price)
	}
	return append(s, took), nil
}

// book holds a cart that costs nothing and confirms it.
func (t *till) book(ctx context.Context, sc tenancy.Scope, n int64) error {
	return book(ctx, t.checkout, sc, n)
}

// pay holds a cart and pays it.
func (t *till) pay(ctx context.Context, sc tenancy.Scope, n int64) error {
	if _, err := t.checkout.Hold(ctx, sc, cartToken(n), checkout.HoldInput{}); err != nil {
		return err
	}
	p, err := t.checkout.Pay(ctx, sc, cartToken(n), checkout.PayInput{QuotedAmount: paidPrice})
	if err != nil {
		return err
	}
	_, err = t.sim.PayByCard(p.ClientSecret, "4242424242424242")
	return err
}

// arrive makes the processor report the payment and, a little later, its fees, and runs the jobs of these events.
func (t *till) arrive(ctx context.Context) error {
	for range 2 {
		for had := -1; len(t.events) > had; {
			had = len(t.events)
			t.sim.Flush(ctx) // it posts some at a time
		}
		t.clock.Advance(time.Minute) // the fees are known now
		events := t.events
		t.events = nil
		if len(events) < paidOfRound {
			return fmt.Errorf("bench: %d events came of %d payments", len(events), paidOfRound)
		}
		err := share(t.Clients, int64(len(events)), func(_ int, i int64) error {
			return t.billing.ProcessWebhook(ctx, billing.WebhookJob{Env: t.billing.Env(), Event: events[i]})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
