package checkout_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// A3. Holding, paying and confirming need a person's session; A49: an API key is none.
func TestA3_Session(t *testing.T) {
	s := open(t)
	token := s.Fill(t, s.class(t, 2200, 1))
	for want, p := range map[*fault.Error]tenancy.Principal{
		identity.ErrSignIn:     {},
		identity.ErrKeyRefused: {Actor: tenancy.Actor{Kind: tenancy.ActorKey, ID: pg.NewID()}},
	} {
		sc := s.At(p)
		_, err := s.Checkout.Hold(t.Context(), sc, token, checkout.HoldInput{})
		refused(t, "hold", err, want)
		_, err = s.Checkout.Extend(t.Context(), sc, token)
		refused(t, "extend", err, want)
		refused(t, "release", s.Checkout.Release(t.Context(), sc, token), want)
		_, err = s.Checkout.Pay(t.Context(), sc, token, checkout.PayInput{})
		refused(t, "pay", err, want)
		_, err = s.Checkout.Confirm(t.Context(), sc, token)
		refused(t, "confirm", err, want)
	}
	if !fault.IsKind(identity.ErrSignIn, fault.Unauthorized) {
		t.Error("no session is not 401")
	}
}

// onlyHers: no other person can read the attendees in her cart, or change it.
func (s shop) onlyHers(t *testing.T, her tenancy.Scope, token string, o apptest.OccurrenceRow, others ...tenancy.Scope) {
	t.Helper()
	hers, err := s.Checkout.Cart(t.Context(), her, token)
	if err != nil || !slices.ContainsFunc(hers.Lines, func(l checkout.Line) bool { return l.Attendee == "Kim" }) {
		t.Errorf("she reads %+v (%v)", hers.Lines, err)
	}
	for _, other := range others {
		seen, err := s.Checkout.Cart(t.Context(), other, token)
		if err != nil || len(seen.Lines) != len(hers.Lines) || seen.Totals.TotalAmount != hers.Totals.TotalAmount {
			t.Errorf("others read %+v (%v)", seen, err)
		}
		for _, l := range seen.Lines {
			if l.Attendee != "" {
				t.Errorf("others read that %s is coming", l.Attendee)
			}
		}
		_, err = s.Checkout.AddItem(t.Context(), other, token, checkout.AddItemInput{OccurrenceID: o.ID, Attendee: "Eve"})
		refused(t, "add", err, checkout.ErrOther)
		_, err = s.Checkout.UpdateItem(t.Context(), other, token, hers.Lines[0].ItemID, checkout.UpdateItemInput{Attendee: "Eve"})
		refused(t, "rename", err, checkout.ErrOther)
		_, err = s.Checkout.RemoveItem(t.Context(), other, token, hers.Lines[0].ItemID)
		refused(t, "remove", err, checkout.ErrOther)
	}
}

// From the hold on the link alone is no right to the cart: while the seats are held, after they were released, and
// after it was booked.
func TestHeldCartIsOnesOwn(t *testing.T) {
	s := open(t)
	o := s.class(t, 0, 5)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	token := s.Fill(t, o)
	if _, err := s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{OccurrenceID: o.ID, Attendee: "Kim"}); err != nil {
		t.Fatal(err)
	}
	before, err := s.Checkout.Cart(t.Context(), bob, token)
	if err != nil || before.Lines[1].Attendee != "Kim" { // not held yet
		t.Errorf("%+v (%v)", before.Lines, err)
	}
	s.hold(t, ada, token)
	s.onlyHers(t, ada, token, o, s.Visitor(), bob)
	if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
		t.Fatal(err)
	}
	s.onlyHers(t, ada, token, o, s.Visitor(), bob)
	s.hold(t, ada, token)
	s.confirm(t, ada, token)
	s.onlyHers(t, ada, token, o, s.Visitor(), bob)
	s.check(t)
}

// A cart belongs to its first holder.
func TestSomebodyElsesCart(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 5)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	_, err := s.Checkout.Hold(t.Context(), bob, token, checkout.HoldInput{})
	refused(t, "hold", err, checkout.ErrOther)
	_, err = s.Checkout.Extend(t.Context(), bob, token)
	refused(t, "extend", err, checkout.ErrOther)
	refused(t, "release", s.Checkout.Release(t.Context(), bob, token), checkout.ErrOther)
	_, err = s.Checkout.Pay(t.Context(), bob, token, checkout.PayInput{QuotedAmount: 2200})
	refused(t, "pay", err, checkout.ErrOther)
	_, err = s.Checkout.Confirm(t.Context(), bob, token)
	refused(t, "confirm", err, checkout.ErrOther)
	if other := s.w.Studio(t); true {
		sc := ada
		sc.Tenant = other.Business.ID
		if _, err := s.Checkout.Hold(t.Context(), sc, token, checkout.HoldInput{}); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("through another business: %v", err)
		}
	}
	s.check(t)
}

