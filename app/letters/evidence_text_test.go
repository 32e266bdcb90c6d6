package letters_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/letters"
	"foyer/app/order"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/dispute"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// disputedCase has every fact about a disputed seat in a class, booked by Ben for Ada.
func disputedCase() sales.DisputeFacts {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 6, day, hour, minute, 0, 0, zone) }
	full, ben := agreement.ShownFull, "Ben"
	starts, ends := at(12, 18, 30), at(12, 19, 30)
	id := uuid.MustParse("0190a1b2-0000-7000-8000-000000000001")
	rules := catalog.Rules{Cancel: catalog.CancelRules{Allowed: true, FreeUntilMinutes: 24 * 60}}
	return sales.DisputeFacts{
		Now:     at(30, 9, 0),
		Dispute: dispute.Dispute{HappenedAt: at(29, 12, 0)},
		Email:   "ada@example.com",
		Receipt: order.Receipt{
			CreatedAt: at(10, 14, 2), BusinessName: "Harbour Yoga", LocationName: "Harbour North", Zone: "America/New_York",
			Address: business.Address{Street: "1 Quay", City: "New York", Country: "US"}, CustomerName: "Ada Byron",
			Totals: order.Totals{Currency: "USD", TotalAmount: 2200},
			Lines: []order.ReceiptLine{{
				BookingID: id, Kind: order.Class, OfferingKind: catalog.Class, Quantity: 1,
				Label: "Evening Flow", Attendee: "Ben", Party: 1, StartsAt: starts,
				EndsAt: ends, Instructor: "Ines",
				State: booking.Completed, ListedAmount: 2200, CardAmount: 2200, Rules: rules,
			}},
			Card:    &order.ReceiptCard{Brand: "visa", Last4: "4242", Amount: 2200, PaidAt: at(10, 14, 3)},
			Refunds: []order.ReceiptRefund{{Amount: 500, State: billing.RequestSucceeded, At: at(14, 9, 0)}, {Amount: 300, State: billing.RequestFailed, At: at(15, 9, 0)}},
		},
		Bookings: []booking.Story{{
			StudioBooking: booking.StudioBooking{Shown: booking.Shown{
				Booking: booking.Booking{ID: id, State: booking.Completed, Attendee: "Ben", StartsAt: starts, EndsAt: ends}, OfferingName: "Evening Flow",
			}},
			Changes: []booking.Change{
				{Transition: booking.TransitionHold, To: booking.Held, At: at(10, 14, 0)},
				{Transition: booking.TransitionConfirm, From: booking.Held, To: booking.Confirmed, At: at(10, 14, 3)},
				{Transition: booking.TransitionCheckIn, From: booking.Confirmed, To: booking.CheckedIn, At: at(12, 18, 24)},
				{Transition: booking.TransitionComplete, From: booking.CheckedIn, To: booking.Completed, At: at(12, 19, 30)},
			},
		}},
		Agreed: []agreement.Proof{{
			Document: "Waiver", Number: 2, SHA256: []byte{0xca, 0xfe}, Source: agreement.SourceCheckout, Shown: &full, Attendee: &ben, IP: "192.0.2.17",
			AgreedAt: at(10, 14, 1), With: true,
		}},
		Reminded: []sales.Reminded{{BookingID: id, MailedAt: at(11, 18, 30)}},
	}
}

// TestEvidenceText: the evidence of a payment, as written for a bank.
func TestEvidenceText(t *testing.T) {
	want := processor.Evidence{
		Product: "Evening Flow: a class, 12 June 2026, 18:30 to 19:30 (America/New_York), with Ines, for Ben\n" +
			"Sold by Harbour Yoga, Harbour North, 1 Quay, New York",
		CustomerName: "Ada Byron", CustomerEmail: "ada@example.com", CustomerIP: "192.0.2.17", ServiceDate: "2026-06-12",
		Attendance: "Evening Flow, 12 June 2026, 18:30 to 19:30 (America/New_York):\n" +
			"- 10 June 2026, 14:03: booked by the customer\n" +
			"- 11 June 2026, 18:30: a reminder was mailed to the customer\n" +
			"- 12 June 2026, 18:24: checked in by the studio: Ben was there",
		Policy: "Evening Flow: when the customer booked, on 10 June 2026, 14:03, the page said, in its language: " +
			"“Free cancellation until Thu, Jun 11, 6:30 pm; after that you lose $22.00.”",
		Refusal: "Evening Flow, 12 June 2026, 18:30 to 19:30 (America/New_York): Ben was there.\n$5.00 was refunded on 14 June 2026.",
		Other: "Paid with the card visa ending in 4242 on 10 June 2026, 14:03 (America/New_York).\n" +
			"Agreed to “Waiver” (copy 2) on 10 June 2026, 14:01, after it was shown in full, from 192.0.2.17, for Ben. SHA-256 of what was shown: cafe",
	}
	got := letters.EvidenceText(disputedCase())
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		if said := strings.ReplaceAll(g.Field(i).String(), "\u00a0", " "); said != w.Field(i).String() {
			t.Errorf("%s:\n%s\nwant\n%s", g.Type().Field(i).Name, said, w.Field(i))
		}
	}
}

