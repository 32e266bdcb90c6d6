package bookings_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/app/giftcard"
	"foyer/billing/credit"
	"foyer/billing/tender"
	"foyer/policy"
)

// dueAtDesk returns a booking of 22.00 made at the desk.
func dueAtDesk(t *testing.T, s *consoletest.Studio) booking.StudioBooking {
	t.Helper()
	price := int64(2200)
	o := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Price = "Evening Flow", &price }), s.Clock.Now().Add(48*time.Hour))
	b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ada@example.com", Name: "Ada Lovelace"}, OccurrenceID: o.ID})
	if err != nil {
		t.Fatal(err)
	}
	return b.Booking
}

// TestTake: from a booking in two presses the amount due is paid; a repeated post counts once; and a fee by itself.
func TestTake(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	c := s.As(t, policy.FrontDesk)
	at := "/bookings/" + b.ID.String()
	taken := func() int64 {
		return apptest.Value[int64](t, s.World, "select coalesce(sum(amount), 0)::bigint from order_tenders")
	}
	page := c.Get(at).Is(t, 200).Shows(t, "Due at the studio", "Take $22.00…")
	c.Get(at+"/take?method=other").Is(t, 200).Shows(t, "Record $22.00", "own terminal")
	page = c.Get(page.Link(at+"/take")).Is(t, 200).Shows(t, "Evening Flow", "Take $22.00 in cash")
	if taken() != 0 {
		t.Fatalf("looking took %d", taken())
	}
	form := page.Posts(at + "/take")
	c.Send(form, "note", "in coins").Is(t, 200).Shows(t, "Ada Lovelace has paid $22.00.", "Paid at the studio").Silent(t, "Take $22.00…")
	c.Send(form, "note", "in coins").Is(t, 200)
	if taken() != 2200 {
		t.Fatalf("%d was taken", taken())
	}
	c.Get(at+"/take").Is(t, 200).Shows(t, "This booking has no balance due.").Silent(t, "in cash")

	s.SQL(t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency, review_until, created_at, updated_at)
		select $2, business_id, location_id, id, customer_id, 'no_show', 'due', 700, 'USD', $3, $3, $3 from bookings where id = $1`, b.ID, uuid.New(), s.Clock.Now())
	page = c.Get(at+"/take").Is(t, 200).Shows(t, "Fee: Evening Flow", "Take $7.00 in cash")
	c.Send(page.Posts(at+"/take")).Is(t, 200).Shows(t, "has paid $7.00")
	c.Get(at).Shows(t, "Paid").Silent(t, "Waive…")

	// Its payment can be refunded, or voided.
	owner := s.As(t, consoletest.Owner)
	id := apptest.Value[uuid.UUID](t, s.World, "select id from order_tenders where amount = 2200").String()
	page = owner.Get("/sales/"+id).Is(t, 200).Shows(t, "Cash", "in coins", "Refund…", "Void…")
	owner.Get("/sales/"+id+"/refund").Is(t, 200).Shows(t, "Refund $22.00 in cash", "Refund in cash: hand it to the customer")
	void := owner.Get(page.Link("/void")).Is(t, 200).Shows(t, "Void $22.00")
	owner.Send(void.Posts("/void"), "note", "").Is(t, 400).Shows(t, "Say why.")
	owner.Send(void.Posts("/void"), "note", "another booking").Is(t, 200).Shows(t, "Payment voided. $22.00 is due again.", "Recorded by mistake")
	c.Get(at).Shows(t, "Take $22.00…")
	s.As(t, policy.Instructor).Get(at+"/take").Is(t, 403)
}

// TestTakePriceOrFees: where both are due, one can be chosen.
func TestTakePriceOrFees(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	s.SQL(t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency, review_until, created_at, updated_at)
		select $2, business_id, location_id, id, customer_id, 'no_show', 'due', 700, 'USD', $3, $3, $3 from bookings where id = $1`, b.ID, uuid.New(), s.Clock.Now())
	c := s.As(t, consoletest.Owner)
	at := "/bookings/" + b.ID.String() + "/take"
	c.Get(at).Is(t, 200).Shows(t, "Take $29.00 in cash", "Price and fees")
	c.Get(at+"?of=price").Is(t, 200).Shows(t, "Take $22.00 in cash")
	page := c.Get(at+"?of=fees").Is(t, 200).Shows(t, "Take $7.00 in cash")
	c.Send(page.Posts("/take")).Is(t, 200).Shows(t, "has paid $7.00", "Take $22.00…")
}

