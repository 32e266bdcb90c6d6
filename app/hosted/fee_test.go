package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
)

// TestPayingAFee: a saved card is declined for a late-cancellation fee. The mail has a link to a page for paying it
// without signing in; a card declined there has a message, the receipt names the fee, and the link then shows that
// nothing is due.
func TestPayingAFee(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) {
		r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount, r.NoShow.ReviewMinutes = 0, 24*60, 1000, 60
	}))
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().form("/pay/card").post(append(card("4000000000000341"), "keep", "1")...).follow().want(200, "You’re booked")
	id := apptest.Value[string](t, s.World, "select id::text from bookings")
	s.rest(t)
	s.Clock.Set(yoga.Dates[0].StartsAt.Add(-2 * time.Hour))
	v = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get("/my/bookings/"+id+"/cancel").want(200, "Fee", "$10.00").form("/cancel").post().follow().want(200)
	s.Clock.Advance(time.Hour)
	if err := s.Owed.ChargeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := s.letter(t, "ana@example.com", "fee")
	link := text[strings.Index(text, "/receipt/"):]
	if !strings.HasSuffix(link, "/pay") {
		t.Fatalf("the mail says %s", text)
	}
	guest := s.visit(t)
	page := guest.get(link).want(200, "Pay a fee", "Late-cancellation fee: Sunrise Vinyasa", "Pay $10.00", "Test payment").lacks("Save this card for next time", "still held")
	page = page.form("/pay").post(card(apptest.CardDeclined)...).follow().want(200, "Your bank declined the card", "Nothing was charged.", "Pay $10.00").lacks("still held")
	page.form("/pay").post(card(apptest.CardGood)...).follow().want(200, "Late-cancellation fee", "$10.00")
	guest.get(link).want(200, "There is nothing to pay here")
	guest.get("/receipt/unknown/pay").want(404)
	if n := s.count(t, "fees where state = 'paid'"); n != 1 {
		t.Error("the fee is not paid")
	}
	if b := apptest.Value[string](t, s.World, "select state from bookings"); b != string(booking.LateCancelled) {
		t.Errorf("the booking is %s", b)
	}
	v.get("/my/payments").want(200, "Late-cancellation fee", "$10.00", "Sunrise Vinyasa")
}
