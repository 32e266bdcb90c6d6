package sales_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/letters"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing/dispute"
	"foyer/media/mediatest"
	"foyer/policy"
)

// disputed has a bank dispute a customer's payment for a date, and returns the dispute.
func (s till) disputed(t *testing.T, p sales.Detail) dispute.Dispute {
	t.Helper()
	intent := apptest.Value[string](t, s.w, "select intent from payments where id = $1", p.ID)
	id, err := s.Sim.Dispute(s.Account, intent, "product_not_received")
	must(t, id, err)
	s.jobs(t)
	all, err := s.Disputes.List(t.Context(), s.Owner, dispute.ListInput{})
	if list := must(t, all, err).Items; len(list) == 1 && list[0].OrderID == p.OrderID {
		return list[0]
	}
	t.Fatalf("%+v", all.Items)
	return dispute.Dispute{}
}

// TestCase: the facts of a disputed payment are the history: agreements, booking, payment and attendance; they are
// read in a few trips, and their texts are saved as evidence without a change.
func TestCase(t *testing.T) {
	s := open(t)
	terms := agreement.New(agreement.Options{DB: s.w.DB, Files: mediatest.Store(t)})
	body := "I take care of myself."
	document, err := terms.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: &body},
	})
	must(t, document, err)
	s.SetPolicy(t, s.AddPolicy(t))
	date := s.class(t, 2200, func(o *apptest.OfferingRow) { o.Name = "Evening Flow" })
	other := s.class(t, 900, func(o *apptest.OfferingRow) { o.Name = "Of somebody else" })

	who, token := s.Customer(t, "Ada"), s.Fill(t, date)
	who.Visitor = "192.0.2.17"
	asks, err := s.Checkout.Agreements(t.Context(), who, token)
	accepted, err2 := s.Checkout.Accept(t.Context(), who, token, agreement.AcceptInput{
		Accept: []agreement.Accepted{{ContentID: must(t, asks, err)[0].Copy.ID, Shown: agreement.ShownCheckbox}},
	})
	must(t, accepted, err2)
	held, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
	must(t, held, err)
	cart, err := s.Checkout.Cart(t.Context(), who, token)
	pay, err2 := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: must(t, cart, err).Totals.TotalAmount})
	s.PayCard(t, must(t, pay, err2).ClientSecret, apptest.CardGood)
	sold, err := s.Checkout.Confirm(t.Context(), who, token)
	list, err2 := s.Money.List(t.Context(), s.Owner, sales.ListInput{OrderID: must(t, sold, err).OrderID})
	paid := s.get(t, must(t, list, err2).Items[0].ID)
	gone, err := terms.Archive(t.Context(), s.Owner, s.Location.ID, document.ID)
	must(t, gone, err)
	s.sold(t, date, other) // another customer's seat in the same class, and at another one

	s.w.Clock.Advance(48*time.Hour - 5*time.Minute)
	seat := sold.Lines[0].BookingID
	checked, err := s.Booking.CheckIn(t.Context(), s.Owner, seat)
	must(t, checked, err)
	s.w.Clock.Advance(20 * 24 * time.Hour)
	d := s.disputed(t, paid)

	var c sales.DisputeFacts
	if trips := s.w.Statements(func() { c, err = s.Money.DisputeFacts(t.Context(), s.Owner, d.ID) }); trips > 5 {
		t.Errorf("%d trips", trips)
	}
	must(t, c, err)
	if len(c.Bookings) != 1 || c.Bookings[0].ID != seat || len(c.Agreed) != 1 || !c.Agreed[0].With || c.Agreed[0].IP != "192.0.2.17" {
		t.Errorf("%+v", c)
	}
	said := letters.EvidenceText(c)
	for text, want := range map[string]string{
		said.Product: "Evening Flow: a class", said.CustomerName + said.CustomerEmail: "ada-", said.Attendance: "checked in by the studio",
		said.Policy: "the page said, in its language: “Free cancellation until ", said.Refusal: "was there.", said.Other: "Agreed to “Waiver” (copy 1)", said.CustomerIP: "192.0.2.17",
	} {
		if !strings.Contains(text, want) || strings.Contains(text, "somebody else") {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	kept, err := s.Disputes.SaveEvidence(t.Context(), s.Owner, dispute.SaveEvidenceInput{DisputeID: d.ID, Words: said})
	if must(t, kept, err).Words != said {
		t.Errorf("%+v", kept)
	}
	s.check(t)
}

// TestWhoMayReadDisputeFacts: callers who may submit evidence and see bookings and customers, in the whole business,
// and none of another one.
func TestWhoMayReadDisputeFacts(t *testing.T) {
	s := open(t)
	d := s.disputed(t, s.sold(t, s.class(t, 2200)))
	for name, sc := range map[string]tenancy.Scope{
		"the accountant's features": s.Holding(s.Location.ID, policy.PaymentView, policy.BookingView),
		"one location":              s.Holding(s.Location.ID, policy.PaymentView, policy.PaymentRefund, policy.BookingView, policy.CRMView),
		"a customer":                s.Customer(t, "Eve"),
	} {
		if _, err := s.Money.DisputeFacts(t.Context(), sc, d.ID); !fault.IsKind(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	elsewhere := s.Beside(t)
	if _, err := s.Money.DisputeFacts(t.Context(), elsewhere.Owner, d.ID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another business: %v", err)
	}
}
