package checkout_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/billing"
	"foyer/billing/processor"
)

// A24, A215. Add, hold, pay by card, confirm: booked once, paid once, on the studio's own account, with one fee.
func TestPaidBooking(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)

	c, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Lines) != 1 || c.Totals.TotalAmount != 2200 || !c.Card || c.Hold != nil || c.BusinessName != "Harbour Yoga" || c.Lines[0].Spots != 1 {
		t.Errorf("cart: %+v", c)
	}
	h := s.hold(t, ada, token)
	p := s.pay(t, ada, token, 2200)
	if p.Status != processor.StatusAwaitingMethod || p.ClientSecret == "" || p.AccountID != s.Account || p.Amount != 2200 ||
		p.Currency != "USD" || !p.Test || !p.ExpiresAt.Equal(h.ExpiresAt) || p.PublishableKey == "" {
		t.Errorf("payment: %+v", p)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	if got.State != order.Fulfilled || len(got.Lines) != 1 || got.Lines[0].BookingID != h.Seats[0].BookingID ||
		got.Lines[0].State != booking.Confirmed || got.Card == nil || got.Card.Brand != "visa" || got.Card.Last4 != "4242" ||
		got.Card.Amount != 2200 || !got.Test || got.BusinessName != "Harbour Yoga" {
		t.Errorf("receipt: %+v", got)
	}
	if again := s.confirm(t, ada, token); again.Token != got.Token || again.OrderID != got.OrderID {
		t.Errorf("a second confirmation: %+v", again)
	}
	public, err := s.Orders.Receipt(t.Context(), s.Visitor(), got.Token)
	if err != nil || public.OrderID != got.OrderID {
		t.Errorf("receipt by token: %+v", public)
	}
	if fee := apptest.Value[string](t, s.w, "select fee_amount || ' of ' || amount || ' at ' || fee_ppm || ' on ' || account from payments"); fee != "44 of 2200 at 20000 on "+s.Account {
		t.Errorf("fee: %s", fee)
	}
	ran := s.jobs(t)
	if !slices.Contains(ran, "order.confirmation") || !slices.Equal(s.mails(ada), []string{"booked"}) {
		t.Errorf("ran %v, mailed %v", ran, s.mails(ada))
	}
	s.check(t)
}

// Nothing to pay: booked without any processor, in one step.
func TestFreeBooking(t *testing.T) {
	s := open(t)
	s.Call = func(r *http.Request) error { return fmt.Errorf("the processor was asked: %s", r.URL) }
	o := s.class(t, 0, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	h := s.hold(t, ada, token)
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{})
	refused(t, "paying nothing", err, checkout.ErrNothingToPay)
	got := s.confirm(t, ada, token)
	if got.State != order.Fulfilled || got.Card != nil || got.Test || got.Lines[0].BookingID != h.Seats[0].BookingID {
		t.Errorf("receipt: %+v", got)
	}
	if again := s.confirm(t, ada, token); again.OrderID != got.OrderID {
		t.Errorf("a second confirmation: %+v", again)
	}
	if ran := s.jobs(t); !slices.Equal(ran, []string{"order.confirmation"}) || !slices.Equal(s.mails(ada), []string{"booked"}) {
		t.Errorf("ran %v, mailed %v", ran, s.mails(ada))
	}
	s.Call = nil // the check reads the processor's balance
	s.check(t)
}

// The browser never returns: the event books.
func TestEventBooks(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, o)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.jobs(t)
	if state, outcome := s.order(t); state != "fulfilled" || outcome != "fulfilled" {
		t.Errorf("order is %s, payment %s", state, outcome)
	}
	if !slices.Equal(s.mails(ada), []string{"booked"}) {
		t.Errorf("mailed %v", s.mails(ada))
	}
	if got := s.confirm(t, ada, token); got.State != order.Fulfilled {
		t.Errorf("receipt: %+v", got)
	}
	s.check(t)
}

// Neither the browser returns nor any event arrives: the sweep, which runs every ten seconds, books within a minute,
// also after eight minutes of paying. F1.
func TestSweepBooks(t *testing.T) {
	for name, after := range map[string]time.Duration{"at once": 0, "after eight minutes": 8 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			o := s.class(t, 2200, 1)
			_, p := s.ready(t, s.Customer(t, "Ada"), o)
			beats := func(d time.Duration) {
				for range d / (10 * time.Second) {
					s.w.Clock.Advance(10 * time.Second)
					if err := s.Billing.Recheck(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
			beats(after)
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
			if state, _ := s.order(t); state != "open" {
				t.Errorf("order is %s before anybody asked", state)
			}
			beats(50 * time.Second)
			if state, outcome := s.order(t); state != "fulfilled" || outcome != "fulfilled" {
				t.Errorf("order is %s, payment %s", state, outcome)
			}
			s.check(t)
		})
	}
}

// The bank's check: pending, then booked.
func TestBankCheck(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, o)
	s.PayCard(t, p.ClientSecret, apptest.CardChecked)
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "before the check", err, checkout.ErrPaymentRequired)
	if detail(err, "status") != "awaiting_customer" {
		t.Errorf("status is %v", detail(err, "status"))
	}
	s.PassCheck(t, p.ClientSecret)
	if got := s.confirm(t, ada, token); got.State != order.Fulfilled {
		t.Errorf("receipt: %+v", got)
	}
	s.check(t)
}

// A decline is no end: the same payment takes another card.
func TestDeclinedThenPaid(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, o)
	s.PayCard(t, p.ClientSecret, apptest.CardDeclined)
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "after a decline", err, checkout.ErrPaymentRequired)
	if detail(err, "message") != "Your card was declined." || detail(err, "status") != "awaiting_method" {
		t.Errorf("details: %v", err)
	}
	again := s.pay(t, ada, token, 2200)
	if again.ClientSecret != p.ClientSecret {
		t.Error("paying again made another payment")
	}
	s.PayCard(t, again.ClientSecret, apptest.CardGood)
	if got := s.confirm(t, ada, token); got.State != order.Fulfilled {
		t.Errorf("receipt: %+v", got)
	}
	s.check(t)
}

// A27, A28. The service fee is a line of the order, and the platform's share follows the amount on the card. A224.
func TestServiceFee(t *testing.T) {
	for mode, want := range map[billing.Mode][2]int64{billing.ModeSplit: {22, 44}, billing.ModeCustomer: {45, 45}} {
		t.Run(string(mode), func(t *testing.T) {
			s := open(t)
			s.feeMode(t, mode)
			o := s.class(t, 2200, 1)
			ada := s.Customer(t, "Ada")
			token := s.Fill(t, o)
			s.hold(t, ada, token)
			total := 2200 + want[0]
			p := s.pay(t, ada, token, total)
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
			got := s.confirm(t, ada, token)
			if got.Totals.ServiceFeeAmount != want[0] || got.Totals.TotalAmount != total || got.Card.Amount != total {
				t.Errorf("totals: %+v", got.Totals)
			}
			if fee := apptest.Value[int64](t, s.w, "select fee_amount from payments"); fee != want[1] {
				t.Errorf("platform fee is %d", fee)
			}
			s.check(t)
		})
	}
}
