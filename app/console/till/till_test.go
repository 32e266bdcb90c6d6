package till_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/console/consoletest"
	"foyer/app/sales"
	"foyer/app/till"
	"foyer/billing"
	"foyer/policy"
)

// TestTill: a day of the drawer. It is opened, cash goes in and out, and what is missing is told when it is counted.
func TestTill(t *testing.T) {
	s := consoletest.Open(t)
	c := s.As(t, policy.FrontDesk)
	page := c.Get("/till").Is(t, 200).Shows(t, "Open the drawer", "on the way to your bank")
	c.Send(page.Form("/till/open"), "floatAmount", "a lot").Is(t, 400).Shows(t, "Write an amount like 22.50")
	page = c.Send(page.Form("/till/open"), "floatAmount", "100.00").Is(t, 200).Shows(t, "The drawer is open with $100.00.", "Has to be in it")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from drawers").String()
	at := "/till/drawers/" + id
	drawer := c.Get(page.Link(at)).Is(t, 200)
	c.Send(drawer.Form("/pay-in"), "amount", "20", "note", "").Is(t, 400).Shows(t, "Say why.")
	c.Send(drawer.Form("/pay-in"), "amount", "20", "note", "Change").Is(t, 200).Shows(t, "$120.00 have to be in the drawer now.", "Change")
	form := c.Get(at).Form("/pay-in")
	form.Action = form.Action[:len(form.Action)-len("pay-in")] + "pay-out"
	c.Send(form, "amount", "500", "note", "Too much").Is(t, 409).Shows(t, "There is not that much in the drawer.")
	c.Send(form, "amount", "5", "note", "Milk").Is(t, 200).Shows(t, "$115.00 have to be in the drawer now.")

	count := c.Get(at+"/count").Is(t, 200).Shows(t, "$115.00")
	if _, err := s.Till.RecordCash(t.Context(), s.Owner, till.TransactionInput{Of: till.Of{LocationID: s.Location.ID, DrawerID: uuid.MustParse(id)}, Kind: till.PayIn, Amount: 100, Note: "found"}); err != nil {
		t.Fatal(err)
	}
	c.Send(count.Form("/count"), "countedAmount", "114.00", "leftAmount", "100.00").Is(t, 409).Shows(t, "Count it again")
	count = c.Get(at+"/count").Shows(t, "$116.00")
	c.Send(count.Form("/count"), "countedAmount", "114.00", "leftAmount", "200.00").Is(t, 400).Shows(t, "No more can stay in it than was counted.")
	c.Send(count.Form("/count"), "countedAmount", "114.00", "leftAmount", "100.00").Is(t, 200).Shows(t, "The drawer is counted.", "$2.00 are missing.", "Open the drawer")
	c.Get(at).Is(t, 200).Shows(t, "To the bank", "$14.00").Silent(t, "Put in or take out")
	c.Get(at+"/count").Is(t, 409)
	s.As(t, policy.Instructor).Get("/till").Is(t, 403)
}

// TestTillBelowNothing: more was handed back than the drawer had, since it was taken before it was opened: it is counted all the same.
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
	sold, err := s.Checkout.RecordPayment(ctx, s.Owner, checkout.PaymentInput{BookingIDs: []uuid.UUID{b.Booking.ID}, Tenders: checkout.Pays(billing.MethodCash)})
	must(err)
	d, err := s.Till.Open(ctx, s.Owner, till.OpenInput{LocationID: s.Location.ID})
	must(err)
	_, err = s.Services.Sales.Refund(ctx, s.Owner, sales.RefundInput{PaymentID: sold.Payments[0].ID, Amount: &price, Reason: billing.ReasonGoodwill, Note: "ill"})
	must(err)
	c, at := s.As(t, policy.FrontDesk), "/till/drawers/"+d.ID.String()+"/count"
	page := c.Get(at).Is(t, 200).Shows(t, "-$22.00")
	c.Send(page.Form("/count"), "countedAmount", "0", "leftAmount", "0").Is(t, 200).Shows(t, "$22.00 are too much.")
}
