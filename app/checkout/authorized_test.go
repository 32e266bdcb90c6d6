package checkout_test

import (
	"context"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/billing"
)

// gallery is a studio that has the last word on every booking; customers bear the fee.
func gallery(t testing.TB) shop {
	t.Helper()
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	return s
}

// withApproval is a class of which the studio decides who comes.
func (s shop) withApproval(t testing.TB, capacity int) apptest.OccurrenceRow {
	t.Helper()
	o := s.class(t, 2200, capacity)
	s.w.SQL(t, "update offerings set approval = true where id = (select offering_id from occurrences where id = $1)", o.ID)
	return o
}

// cards returns the processor's amounts: captured, refunded, and authorized.
func (s shop) cards(t testing.TB) [3]int64 {
	t.Helper()
	s.jobs(t)
	s.w.Clock.Advance(3 * time.Second) // the processor books a little later
	s.jobs(t)
	taken, back, _, err := s.Sim.Totals(s.Account)
	held, err2 := s.Sim.Authorized(s.Account)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return [3]int64{taken, back, held}
}

func (s shop) approve(t testing.TB, id uuid.UUID) {
	t.Helper()
	if _, err := s.Booking.Approve(t.Context(), s.Owner, booking.ApproveInput{BookingID: id}); err != nil {
		t.Fatal(err)
	}
}

func (s shop) decline(t testing.TB, id uuid.UUID) {
	t.Helper()
	if _, err := s.Booking.Decline(t.Context(), s.Owner, booking.DeclineInput{BookingID: id}); err != nil {
		t.Fatal(err)
	}
}

func (s shop) card(t testing.TB, token string) order.ReceiptCard {
	t.Helper()
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), token)
	if must(t, r, err).Card == nil {
		t.Fatalf("no card on %+v", r)
	}
	return *r.Card
}

// authorized returns the part of a booking's price that is authorized and not captured.
func (s shop) authorized(t testing.TB, id uuid.UUID) int64 {
	t.Helper()
	of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), []booking.Booking{s.booked(t, id)})
	return must(t, of, err)[id].AuthorizedAmount
}

// If the studio decides, the payment is authorized: an approval captures it, fee and all, and a decline releases it,
// and then nothing was ever captured.
func TestPaymentIsAuthorizedUntilTheStudioDecides(t *testing.T) {
	s := gallery(t)
	o := s.withApproval(t, 1)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	first, a := s.bought(t, ada, o)
	second, b := s.bought(t, bob, o)
	total := first.Totals.TotalAmount
	if got, want := s.cards(t), [3]int64{0, 0, 2 * total}; got != want {
		t.Fatalf("taken, back, held: %v, want %v", got, want)
	}
	if c := s.card(t, first.Token); c.State != order.CardAuthorized || c.Amount != total || c.PaidAt.IsZero() {
		t.Errorf("%+v", c)
	}
	if held := s.authorized(t, b[0]); held != total {
		t.Errorf("%d of %d are at stake as authorized", held, total)
	}
	s.check(t)
	s.approve(t, b[0])
	if got, want := s.cards(t), [3]int64{total, 0, total}; got != want {
		t.Errorf("after a yes: %v, want %v", got, want)
	}
	if held := s.authorized(t, b[0]); held != 0 {
		t.Errorf("%d are still authorized after the capture", held)
	}
	s.decline(t, a[0])
	if got, want := s.cards(t), [3]int64{total, 0, 0}; got != want {
		t.Errorf("after a no: %v, want %v", got, want)
	}
	if c := s.card(t, first.Token); c.State != order.CardVoided {
		t.Errorf("%+v", c)
	}
	if c := s.card(t, second.Token); c.State != order.CardCaptured {
		t.Errorf("%+v", c)
	}
	s.check(t)
}