// TestEvidenceTextInventsNothing: unknown facts are left out, and the other lines stay as they are.
func TestEvidenceTextInventsNothing(t *testing.T) {
	all := letters.EvidenceText(disputedCase())
	byCredit := func(c *sales.DisputeFacts) {
		c.Receipt.Totals.DueLaterAmount = 1
		c.Receipt.Totals.Prepaid = []tender.Prepaid{{Kind: tender.AccountCredit, Amount: 1}}
	}
	for name, c := range map[string]struct {
		unknown func(*sales.DisputeFacts)
		gone    string // from all texts
		field   func(processor.Evidence) string
		empty   bool // nothing is left of that text
	}{
		"no name":                        {func(c *sales.DisputeFacts) { c.Receipt.CustomerName = "" }, "Ada Byron", func(w processor.Evidence) string { return w.CustomerName }, true},
		"no address":                     {func(c *sales.DisputeFacts) { c.Email = "" }, "ada@example.com", func(w processor.Evidence) string { return w.CustomerEmail }, true},
		"not agreed":                     {func(c *sales.DisputeFacts) { c.Agreed = nil }, "192.0.2.17", func(w processor.Evidence) string { return w.CustomerIP }, true},
		"agreed before":                  {func(c *sales.DisputeFacts) { c.Agreed[0].With = false }, "", func(w processor.Evidence) string { return w.CustomerIP }, true},
		"not reminded":                   {func(c *sales.DisputeFacts) { c.Reminded = nil }, "reminder", func(w processor.Evidence) string { return w.Attendance }, false},
		"of another":                     {func(c *sales.DisputeFacts) { c.Reminded[0].BookingID = uuid.New() }, "reminder", func(w processor.Evidence) string { return w.Attendance }, false},
		"nobody teaches":                 {func(c *sales.DisputeFacts) { c.Receipt.Lines[0].Instructor = "" }, "Ines", func(w processor.Evidence) string { return w.Product }, false},
		"not checked in":                 {func(c *sales.DisputeFacts) { c.Bookings[0].Changes = c.Bookings[0].Changes[:2] }, "checked in", func(w processor.Evidence) string { return w.Attendance }, false},
		"history is unknown":             {func(c *sales.DisputeFacts) { c.Bookings[0].Changes, c.Reminded = nil, nil }, "Until Thu", func(w processor.Evidence) string { return w.Attendance + w.Policy }, true},
		"booked by the studio":           {func(c *sales.DisputeFacts) { c.Bookings[0].Changes[1].Transition = booking.TransitionBook }, "you lose", func(w processor.Evidence) string { return w.Policy }, true},
		"sold at the desk":               {func(c *sales.DisputeFacts) { c.Receipt.Desk = true }, "you lose", func(w processor.Evidence) string { return w.Policy }, true},
		"a deposit, by credit":           {byCredit, "you lose", func(w processor.Evidence) string { return w.Policy }, true},
		"nothing back":                   {func(c *sales.DisputeFacts) { c.Receipt.Refunds = nil; c.Bookings[0].State = booking.Cancelled }, "refunded", func(w processor.Evidence) string { return w.Refusal }, true},
		"over, and nobody said who came": {func(c *sales.DisputeFacts) { c.Receipt.Refunds = nil; c.Bookings[0].State = booking.Confirmed }, "was there.", func(w processor.Evidence) string { return w.Refusal }, true},
		"no card, no agreement":          {func(c *sales.DisputeFacts) { c.Agreed, c.Receipt.Card = nil, nil }, "4242", func(w processor.Evidence) string { return w.Other }, true},
		"no number of the card":          {func(c *sales.DisputeFacts) { c.Receipt.Card.Last4 = "" }, "ending in", func(w processor.Evidence) string { return w.Other }, false},
	} {
		known := disputedCase()
		c.unknown(&known)
		got := letters.EvidenceText(known)
		said := strings.ReplaceAll(strings.Join([]string{got.Product, got.CustomerName, got.CustomerEmail, got.CustomerIP, got.Attendance, got.Policy, got.Refusal, got.Other}, "\n"), "\u00a0", " ")
		if c.gone != "" && strings.Contains(said, c.gone) {
			t.Errorf("%s: it still says %q:\n%s", name, c.gone, said)
		}
		if text := c.field(got); c.empty != (text == "") || !c.empty && (len(text) >= len(c.field(all)) || strings.Contains(text, "\n\n")) {
			t.Errorf("%s: %q", name, text)
		}
	}
	if got := letters.EvidenceText(sales.DisputeFacts{Dispute: dispute.Dispute{ID: uuid.New()}}); got != (processor.Evidence{}) {
		t.Errorf("of a charge that was not made here: %+v", got)
	}
}
