package till_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/app/owed"
	"foyer/app/sales"
	"foyer/app/till"
	"foyer/billing"
	"foyer/billing/tender"
	"foyer/policy"
)

// TestTill: a day of the drawer. It is opened, with pay in and pay out, and a short amount is shown when it is
// counted.
func TestTill(t *testing.T) {
	s := consoletest.Open(t)
	c := s.As(t, policy.FrontDesk)
	page := c.Get("/till").Is(t, 200).Shows(t, "Open drawer", "on the way to your bank")
	c.Send(page.Form("/till/open"), "floatAmount", "a lot").Is(t, 400).Shows(t, "Enter an amount such as 22.50")
	page = c.Send(page.Form("/till/open"), "floatAmount", "100.00").Is(t, 200).Shows(t, "Opened the drawer with a float of $100.00.", "Expected")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from drawers").String()
	at := "/till/drawers/" + id
	drawer := c.Get(page.Link(at)).Is(t, 200)
	c.Send(drawer.Form("/pay-in"), "amount", "20", "note", "").Is(t, 400).Shows(t, "Say why.")
	c.Send(drawer.Form("/pay-in"), "amount", "20", "note", "Change").Is(t, 200).Shows(t, "Expected in the drawer now: $120.00.", "Change")
	form := c.Get(at).Form("/pay-in")
	form.Action = form.Action[:len(form.Action)-len("pay-in")] + "pay-out"
	c.Send(form, "amount", "500", "note", "Too much").Is(t, 409).Shows(t, "There is not enough cash in the drawer.")
	c.Send(form, "amount", "5", "note", "Milk").Is(t, 200).Shows(t, "Expected in the drawer now: $115.00.")

	count := c.Get(at+"/count").Is(t, 200).Shows(t, "$115.00")
	if _, err := s.Till.RecordCash(t.Context(), s.Owner, till.TransactionInput{Of: till.Of{LocationID: s.Location.ID, DrawerID: uuid.MustParse(id)}, Kind: till.PayIn, Amount: 100, Note: "found"}); err != nil {
		t.Fatal(err)
	}
	c.Send(count.Form("/count"), "countedAmount", "114.00", "remainingAmount", "100.00").Is(t, 409).Shows(t, "Count it again")
	count = c.Get(at+"/count").Shows(t, "$116.00")
	c.Send(count.Form("/count"), "countedAmount", "114.00", "remainingAmount", "200.00").Is(t, 400).Shows(t, "The amount kept in the drawer cannot be larger than the counted amount.")
	c.Send(count.Form("/count"), "countedAmount", "114.00", "remainingAmount", "100.00").Is(t, 200).Shows(t, "Drawer counted.", "$2.00 short.", "Open drawer")
	c.Get(at).Is(t, 200).Shows(t, "Bank deposit", "$14.00").Silent(t, "Pay in or pay out")
	c.Get(at+"/count").Is(t, 409)
	s.As(t, policy.Instructor).Get("/till").Is(t, 403)
}

// TestTillBelowNothing: more was refunded than the drawer had, as the payments were made before it was opened: it is
// counted all the same.
func TestTillBelowNothing(t *testing.T) {
	s := consoletest.Open(t)
	ctx, price := t.Context(), int64(2200)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	o := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = &price }), s.Clock.Now().Add(48*time.Hour))
	b, err := s.Booking.Book(ctx, s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ada@example.com"}, OccurrenceID: o.ID})
	must(err)
	sold, err := s.Owed.RecordPayment(
		ctx, s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.Booking.ID}, Tenders: owed.Pays(tender.Cash)},
	)
	must(err)
	d, err := s.Till.Open(ctx, s.Owner, till.OpenInput{LocationID: s.Location.ID})
	must(err)
	_, err = s.Services.Sales.Refund(ctx, s.Owner, sales.RefundInput{PaymentID: sold.Payments[0].ID, Amount: &price, Reason: billing.ReasonGoodwill, Note: "ill"})
	must(err)
	c, at := s.As(t, policy.FrontDesk), "/till/drawers/"+d.ID.String()+"/count"
	page := c.Get(at).Is(t, 200).Shows(t, "-$22.00")
	c.Send(page.Form("/count"), "countedAmount", "0", "remainingAmount", "0").Is(t, 200).Shows(t, "$22.00 over.")
}
