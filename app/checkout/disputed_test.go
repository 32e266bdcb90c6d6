package checkout_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
)

// A booking with a disputed payment is cancelled like any other, and nothing is refunded a second time.
func TestCancelWhatIsDisputed(t *testing.T) {
	s := open(t)
	who := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 5))
	s.hold(t, who, token)
	p := s.pay(t, who, token, 2200)
	s.PayCard(t, p.ClientSecret, "4242424242424242")
	c := s.confirm(t, who, token)
	intent := apptest.Value[string](t, s.w, "select intent from payments")
	if _, err := s.Sim.Dispute(s.Account, intent, "fraudulent"); err != nil {
		t.Fatal(err)
	}
	s.check(t)
	got, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: c.Lines[0].BookingID, By: booking.ByStudio})
	if err != nil {
		t.Fatal(err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from refunds"); n != 0 {
		t.Errorf("%d refunds: %+v", n, got)
	}
	s.check(t)
	bought, err := s.Orders.Bought(t.Context(), s.Owner, apptest.Values[uuid.UUID](t, s.w, "select id from orders"))
	if err != nil || len(bought) != 1 {
		t.Fatalf("%+v, %v", bought, err)
	}
	for _, b := range bought {
		if b.BookingID != c.Lines[0].BookingID || b.More != 0 || b.OfferingName == "" {
			t.Errorf("%+v", b)
		}
	}
}
