package hosted_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/owed"
	"foyer/billing/tender"
)

// TestCancelRecurring: the customer of a recurring booking chooses whether one booking ends, or the later ones, too,
// or all; the page lists the dates, and their cost together, before they end.
func TestCancelRecurring(t *testing.T) {
	t.Parallel()
	s := open(t)
	f, _, _ := s.massage(t)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	weeks := 4
	made, err := s.Booking.BookRecurring(t.Context(), s.Owner, booking.RecurringInput{
		Customer: booking.CustomerRef{Email: "ana@example.com", Name: "Ana Ruiz"}, OfferingID: f.ID, From: civil.NewDate(2026, time.June, 15),
		Times: &booking.RecurringTimes{At: civil.NewClock(10, 0), Count: &weeks},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := "/my/bookings/" + made.Bookings[1].BookingID.String()
	v.get(path+"/cancel").want(200, "Cancel this booking?", "Which ones?", "Only this one", "This and the later ones", "All upcoming").lacks("Jun 29")
	p := v.get(path+"/cancel?scope=following").want(200, "Cancel these bookings?", "Jun 22", "Jun 29", "Jul 6", "Cancel 3 bookings").lacks("Jun 15")
	v.get(path+"/cancel?scope=anything").want(200, "Cancel this booking?")
	p.form("/cancel").post().wantTo(path + "?")
	if left := apptest.Values[uuid.UUID](t, s.World, "select id from bookings where state = 'confirmed'"); len(left) != 1 || left[0] != made.Bookings[0].BookingID {
		t.Errorf("%v are left", left)
	}
	first := "/my/bookings/" + made.Bookings[0].BookingID.String()
	v.get(first+"/cancel?scope=all").want(200, "Cancel this booking?", "Cancel booking").form("/cancel").post().wantTo(first + "?")
	s.CheckBooks(t)
}

// TestCancelSomeLate: of several that end together some are refunded and some are not: the page shows both amounts
// separately.
func TestCancelSomeLate(t *testing.T) {
	t.Parallel()
	s := open(t)
	f, _, _ := s.massage(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().form("/pay/card").post(append(card(apptest.CardGood), "keep", "1")...).follow().want(200, "You’re booked")
	weeks := 2
	made, err := s.Booking.BookRecurring(t.Context(), s.Owner, booking.RecurringInput{
		Customer: booking.CustomerRef{Email: "ana@example.com", Name: "Ana Ruiz"}, OfferingID: f.ID, From: civil.NewDate(2026, time.June, 15),
		Times: &booking.RecurringTimes{At: civil.NewClock(10, 0), Count: &weeks},
	})
	if err != nil {
		t.Fatal(err)
	}
	one, two := made.Bookings[0], made.Bookings[1]
	customer := apptest.Value[uuid.UUID](t, s.World, "select customer_id from bookings where id = $1", one.BookingID)
	if _, err := s.Owed.Collect(t.Context(), s.Owner, owed.CollectInput{CustomerID: customer, BookingIDs: []uuid.UUID{one.BookingID, two.BookingID}}); err != nil {
		t.Fatal(err)
	}
	s.rest(t)
	s.Clock.Set(apptest.Value[time.Time](t, s.World, "select starts_at from bookings where id = $1", one.BookingID).Add(-2 * time.Hour))
	v = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := "/my/bookings/" + one.BookingID.String()
	ask := v.get(path+"/cancel?scope=following").want(200, "Your refund", "To the card you paid with.", "Not refunded", "Cancel 2 bookings")
	ask.form("/cancel").post().wantTo(path + "?")
	s.CheckBooks(t)
}

// TestCancelPaidAtTheDesk: a customer who paid in cash reads before cancelling that the studio refunds it there, and
// one who paid with credit that it is refunded to credit; neither page claims that nothing was paid.
func TestCancelPaidAtTheDesk(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	paid := func(date int, how tender.Kind) string {
		b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ana@example.com", Name: "Ana Ruiz"}, OccurrenceID: yoga.Dates[date].ID})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.Booking.ID}, Tenders: owed.Pays(how)}); err != nil {
			t.Fatal(err)
		}
		return "/my/bookings/" + b.Booking.ID.String()
	}
	const nothing = "No fee applies, and nothing was paid"
	path := paid(2, tender.Cash)
	v.get(path+"/cancel").want(200, "Your refund", "The studio refunds your $22.00 at the desk.").lacks(nothing, "card you paid with").form("/cancel").post().wantTo(path + "?")
	if n := apptest.Value[int64](t, s.World, "select coalesce(sum(balance), 0)::bigint from credits"); n != 0 {
		t.Errorf("%d became credit", n)
	}

	other := paid(1, tender.Cash)
	id, _ := uuid.Parse(other[len("/my/bookings/"):])
	if _, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: id, By: booking.ByStudio, ToCredit: true}); err != nil {
		t.Fatal(err)
	}
	again := paid(2, tender.AccountCredit)
	v.get(again+"/cancel").want(200, "$22.00 is refunded as account credit with the studio.").lacks(nothing).form("/cancel").post().wantTo(again + "?")
	if n := apptest.Value[int64](t, s.World, "select balance from credits"); n != 2200 {
		t.Errorf("%d is credit again", n)
	}
	s.CheckBooks(t)
}
