package checkout_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
)

// killer ends a request at its n-th call to the database: before the call is made, or after it was carried out and
// before its answer could be used. A batch is one call.
type killer struct {
	mu    sync.Mutex
	left  int
	after bool
	kill  context.CancelFunc
}

// arm returns a context that dies at the n-th call from now.
func (k *killer) arm(ctx context.Context, n int, after bool) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	k.mu.Lock()
	k.left, k.after, k.kill = n, after, cancel
	k.mu.Unlock()
	return ctx
}

// spared reports whether the request ended before its n-th call, and disarms.
func (k *killer) spared() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	spared := k.left > 0
	k.left = 0
	k.kill()
	return spared
}

type fatal struct{}

func (k *killer) begin(ctx context.Context) context.Context {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left == 0 {
		return ctx
	}
	if k.left--; k.left > 0 {
		return ctx
	}
	if k.after {
		return context.WithValue(ctx, fatal{}, true)
	}
	k.kill()
	return ctx
}

func (k *killer) end(ctx context.Context) {
	if ctx.Value(fatal{}) != nil {
		k.mu.Lock()
		k.kill()
		k.mu.Unlock()
	}
}

func (k *killer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return k.begin(ctx)
}
func (k *killer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) { k.end(ctx) }
func (k *killer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return k.begin(ctx)
}
func (k *killer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData)     {}
func (k *killer) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) { k.end(ctx) }

// doomed is the same shop served by a process that the killer kills.
func (s shop) doomed(t *testing.T) (shop, *killer) {
	t.Helper()
	k := &killer{kill: func() {}}
	db, err := pg.Open(t.Context(), pg.Config{URL: s.w.URL("foyer_app"), MaxConns: 4, Clock: s.w.Clock, Strict: true, Tracer: k})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return shop{s.Sales.On(t, db), s.w}, k
}

// story is hold, pay unless it costs nothing, and confirm, as far as it comes. With a key each request carries it, as
// one that a client repeats.
func (s shop) story(t *testing.T, ctx context.Context, who tenancy.Scope, token string, price int64, key byte) error {
	request := func(verb byte) context.Context {
		if key == 0 {
			return ctx
		}
		return pg.WithClaim(ctx, pg.Claim{Key: sha256.Sum256([]byte(token + string(verb))), Request: [32]byte{verb}, Several: "as the operation says"})
	}
	_, err := s.Checkout.Hold(request('h'), who, token, checkout.HoldInput{})
	if err != nil && !errors.Is(err, checkout.ErrOrdered) {
		return fmt.Errorf("hold: %w", err)
	}
	if err == nil && price > 0 {
		p, err := s.Checkout.Pay(request('p'), who, token, checkout.PayInput{QuotedAmount: price})
		if err != nil && !errors.Is(err, checkout.ErrOrdered) {
			return fmt.Errorf("pay: %w", err)
		}
		if err == nil && p.Status != processor.StatusSucceeded {
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
		}
	}
	if _, err := s.Checkout.Confirm(request('c'), who, token); err != nil {
		return fmt.Errorf("confirm: %w", err)
	}
	return nil
}

// Hold, pay and confirm, killed at every call to the database, before and after it; then the customer tries again, with
// and without an Idempotency-Key. Each time there is one booking, one payment, one order, and the right fee.
func TestKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	for _, mode := range []struct {
		after bool
		key   byte
		price int64
	}{
		{false, 0, 2200}, {true, 0, 2200}, {false, 1, 2200}, {true, 1, 2200},
		{false, 0, 0}, {true, 0, 0}, {false, 1, 0}, {true, 1, 0},
	} {
		n := 0
		for spared := false; !spared; {
			n++
			o := s.class(t, mode.price, 1)
			who, token := s.Customer(t, "Ada"), s.Fill(t, o)
			err := d.story(t, k.arm(t.Context(), n, mode.after), who, token, mode.price, mode.key)
			if spared = k.spared(); spared && err != nil {
				t.Fatalf("nobody was killed, and yet: %v", err)
			}
			if err := s.story(t, t.Context(), who, token, mode.price, mode.key); err != nil {
				t.Errorf("killed at call %d, %+v, then: %v", n, mode, err)
			}
			if got := apptest.Value[string](t, s.w, `select (select taken from occurrences where id = $1) || ' ' || count(*) || ' ' || min(b.state)
				from bookings b where b.occurrence_id = $1`, o.ID); got != "1 1 confirmed" {
				t.Errorf("killed at call %d, %+v: taken, bookings, state: %s", n, mode, got)
			}
		}
		t.Logf("%d calls to the database, %+v", n-1, mode)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments group by order_id order by 1 desc limit 1"); n != 1 {
		t.Errorf("an order has %d payments", n)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from replays where result::text like '%_secret_%'"); n != 0 {
		t.Errorf("%d kept answers show a client secret", n)
	}
	s.check(t)
}

// The same for the work in the background: the event of a payment that came too late, with the seat gone, and the
// refund; killed at every call and run again.
func TestJobsKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	steps := []struct {
		name string
		run  func(ctx context.Context, s shop) error
	}{
		{"event", func(ctx context.Context, s shop) error { return s.processEvents(ctx) }},
		{"refund", func(ctx context.Context, s shop) error {
			ids, err := pg.All[uuid.UUID](ctx, s.w.DB.View(s.Business.ID), "select id from refunds where state = 'pending'")
			for _, id := range ids {
				err = errors.Join(err, s.Billing.SubmitRefund(ctx, billing.RefundJob{Business: s.Business.ID, Refund: id}))
			}
			return err
		}},
		{"sweep", func(ctx context.Context, s shop) error { return s.Booking.ExpireDue(ctx) }},
	}
	for _, after := range []bool{false, true} {
		for n, alive := 1, true; alive; n++ {
			alive = false
			o := s.class(t, 2200, 1)
			_, p := s.ready(t, s.Customer(t, "Ada"), o)
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
			s.w.Clock.Advance(booking.HoldLife)
			s.hold(t, s.Customer(t, "Bob"), s.Fill(t, o))
			s.Sim.Flush(t.Context())
			s.w.Clock.Advance(booking.HoldLife) // Bob's is over too
			for _, step := range steps {
				_ = step.run(k.arm(t.Context(), n, after), d)
				if !k.spared() {
					alive = true
				}
				if err := step.run(t.Context(), s); err != nil {
					t.Errorf("%s killed at call %d (after: %v), then: %v", step.name, n, after, err)
				}
			}
		}
	}
	s.check(t)
	if got := apptest.Value[bool](t, s.w, `select count(*) = count(*) filter (where outcome = 'refunded')
		and count(*) = (select count(*) from refunds where state = 'succeeded') from payments`); !got {
		t.Error("not every payment went back once")
	}
}
