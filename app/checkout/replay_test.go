package checkout_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// Each request twenty times under one Idempotency-Key, ten of them at once: one effect, and every answer is the
// first's.
func TestOneEffectPerKey(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	each := func(verb byte, fn func(ctx context.Context) (string, error)) string {
		t.Helper()
		claim := pg.Claim{Key: [32]byte{verb}, Request: [32]byte{verb}, Several: "as the operation says"}
		var mu sync.Mutex
		answers := map[string]int{}
		for range 2 {
			var done sync.WaitGroup
			for range 10 {
				done.Go(func() {
					got, err := fn(pg.WithClaim(t.Context(), claim))
					if errors.Is(err, processor.ErrDown) { // the same key is being worked on: come again
						return
					}
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					answers[got]++
					mu.Unlock()
				})
			}
			done.Wait()
		}
		if len(answers) != 1 {
			t.Errorf("%d different answers to one request", len(answers))
		}
		for a := range answers {
			return a
		}
		return ""
	}
	each(1, func(ctx context.Context) (string, error) {
		h, err := s.Checkout.Hold(ctx, ada, token, checkout.HoldInput{})
		return h.ID.String(), err
	})
	secret := each(2, func(ctx context.Context) (string, error) {
		p, err := s.Checkout.Pay(ctx, ada, token, checkout.PayInput{QuotedAmount: 2200})
		return p.ClientSecret, err
	})
	s.PayCard(t, secret, apptest.CardGood)
	each(3, func(ctx context.Context) (string, error) {
		c, err := s.Checkout.Confirm(ctx, ada, token)
		return c.Token, err
	})
	if n := apptest.Value[int](t, s.w, "select count(*) from replays where position($1 in result::text) > 0", secret); n != 0 {
		t.Error("a kept answer shows the client secret")
	}
	s.check(t)
}

// A confirmation that came too early does not stand in the way of the same request later.
func TestConfirmAgainWithTheSameKey(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, s.class(t, 2200, 1))
	claim := pg.Claim{Key: [32]byte{1}, Request: [32]byte{1}, Several: "as the operation says"}
	_, err := s.Checkout.Confirm(pg.WithClaim(t.Context(), claim), ada, token)
	refused(t, "unpaid", err, checkout.ErrPaymentRequired)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	if got, err := s.Checkout.Confirm(pg.WithClaim(t.Context(), claim), ada, token); err != nil || got.State != order.Fulfilled {
		t.Errorf("%+v (%v)", got, err)
	}
	s.check(t)
}

// The same for a cart that costs nothing, which is held and booked in one trip each.
func TestOneEffectPerKeyForNothing(t *testing.T) {
	s := open(t)
	o := s.class(t, 0, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	for verb, fn := range []func(ctx context.Context) (any, error){
		func(ctx context.Context) (any, error) {
			return s.Checkout.Hold(ctx, ada, token, checkout.HoldInput{})
		},
		func(ctx context.Context) (any, error) { return s.Checkout.Confirm(ctx, ada, token) },
	} {
		claim := pg.Claim{Key: [32]byte{byte(verb)}, Request: [32]byte{1}, Several: "as the operation says"}
		answers := make([]string, 20)
		for from := range 2 { // ten at once, and ten when those are done
			var done sync.WaitGroup
			for i := range 10 {
				done.Go(func() {
					got, err := fn(pg.WithClaim(t.Context(), claim))
					body, bad := json.Marshal(got)
					if err = errors.Join(err, bad); err != nil {
						t.Error(err)
					}
					answers[10*from+i] = string(body)
				})
			}
			done.Wait()
		}
		if slices.Sort(answers); len(slices.Compact(answers)) != 1 {
			t.Errorf("different answers to one request: %v", answers)
		}
		claim.Request[0]++
		_, err := fn(pg.WithClaim(t.Context(), claim))
		refused(t, "another request under the same key", err, pg.ErrKeyReused)
	}
	if n := s.taken(t, o); n != 1 {
		t.Errorf("%d seats are taken", n)
	}
	s.check(t)
}

// A hold that was given is the answer to its repetition, also when the price has changed since.
func TestRepeatedHoldComesBeforeARefusal(t *testing.T) {
	s := open(t)
	o := s.class(t, 0, 5)
	ada, wrong := s.Customer(t, "Ada"), int64(1)
	token := s.Fill(t, o)
	hold := func(key byte, in checkout.HoldInput) (booking.Hold, error) {
		return s.Checkout.Hold(pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{key}}), ada, token, in)
	}
	_, err := hold(1, checkout.HoldInput{QuotedAmount: &wrong})
	refused(t, "a price that is none", err, checkout.ErrPriceChanged)
	first, err := hold(1, checkout.HoldInput{})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := hold(1, checkout.HoldInput{QuotedAmount: &wrong}); err != nil || again.ID != first.ID {
		t.Errorf("%+v (%v), want %s", again, err, first.ID)
	}
	_, err = hold(2, checkout.HoldInput{QuotedAmount: &wrong})
	refused(t, "another key", err, checkout.ErrPriceChanged)
	s.check(t)
}

