package checkout_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
)

// fill makes n people with a cart of these classes each, and returns their scopes and tokens.
func (s shop) fill(t testing.TB, n int, classes ...apptest.OccurrenceRow) ([]tenancy.Scope, []string) {
	t.Helper()
	people, tokens := make([]tenancy.Scope, n), make([]string, n)
	for i := range n {
		people[i], tokens[i] = s.Customer(t, fmt.Sprintf("racer%d", i)), s.Fill(t, classes...)
	}
	return people, tokens
}

// A74. Two hundred people hold and confirm the last seats of a free class at once: as many succeed as there are
// seats, the others get the refusal, and none sees an error of the server. Built with the tag nolock more have to
// succeed, or the race proves nothing.
func TestA74_LastSeatConfirmed(t *testing.T) {
	const racers = 200
	s := open(t)
	oversold := 0
	for round := 0; round == 0 || !apptest.Guarded && oversold == 0 && round < 10; round++ {
		for _, capacity := range []int{1, 3, 10} {
			o := s.class(t, 0, capacity)
			got := s.pressed(t, racers, o)
			if apptest.Guarded && (got != capacity || s.taken(t, o) != capacity) {
				t.Errorf("%d of %d seats were booked, %d are taken", got, capacity, s.taken(t, o))
			}
			oversold += max(0, got-capacity)
		}
	}
	if apptest.Guarded {
		s.w.CheckBooks(t)
	} else if oversold == 0 {
		t.Error("without the guard nothing was oversold: this race proves nothing")
	}
}

// pressed has so many people hold and confirm a seat at once, and returns how many got one. The others have to hear
// that it is full.
func (s shop) pressed(t *testing.T, racers int, o apptest.OccurrenceRow) int {
	t.Helper()
	people, tokens := s.fill(t, racers, o)
	var got atomic.Int64
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range racers {
		done.Go(func() {
			start.Wait()
			_, err := s.Checkout.Hold(t.Context(), people[i], tokens[i], checkout.HoldInput{})
			if errors.Is(err, booking.ErrFull) {
				return
			}
			if err == nil {
				_, err = s.Checkout.Confirm(t.Context(), people[i], tokens[i])
			}
			if err != nil {
				t.Errorf("a racer got %v", err)
				return
			}
			got.Add(1)
		})
	}
	start.Done()
	done.Wait()
	return int(got.Load())
}

// The hold expires, the payment arrives, the customer confirms, the event comes, the sweep runs and another customer
// wants the seat, all within milliseconds and in any order: no seat is sold twice, and every payment has a seat or a
// refund.
func TestExpiryAgainstMoney(t *testing.T) {
	if !apptest.Guarded {
		return
	}
	rounds := walks.Steps(20, 200)
	s := open(t)
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	outcomes := map[string]int{}
	for range rounds {
		o := s.class(t, 2200, 1)
		ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
		token, p := s.ready(t, ada, o)
		rival := s.Fill(t, o)
		s.w.Clock.Set(p.ExpiresAt.Add(-time.Millisecond))
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
		s.Sim.Flush(t.Context())
		var booked atomic.Bool
		together(r, []func(){
			func() { s.w.Clock.Advance(2 * time.Millisecond) },
			func() { s.tolerate(t, s.Booking.ExpireDue(t.Context())) },
			func() { _, err := s.Checkout.Confirm(t.Context(), ada, token); s.tolerate(t, err) },
			func() { s.tolerate(t, s.processEvents(t.Context())) },
			func() {
				_, err := s.Checkout.Hold(t.Context(), bob, rival, checkout.HoldInput{})
				booked.Store(err == nil)
				s.tolerate(t, err)
			},
		})
		s.jobs(t)
		outcome := apptest.Value[string](t, s.w, "select outcome from payments order by created_at desc, id desc limit 1")
		if outcome == "fulfilled" == booked.Load() {
			t.Errorf("the money is %q and the rival has the seat: %v", outcome, booked.Load())
		}
		outcomes[outcome]++
	}
	t.Logf("outcomes: %v", outcomes)
	s.check(t)
}