func TestHoldRepeats(t *testing.T) {
	s := open(t)
	a, b := s.class(t, 2200, 1), s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, a)
	h := s.hold(t, ada, token)
	if again := s.hold(t, ada, token); again.ID != h.ID || s.taken(t, a) != 1 {
		t.Errorf("again: %+v", again)
	}
	s.w.Clock.Advance(time.Minute)
	if _, err := s.Checkout.AddItem(t.Context(), ada, token, checkout.AddItemInput{OccurrenceID: b.ID}); err != nil {
		t.Fatal(err)
	}
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "with an item that is not kept", err, checkout.ErrNotHeld)
	_, err = s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 4400})
	refused(t, "with an item that is not kept", err, checkout.ErrNotHeld)
	more := s.hold(t, ada, token)
	if more.ID != h.ID || len(more.Seats) != 2 || !more.ExpiresAt.Equal(h.ExpiresAt) || s.taken(t, b) != 1 {
		t.Errorf("with another item: %+v", more)
	}
	longer, err := s.Checkout.Extend(t.Context(), ada, token)
	if err != nil || !longer.ExpiresAt.Equal(h.ExpiresAt.Add(booking.HoldLife)) {
		t.Errorf("%+v (%v)", longer, err)
	}
	s.check(t)
}

// All or none: a cart with one full class takes nothing of the other.
func TestA74_HoldAllOrNone(t *testing.T) {
	s := open(t)
	a, b := s.class(t, 2200, 1), s.class(t, 2200, 1)
	s.hold(t, s.Customer(t, "Bob"), s.Fill(t, b))
	_, err := s.Checkout.Hold(t.Context(), s.Customer(t, "Ada"), s.Fill(t, a, b), checkout.HoldInput{})
	refused(t, "one is full", err, booking.ErrFull)
	if detail(err, "occurrenceId") != b.ID.String() || s.taken(t, a) != 0 {
		t.Errorf("about %v, %d taken of the other", detail(err, "occurrenceId"), s.taken(t, a))
	}
	s.check(t)
}

// An expired hold does not block other customers, although no sweep has run, and cannot be confirmed or paid.
func TestOverdueHold(t *testing.T) {
	s := open(t)
	o := s.class(t, 0, 1)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	first := s.Fill(t, o)
	s.hold(t, ada, first)
	s.w.Clock.Advance(booking.HoldLife)
	if c, err := s.Checkout.Cart(t.Context(), ada, first); err != nil || c.Hold != nil || c.Lines[0].BookingID != nil {
		t.Errorf("%+v (%v)", c, err)
	}
	_, err := s.Checkout.Confirm(t.Context(), ada, first)
	refused(t, "confirm", err, booking.ErrHoldExpired)
	_, err = s.Checkout.Pay(t.Context(), ada, first, checkout.PayInput{})
	refused(t, "pay", err, booking.ErrHoldExpired)
	_, err = s.Checkout.Extend(t.Context(), ada, first)
	refused(t, "extend", err, booking.ErrHoldExpired)
	second := s.Fill(t, o)
	s.hold(t, bob, second)
	_, err = s.Checkout.Hold(t.Context(), ada, first, checkout.HoldInput{})
	refused(t, "taken meanwhile", err, booking.ErrFull)
	if err := s.Checkout.Release(t.Context(), bob, second); err != nil {
		t.Fatal(err)
	}
	s.hold(t, ada, first)
	if got := s.confirm(t, ada, first); got.State != order.Fulfilled {
		t.Errorf("%+v", got)
	}
	s.check(t)
}

func TestRelease(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
		t.Errorf("without a hold: %v", err)
	}
	s.hold(t, ada, token)
	for range 2 {
		if err := s.Checkout.Release(t.Context(), ada, token); err != nil || s.taken(t, o) != 0 {
			t.Errorf("%v, %d taken", err, s.taken(t, o))
		}
	}
	s.hold(t, ada, token)
	s.check(t)
}

