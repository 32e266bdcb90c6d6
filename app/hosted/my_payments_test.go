package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/owed"
	"foyer/billing/credit"
	"foyer/billing/tender"
)

// TestMyPayments lists the customer's own payments, by card and at the desk, with their receipts, and their credit;
// no other customer's.
func TestMyPayments(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	s.visit(t).get("/my/payments").wantTo("/my/sign-in")
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get("/my/payments").want(200, "No payments yet.").lacks("Credit")
	receipt := v.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	s.Clock.Advance(time.Minute)

	price := int64(1500)
	slow := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug, o.Price = "Slow Burn", "slow-burn", &price }), s.Clock.Now().Add(48*time.Hour))
	b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ana@example.com"}, OccurrenceID: slow.ID})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.Booking.ID}, Tenders: owed.Pays(tender.Cash)},
	); err != nil {
		t.Fatal(err)
	}
	in := credit.AdjustInput{CustomerID: b.Booking.CustomerID, LocationID: s.Location.ID, Amount: 700, Note: "for the studio's records"}
	if _, err := credit.New(s.DB).Adjust(t.Context(), s.Owner, in); err != nil {
		t.Fatal(err)
	}
	my := v.get(v.get("/my").want(200).link("Your payments")).
		want(200, "Credit", "$7.00", "Slow Burn", "Cash", "$15.00", "Sunrise Vinyasa", "Visa ending 4242", "This was a test payment.").lacks("for the studio", "Older")
	if !strings.Contains(my.Body, `href="`+receipt.url.Path+`"`) {
		t.Error("it does not lead to the receipt")
	}
	s.signedIn(t, "ben@example.com", "Ben Other").get("/my/payments").want(200, "No payments yet.").lacks("Slow Burn", "$7.00")
}