// One card has the authorization of two requests: it is captured if one of them is approved, and the price of the
// other is refunded; it is released if neither is, in any order and by any act.
func TestTwoRequestsOnOneCard(t *testing.T) {
	for name, c := range map[string]struct {
		does func(t *testing.T, s shop, ids []uuid.UUID)
		want func(total int64) [3]int64
	}{
		"yes and no": {func(t *testing.T, s shop, ids []uuid.UUID) { s.approve(t, ids[0]); s.decline(t, ids[1]) },
			func(total int64) [3]int64 { return [3]int64{total, total / 2, 0} }},
		"no and yes": {func(t *testing.T, s shop, ids []uuid.UUID) { s.decline(t, ids[1]); s.jobs(t); s.approve(t, ids[0]) },
			func(total int64) [3]int64 { return [3]int64{total, total / 2, 0} }},
		"no, and nobody else has said anything": {func(t *testing.T, s shop, ids []uuid.UUID) { s.decline(t, ids[1]) },
			func(total int64) [3]int64 { return [3]int64{0, 0, total} }},
		"no and no": {func(t *testing.T, s shop, ids []uuid.UUID) { s.decline(t, ids[1]); s.jobs(t); s.decline(t, ids[0]) },
			func(int64) [3]int64 { return [3]int64{} }},
		"no, and withdrawn": {func(t *testing.T, s shop, ids []uuid.UUID) {
			s.decline(t, ids[0])
			if done := s.cancel(t, ids[1], false); !done.Held || done.RefundAmount == 0 {
				t.Errorf("%+v", done)
			}
		}, func(int64) [3]int64 { return [3]int64{} }},
	} {
		t.Run(name, func(t *testing.T) {
			s := gallery(t)
			receipt, ids := s.bought(t, s.Customer(t, "Ada"), s.withApproval(t, 1), s.withApproval(t, 1))
			c.does(t, s, ids)
			if got, want := s.cards(t), c.want(receipt.Totals.TotalAmount); got != want {
				t.Errorf("taken, back, held: %v, want %v", got, want)
			}
			s.check(t)
		})
	}
}

// A bank keeps an authorization for a week. An undecided one is captured after six days, and refunded if the studio
// declines after all.
func TestAuthorizationIsCapturedBeforeItExpires(t *testing.T) {
	s := gallery(t)
	o := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) {
		price := int64(2200)
		o.Price = &price
	}), s.w.Clock.Now().Add(30*24*time.Hour))
	s.w.SQL(t, "update offerings set approval = true")
	receipt, ids := s.bought(t, s.Customer(t, "Ada"), o)
	total := receipt.Totals.TotalAmount
	for day := range 7 {
		want := [3]int64{0, 0, total}
		if day == 6 {
			want = [3]int64{total, 0, 0}
		}
		if got := s.cards(t); got != want {
			t.Errorf("after %d days: %v, want %v", day, got, want)
		}
		for range 4 { // the sweep looks every six hours
			s.w.Clock.Advance(6 * time.Hour)
			if err := s.Billing.Recheck(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.decline(t, ids[0])
	if got, want := s.cards(t), [3]int64{total, total, 0}; got != want {
		t.Errorf("taken, back, held: %v, want %v", got, want)
	}
	s.check(t)
}

// A cart with something that needs no answer is charged at once: there is one payment, and part of it is earned.
func TestMixedCartIsChargedAtOnce(t *testing.T) {
	s := gallery(t)
	receipt, _ := s.bought(t, s.Customer(t, "Ada"), s.withApproval(t, 1), s.class(t, 2200, 1))
	if got, want := s.cards(t), [3]int64{receipt.Totals.TotalAmount, 0, 0}; got != want {
		t.Errorf("taken, back, held: %v, want %v", got, want)
	}
	s.check(t)
}

// The studio releases the authorization in its own dashboard: the order shows it, and an approval captures nothing.
func TestAuthorizationReleasedAtTheProcessor(t *testing.T) {
	s := gallery(t)
	receipt, ids := s.bought(t, s.Customer(t, "Ada"), s.withApproval(t, 1))
	s.jobs(t)
	if err := s.Sim.CancelPayment(s.Account, apptest.Value[string](t, s.w, "select intent from payments")); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
	s.check(t)
	s.approve(t, ids[0])
	if got := s.cards(t); got != [3]int64{} {
		t.Errorf("taken, back, held: %v", got)
	}
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), receipt.Token)
	if must(t, r, err).Card.State != order.CardVoided || len(r.Refunds) != 1 || r.Refunds[0].Amount != receipt.Totals.TotalAmount {
		t.Errorf("%+v", r)
	}
	s.check(t)
}