// TestTakeWithCredit: the customer's credit is used first if chosen, the remainder in cash; a part of the price is
// paid, and the remaining balance shown.
func TestTakeWithCredit(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	c := s.As(t, policy.FrontDesk)
	at := "/bookings/" + b.ID.String() + "/take"
	c.Get(at).Is(t, 200).Silent(t, "credit")
	in := credit.AdjustInput{CustomerID: b.CustomerID, LocationID: s.Location.ID, Amount: 500, Note: "a gift"}
	if _, err := s.Credit.Adjust(t.Context(), s.Owner, in); err != nil {
		t.Fatal(err)
	}
	c.Get(at).Is(t, 200).Shows(t, "Use account credit first ($5.00)", "Take $22.00 in cash")
	c.Get(at+"?amount=22.01").Is(t, 200).Shows(t, "The amount is larger than the amount due.")
	page := c.Get(at+"?credit=1&amount=10.00").Is(t, 200).Shows(t, "Paid with account credit", "$5.00", "Paid in cash", "Balance due", "$12.00", "Record $10.00")
	c.Send(page.Posts("/take")).Is(t, 200).Shows(t, "has paid $10.00.", "Take $12.00…")
	c.Send(page.Posts("/take")).Is(t, 200) // sent twice
	if n := apptest.Value[int64](t, s.World, "select sum(amount)::bigint from order_tenders"); n != 1000 {
		t.Fatalf("%d was taken", n)
	}
	c.Get(at).Is(t, 200).Shows(t, "Take $12.00 in cash").Silent(t, "credit")
}

// cardOf issues a gift card of an amount.
func cardOf(t *testing.T, s *consoletest.Studio, amount int64) giftcard.Issued {
	t.Helper()
	sold, err := s.Services.GiftSales.Issue(t.Context(), s.Owner, giftcard.IssueInput{
		NewCard: giftcard.NewCard{Amount: amount}, LocationID: s.Location.ID, Method: tender.Other,
	})
	if err != nil {
		t.Fatal(err)
	}
	return sold
}