// Releasing while a payment waits gives it up at the processor; the cart can be held and paid anew.
func TestReleaseWhilePaying(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, old := s.ready(t, ada, o)
	if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
	if got := apptest.Value[string](t, s.w, "select status from payments"); got != "canceled" {
		t.Errorf("payment is %s", got)
	}
	s.hold(t, ada, token)
	fresh := s.pay(t, ada, token, 2200)
	if fresh.ClientSecret == old.ClientSecret {
		t.Error("the payment that was given up came back")
	}
	s.PayCard(t, fresh.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	if state, _ := s.order(t); state != "void,fulfilled" {
		t.Errorf("orders are %s", state)
	}
	s.check(t)
}

// The customer releases the hold and the card pays after all: all of it is refunded, and the seat is free.
func TestPaidAfterRelease(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, o)
	if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
		t.Fatal(err)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood) // faster than the job that gives it up
	s.jobs(t)
	state, outcome := s.order(t)
	if state != "void" || outcome != "refunded" || s.taken(t, o) != 0 {
		t.Errorf("order is %s, payment %s, %d taken", state, outcome, s.taken(t, o))
	}
	if got := apptest.Value[string](t, s.w, "select amount || ' ' || fee_amount || ' ' || state || ' ' || reason from refunds"); got != "2200 44 succeeded late_payment" {
		t.Errorf("refund: %s", got)
	}
	if m := s.mails(ada); len(m) != 1 || m[0] != "refunded" {
		t.Errorf("mailed %v", m)
	}
	s.check(t)
}

// Paid after the hold is over, and the seat still free: booked all the same.
func TestLatePaymentRetakes(t *testing.T) {
	for name, sweep := range map[string]bool{"before the sweep": false, "after the sweep": true} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			o := s.class(t, 2200, 1)
			ada := s.Customer(t, "Ada")
			token, p := s.ready(t, ada, o)
			s.w.Clock.Advance(booking.HoldLife)
			if sweep {
				if err := s.Booking.ExpireDue(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
			if got := s.confirm(t, ada, token); got.State != order.Fulfilled || got.Lines[0].State != booking.Confirmed || s.taken(t, o) != 1 {
				t.Errorf("%+v", got)
			}
			s.check(t)
		})
	}
}

// Paid after the hold expired, and the seat gone: all of it is refunded with the whole fee, once, and a mail reports
// it.
func TestLatePaymentIsRefunded(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	token, p := s.ready(t, ada, o)
	s.w.Clock.Advance(booking.HoldLife)
	second := s.Fill(t, o)
	s.hold(t, bob, second)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirm", err, checkout.ErrRefunded)
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirm again", err, checkout.ErrRefunded)
	receipt, _ := detail(err, "receiptToken").(string)
	s.jobs(t)
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), receipt)
	if err != nil || r.State != order.Refunded || len(r.Refunds) != 1 || r.Refunds[0].Amount != 2200 || r.Refunds[0].State != billing.RequestSucceeded {
		t.Errorf("%+v (%v)", r, err)
	}
	if got := apptest.Value[string](t, s.w, "select amount || ' ' || fee_amount || ' ' || state from refunds"); got != "2200 44 succeeded" {
		t.Errorf("refund: %s", got)
	}
	if m := s.mails(ada); len(m) != 1 || m[0] != "refunded" {
		t.Errorf("mailed %v", m)
	}
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "hold", err, checkout.ErrRefunded)
	s.check(t)
}

// The hold runs out while a payment waits for its card, and the customer holds anew: the old payment is given up, and
// its card is turned away.
func TestHoldAnewWhilePaying(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, old := s.ready(t, ada, o)
	s.w.Clock.Advance(booking.HoldLife)
	s.hold(t, ada, token)
	s.jobs(t)
	s.PayCard(t, old.ClientSecret, apptest.CardGood)
	fresh := s.pay(t, ada, token, 2200)
	s.PayCard(t, fresh.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	if state, outcome := s.order(t); state != "void,fulfilled" || outcome != ",fulfilled" {
		t.Errorf("orders are %s, payments %s", state, outcome)
	}
	s.check(t)
}

// A payment that is on its way is waited for and not replaced.
func TestMoneyOnItsWay(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, o)
	intent, _, _ := strings.Cut(p.ClientSecret, "_secret_")
	s.Instead = func(r *http.Request) (int, string) {
		if r.URL.Path != "/v1/payment_intents/"+intent {
			return 0, ""
		}
		return http.StatusOK, fmt.Sprintf(`{"id":%q,"object":"payment_intent","status":"processing","amount":2200,"currency":"usd",
			"application_fee_amount":44,"client_secret":%q}`, intent, p.ClientSecret)
	}
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirm", err, checkout.ErrPaymentPending)
	refused(t, "release", s.Checkout.Release(t.Context(), ada, token), checkout.ErrPaymentPending)
	hold := apptest.Value[uuid.UUID](t, s.w, "select id from holds")
	refused(t, "free hold", s.Checkout.FreeHold(t.Context(), s.Owner, hold), checkout.ErrPaymentPending)
	if s.taken(t, o) != 1 {
		t.Error("the seat that is being paid for is free")
	}
	s.w.Clock.Advance(booking.HoldLife)
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "hold", err, checkout.ErrPaymentPending)
	s.Instead = nil
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	s.check(t)
}