// The customer releases the hold in one tab while the other pays: booked, or given up and fully refunded, and never
// in between.
func TestReleaseAgainstMoney(t *testing.T) {
	rounds := walks.Steps(15, 150)
	s := open(t)
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	ends := map[string]int{}
	for range rounds {
		o := s.class(t, 2200, 1)
		ada := s.Customer(t, "Ada")
		token, p := s.ready(t, ada, o)
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
		s.Sim.Flush(t.Context())
		together(r, []func(){
			func() { s.tolerate(t, s.Checkout.Release(t.Context(), ada, token)) },
			func() { _, err := s.Checkout.Confirm(t.Context(), ada, token); s.tolerate(t, err) },
			func() { s.tolerate(t, s.processEvents(t.Context())) },
		})
		s.jobs(t)
		end := apptest.Value[string](t, s.w, `select o.state || ' ' || p.outcome || ' ' || (select taken from occurrences where id = $1)
			from orders o join payments p on p.order_id = o.id order by o.created_at desc, o.id desc limit 1`, o.ID)
		if end != "fulfilled fulfilled 1" && end != "void refunded 0" {
			t.Errorf("order, money, seats taken: %s", end)
		}
		ends[end]++
	}
	t.Logf("ends: %v", ends)
	s.check(t)
}

// together runs all of fns at once, each after its own short wait.
func together(r *rand.Rand, fns []func()) {
	var start, done sync.WaitGroup
	start.Add(1)
	for _, fn := range fns {
		wait := time.Duration(r.IntN(5000)) * time.Microsecond
		done.Go(func() {
			start.Wait()
			time.Sleep(wait)
			fn()
		})
	}
	start.Done()
	done.Wait()
}

// tolerate lets the refusals of a race pass and fails the test on anything else.
func (s shop) tolerate(t *testing.T, err error) {
	t.Helper()
	for _, ok := range []error{nil, booking.ErrFull, booking.ErrHoldExpired, checkout.ErrRefunded, checkout.ErrOrdered,
		checkout.ErrPaymentPending, checkout.ErrPaymentRequired} {
		if errors.Is(err, ok) {
			return
		}
	}
	t.Errorf("a race ended with %v", err)
}

// processEvents runs the job of every event that has arrived, whatever its number of copies.
func (s shop) processEvents(ctx context.Context) error {
	ids, err := pg.All[string](ctx, s.w.DB.View(uuid.Nil), "select id from webhook_events where processed_at is null")
	for _, id := range ids {
		err = errors.Join(err, s.Billing.ProcessWebhook(ctx, billing.WebhookJob{Env: processor.EnvSimulated, Event: id}))
	}
	return err
}

// Ten browsers of one customer press Pay and Confirm at once: one order, one payment, one booking.
func TestPressedTenTimes(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	at10 := func(fn func() error) {
		t.Helper()
		var done sync.WaitGroup
		for range 10 {
			done.Go(func() {
				// the processor is at work on the same key
				if err := fn(); err != nil && !errors.Is(err, processor.ErrDown) {
					t.Error(err)
				}
			})
		}
		done.Wait()
	}
	at10(func() error { _, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{}); return err })
	at10(func() error {
		_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200})
		return err
	})
	s.PayCard(t, s.pay(t, ada, token, 2200).ClientSecret, apptest.CardGood)
	at10(func() error { _, err := s.Checkout.Confirm(t.Context(), ada, token); return err })
	if got := apptest.Value[string](t, s.w, `select (select count(*) from holds) || ' ' || (select count(*) from orders) || ' '
		|| (select count(*) from payments) || ' ' || (select count(*) from bookings)`); got != "1 1 1 1" {
		t.Errorf("holds, orders, payments, bookings: %s", got)
	}
	s.check(t)
}