// TestTakeWithGiftCard: the front desk of a location takes a gift card for a booking, a part of its price, or with
// cash for the remaining amount, also in the side sheet. The code is in no address.
func TestTakeWithGiftCard(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	s.AddLocation(t, "Riverside")
	whole, part := cardOf(t, s, 5000), cardOf(t, s, 300)
	c := s.Member(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	at := "/bookings/" + b.ID.String() + "/take"
	page := c.Sheet(at+"?method=gift_card&amount=10.00").Is(t, 200).Shows(t, "Gift card code").
		Silent(t, "Charge", "Record")
	wrong := c.Send(page.Posts("/gift-card"), "code", "7K2M").Is(t, 400)
	wrong.Shows(t, "This code cannot be used here. Check it and try again.", "Gift card code")
	page = c.Send(wrong.Posts("/gift-card"), "code", whole.Code).Is(t, 200).
		Shows(t, "Paid with Gift card "+whole.Card.Label(), "Balance due", "$12.00", "Charge $10.00", "Remove gift card")
	for _, address := range append(page.Links(), page.URL.String()) {
		if strings.Contains(strings.ToUpper(address), whole.Code[:4]) || strings.Contains(address, whole.Card.ID.String()) {
			t.Errorf("the code or the id of the card is in the address %s", address)
		}
	}
	if page.URL.Path != page.Form("/take").Action {
		t.Errorf("the sheet left for %s", page.URL.Path)
	}
	form := page.Posts("/take")
	c.Send(form, "card", whole.Card.ID.String()).Is(t, 400).
		Shows(t, "Enter the code of the gift card again.", "Gift card code").Silent(t, "Charge")
	form.Values.Del("_sheet")
	c.Send(form, "note", "Birthday").Is(t, 200).Shows(t, "has paid $10.00.", "Take $12.00…")
	c.Send(form, "note", "Birthday").Is(t, 200) // sent twice

	page = c.Get(at+"?method=gift_card").Is(t, 200)
	page = c.Send(page.Posts("/gift-card"), "code", part.Code).Is(t, 200).Shows(t, part.Card.Label()+" has $3.00.",
		"Pay the remaining amount with", "$3.00", "Paid in cash", "$9.00", "Record $12.00")
	with := page.URL.RequestURI()
	c.Get(with+"&receivedAmount=8").Is(t, 200).Shows(t, "It is at least the amount to pay.", "$9.00").Silent(t, "Record")
	c.Get(page.Link(at)).Is(t, 200)
	other := strings.Replace(with, "remainingMethod=cash", "remainingMethod=other", 1)
	c.Get(other).Is(t, 200).Shows(t, "own terminal", "Record $12.00").Silent(t, "Amount received")
	form = c.Get(with+"&receivedAmount=10").Is(t, 200).Shows(t, "Change due", "$1.00").Posts("/take")
	c.Send(form, "receivedAmount", "x").Is(t, 400).Shows(t, "Enter an amount such as 22.50.", "Remove gift card")
	c.Send(form, "receivedAmount", "8").Is(t, 409).Shows(t, "Nothing was done", "Remove gift card") // other than quoted
	s.Clock.Advance(time.Hour)
	c.Send(form).Is(t, 400).Shows(t, "Enter the code of the gift card again.", "Gift card code")
	again := c.Get(with).Is(t, 200).Shows(t, "Enter the code of the gift card again.").Silent(t, "Record")
	page = c.Send(again.Posts("/gift-card"), "code", part.Code).Is(t, 200)
	c.Send(c.Get(page.URL.RequestURI()+"&receivedAmount=10").Posts("/take")).Is(t, 200).
		Shows(t, "has paid $12.00. Change due: $1.00.").Silent(t, "Take $")
	for kind, want := range map[string]int64{"gift_card": 1300, "cash": 900} {
		sum := "select coalesce(sum(amount), 0)::bigint from order_tenders where kind = $1"
		if n := apptest.Value[int64](t, s.World, sum, kind); n != want {
			t.Errorf("%d was paid by %s, want %d", n, kind, want)
		}
	}
	s.CheckBooks(t)
	s.As(t, policy.Instructor).Get(at+"?method=gift_card").Is(t, 403)
}

// TestTakeFeeWithGiftCard: a fee is paid in full by account credit, a gift card and another method, in that order.
func TestTakeFeeWithGiftCard(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	s.SQL(t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency,
			review_until, created_at, updated_at)
		select $2, business_id, location_id, id, customer_id, 'no_show', 'due', 700, 'USD', $3, $3, $3
		from bookings where id = $1`, b.ID, uuid.New(), s.Clock.Now())
	in := credit.AdjustInput{CustomerID: b.CustomerID, LocationID: s.Location.ID, Amount: 100, Note: "a gift"}
	if _, err := s.Credit.Adjust(t.Context(), s.Owner, in); err != nil {
		t.Fatal(err)
	}
	card := cardOf(t, s, 250)
	c := s.As(t, policy.FrontDesk)
	at := "/bookings/" + b.ID.String() + "/take"
	page := c.Get(at+"?method=gift_card&of=fees&credit=1").Is(t, 200)
	page = c.Send(page.Posts("/gift-card"), "code", card.Code).Is(t, 200).Shows(t, "Fee: Evening Flow",
		"Paid with account credit", "$1.00", "Paid with Gift card", "$2.50", "Paid in cash", "$3.50", "Record $7.00")
	c.Send(page.Posts("/take")).Is(t, 200).Shows(t, "has paid $7.00.", "Take $22.00…")
	c.Get(at+"?amount=x").Is(t, 200).Shows(t, "Enter an amount such as 22.50.").Silent(t, "in cash")
}

// TestCancelWhereTheMoneyGoes: a payment at the desk is refunded there or becomes credit at once, as the form states
// before.
func TestCancelWhereTheMoneyGoes(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	c := s.As(t, consoletest.Owner)
	at := "/bookings/" + b.ID.String()
	c.Send(c.Get(at+"/take").Is(t, 200).Posts("/take")).Is(t, 200)
	c.Get(at+"/cancel").Is(t, 200).Shows(t, "Refund to", "Original payment method", "Paid at the desk:", "$22.00", "Cancel booking").Silent(t, "Added to account credit")
	c.Get(
		"/bookings/cancel?destination=account_credit&booking="+b.ID.String(),
	).Is(t, 200).Shows(t, "Cancel 1 and credit $22.00")
	page := c.Get(at+"/cancel?destination=account_credit").Is(t, 200).Shows(
		t, "Added to account credit", "Cancel and credit $22.00",
	).Silent(t, "refund it from Sales")
	c.Send(page.Posts("/cancel")).Is(t, 200).Shows(t, "Cancelled the booking of", "Added $22.00 to account credit.")
	if got := apptest.Value[int64](t, s.World, "select balance from credits"); got != 2200 {
		t.Errorf("%d is credit", got)
	}
	s.CheckBooks(t)
}