// A request that is withdrawn for credit: the money is taken, and is the customer's credit.
func TestAuthorizationBecomesCredit(t *testing.T) {
	s := gallery(t)
	receipt, ids := s.bought(t, s.Customer(t, "Ada"), s.withApproval(t, 1))
	if done := s.cancel(t, ids[0], true); done.CreditAmount != receipt.Totals.TotalAmount || done.Held {
		t.Errorf("%+v", done)
	}
	if got, want := s.cards(t), [3]int64{receipt.Totals.TotalAmount, 0, 0}; got != want {
		t.Errorf("taken, back, held: %v, want %v", got, want)
	}
	s.check(t)
}

// An authorization that arrives after the seats were given up is released: none of it was ever captured.
func TestAuthorizationThatComesTooLate(t *testing.T) {
	s := gallery(t)
	o := s.withApproval(t, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	p := s.pay(t, ada, token, s.cart(t, token).Totals.TotalAmount)
	if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
		t.Fatal(err)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	if got := s.cards(t); got != [3]int64{} {
		t.Errorf("taken, back, held: %v", got)
	}
	s.check(t)
}

// The decision, killed at every call to the database, before and after it, and done again: the payment is captured
// once, or released once.
func TestDecidingKilledAnywhere(t *testing.T) {
	s := gallery(t)
	d, k := s.doomed(t)
	for _, yes := range []bool{true, false} {
		for _, after := range []bool{false, true} {
			for n, spared := 1, false; !spared; n++ {
				before := s.cards(t)
				receipt, ids := s.bought(t, s.Customer(t, "Ada"), s.withApproval(t, 1))
				s.jobs(t)
				payment := apptest.Value[uuid.UUID](t, s.w, "select p.id from payments p join bookings b on b.order_id = p.order_id where b.id = $1", ids[0])
				decide := func(ctx context.Context, s shop) error {
					keyed := pg.WithClaim(ctx, pg.Claim{Key: sha256.Sum256(ids[0][:]), Request: [32]byte{'x'}})
					var err error
					if yes {
						_, err = s.Booking.Approve(keyed, s.Owner, booking.ApproveInput{BookingID: ids[0]})
					} else {
						_, err = s.Booking.Decline(keyed, s.Owner, booking.DeclineInput{BookingID: ids[0]})
					}
					if err == nil {
						err = s.Billing.DecideAuthorized(ctx, billing.AuthorizedJob{Business: s.Business.ID, Payment: payment})
					}
					return err
				}
				err := decide(k.arm(t.Context(), n, after), d)
				if spared = k.spared(); spared && err != nil {
					t.Fatalf("nobody was killed, and yet: %v", err)
				}
				if err := decide(t.Context(), s); err != nil {
					t.Errorf("killed at call %d (after: %v, yes: %v), then: %v", n, after, yes, err)
				}
				want := before
				if yes {
					want[0] += receipt.Totals.TotalAmount
				}
				if got := s.cards(t); got != want {
					t.Errorf("killed at call %d (after: %v, yes: %v): %v, want %v", n, after, yes, got, want)
				}
			}
		}
	}
	s.check(t)
}

// The answer of the processor is lost, at the capture and at the release: after a repetition the payment is captured
// or released once.
func TestResponsesAboutAuthorizationsAreLost(t *testing.T) {
	s := gallery(t)
	for _, yes := range []bool{true, false} {
		before := s.cards(t)
		receipt, ids := s.bought(t, s.Customer(t, "Ada"), s.withApproval(t, 1))
		s.jobs(t)
		if yes {
			s.approve(t, ids[0])
		} else {
			s.decline(t, ids[0])
		}
		s.Call = failing()
		if _, err := s.RunJobs(t); err == nil {
			t.Error("no job asked the processor")
		}
		s.Call = nil
		s.w.Clock.Advance(time.Hour)
		want := before
		if yes {
			want[0] += receipt.Totals.TotalAmount
		}
		if got := s.cards(t); got != want {
			t.Errorf("yes: %v: %v, want %v", yes, got, want)
		}
	}
	s.check(t)
}