// The round trips of each method, without contention. A number that grows with the lines of a cart would show here.
func TestTrips(t *testing.T) {
	s := open(t)
	free, paid := s.class(t, 0, 100), s.class(t, 2200, 100)
	another := s.class(t, 0, 100)
	ctx := t.Context()
	for range 2 {
		ada := s.Customer(t, "Ada")
		count := func(verb string, want int, fn func() error) {
			t.Helper()
			if got := s.w.Statements(func() {
				if err := fn(); err != nil {
					t.Fatalf("%s: %v", verb, err)
				}
			}); got > want {
				t.Errorf("%s takes %d round trips, want %d", verb, got, want)
			}
		}
		token := s.Fill(t, free)
		count("Cart", 1, func() error { _, err := s.Checkout.Cart(ctx, ada, token); return err })
		count("AddItem", 5, func() error {
			_, err := s.Checkout.AddItem(ctx, ada, token, checkout.AddItemInput{OccurrenceID: another.ID})
			return err
		})
		count("Hold", 2, func() error { _, err := s.Checkout.Hold(ctx, ada, token, checkout.HoldInput{}); return err })
		count("Hold again", 2, func() error { _, err := s.Checkout.Hold(ctx, ada, token, checkout.HoldInput{}); return err })
		count("Extend", 3, func() error { _, err := s.Checkout.Extend(ctx, ada, token); return err })
		count("Confirm what costs nothing", 2, func() error { _, err := s.Checkout.Confirm(ctx, ada, token); return err })
		count("Confirm again", 2, func() error { _, err := s.Checkout.Confirm(ctx, ada, token); return err })

		token = s.Fill(t, s.class(t, 0, 100)) // an Idempotency-Key is no trip more, a repetition two
		keyed := func(verb string) context.Context {
			return pg.WithClaim(ctx, pg.Claim{Key: sha256.Sum256([]byte(token + verb)), Several: "as the operation says"})
		}
		hold := func() error { _, err := s.Checkout.Hold(keyed("h"), ada, token, checkout.HoldInput{}); return err }
		confirm := func() error { _, err := s.Checkout.Confirm(keyed("c"), ada, token); return err }
		count("Hold with a key", 2, hold)
		count("its repetition", 4, hold)
		count("Confirm with a key", 2, confirm)
		count("its repetition", 4, confirm)

		token = s.Fill(t, paid)
		s.hold(t, ada, token)
		count("Release", 4, func() error { return s.Checkout.Release(ctx, ada, token) })
		s.hold(t, ada, token)
		var p checkout.Payment
		count("Pay", 7, func() (err error) {
			p, err = s.Checkout.Pay(ctx, ada, token, checkout.PayInput{QuotedAmount: 2200})
			return err
		})
		count("Pay again", 5, func() (err error) {
			p, err = s.Checkout.Pay(ctx, ada, token, checkout.PayInput{QuotedAmount: 2200})
			return err
		})
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
		var c checkout.Confirmed
		count("Confirm what is paid", 6, func() (err error) { c, err = s.Checkout.Confirm(ctx, ada, token); return err })
		count("Receipt", 1, func() error { _, err := s.Orders.Receipt(ctx, ada, c.Token); return err })
		paid, free, another = s.class(t, 2200, 100), s.class(t, 0, 100), s.class(t, 0, 100)
	}
}
