package agreement_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/paging"
)

// fillFor returns a cart with a seat of a date for each of these people.
func (s *shop) fillFor(t *testing.T, at apptest.OccurrenceRow, people ...string) string {
	t.Helper()
	c, err := s.Checkout.Create(t.Context(), s.Visitor(), checkout.CreateInput{LocationID: s.Location.ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range people {
		s.add(t, c.Token, at, name)
	}
	return c.Token
}

func (s *shop) add(t *testing.T, token string, at apptest.OccurrenceRow, name string) {
	t.Helper()
	if _, err := s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{OccurrenceID: at.ID, Attendee: name}); err != nil {
		t.Fatal(err)
	}
}

// acceptFor accepts a document for these people.
func acceptFor(d agreement.Document, people ...string) agreement.AcceptInput {
	return agreement.AcceptInput{Accept: []agreement.Accepted{{ContentID: d.Copy.ID, Shown: agreement.ShownFull, Attendees: people}}}
}

func (s *shop) lack(t *testing.T, what string, asks []agreement.Requirement, err error, whose ...string) {
	t.Helper()
	var got []string
	for _, k := range asks {
		got = append(got, k.Attendees...)
	}
	if err != nil || !slices.Equal(got, whose) {
		t.Errorf("%s: lacking of %q, want %q (%v)", what, got, whose, err)
	}
}

// TestAgreeingForAChild: A160, A180, A181: a customer who books for others agrees for each of them by name, once for
// good, and an acceptance for one does not count for another.
func TestAgreeingForAChild(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	waiver := s.asks(t)
	ada := s.Customer(t, "Ada")
	token := s.fillFor(t, s.at, "", "Mia", "Leo")
	asks, err := s.Checkout.Agreements(ctx, ada, token)
	s.lack(t, "a cart for three", asks, err, "", "Mia", "Leo")
	for range 2 {
		asks, err = s.Checkout.Accept(ctx, ada, token, acceptFor(waiver, " MIA", ""))
		s.lack(t, "for two of them", asks, err, "Leo")
	}
	_, err = s.Checkout.Accept(ctx, ada, token, acceptFor(waiver, "Noah"))
	wrong(t, err, "accept")
	if _, err := s.Checkout.Hold(ctx, ada, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	_, err = s.Checkout.Confirm(ctx, ada, token)
	s.refused(t, err, agreement.ErrOutstanding, waiver)
	asks, err = s.Checkout.Accept(ctx, ada, token, acceptFor(waiver, "Leo"))
	s.lack(t, "for all of them", asks, err)
	if _, err := s.Checkout.Confirm(ctx, ada, token); err != nil || s.count(t) != 3 {
		t.Fatalf("%d acceptances (%v)", s.count(t), err)
	}

	later := s.date(t, s.class, 72*time.Hour)
	next := s.fillFor(t, later, "mia ", "Noah")
	asks, err = s.Checkout.Agreements(ctx, ada, next)
	s.lack(t, "the next time", asks, err, "Noah")

	// Without attendees an acceptance is for all of the cart, and outside a cart for the customer.
	whole := s.fillFor(t, later, "Emma")
	s.agree(t, ada, whole, waiver)
	asks, err = s.Checkout.Agreements(ctx, ada, whole)
	s.lack(t, "the whole cart", asks, err)
	asks, err = s.Checkout.Agreements(ctx, ada, s.fillFor(t, later, "Emma"))
	s.lack(t, "another cart", asks, err, "Emma")
}

// TestTheRecordSaysForWhom: A159, A186, A189, A190, A193, A194: lists, evidence and outstanding agreements name the
// attendee, and the studio records a signature for a child.
func TestTheRecordSaysForWhom(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	ada := s.Customer(t, "Ada")
	s.book(t, ada, s.at)
	customer := s.customer(t, ada)
	waiver, rules := s.asks(t), s.asks(t, everyBooking, func(in *agreement.CreateInput) { in.Position = 1 })
	mia := s.deskFor(t, customer, s.date(t, s.class, 72*time.Hour), "Mia")
	leo := s.deskFor(t, customer, s.date(t, s.class, 96*time.Hour), "Leo")
	due, err := s.a.MyOutstanding(ctx, ada)
	s.lack(t, "due", due, err, "", "Mia", "Leo", "", "Mia", "Leo")
	_, err = s.a.Sign(ctx, ada, acceptFor(waiver, "Emma"))
	wrong(t, err, "accept")
	due, err = s.a.Sign(ctx, ada, agreement.AcceptInput{Accept: append(accept(waiver).Accept, acceptFor(rules, "mia").Accept...)})
	s.lack(t, "signed for oneself and for a child", due, err, "Mia", "Leo", "", "Leo")

	missing, err := s.a.MissingOf(ctx, s.Business.ID, []uuid.UUID{mia, leo})
	if err != nil || !slices.Equal(missing[mia], []string{"Waiver"}) || len(missing[leo]) != 2 {
		t.Errorf("%v (%v)", missing, err)
	}
	s.markFor(t, customer, waiver, new("LEO"), nil)
	s.markFor(t, customer, waiver, new("leo"), nil)
	if e := s.evidence(t, customer, waiver); e.For() != "LEO" || !strings.Contains(string(recordOf(t, e)), "\"record\": \"agreement-evidence-2\"") ||
		!strings.Contains(string(recordOf(t, e)), "\"for\": \"LEO\"") {
		t.Errorf("%s", recordOf(t, e))
	}
	in := agreement.MarkInput{StatusInput: agreement.StatusInput{CustomerID: customer, LocationID: s.Location.ID}, DocumentID: rules.ID, BookingID: &leo, Attendee: new("Mia")}
	_, err = s.a.MarkSigned(ctx, s.Owner, in)
	wrong(t, err, "attendee")
	before := s.count(t)
	for range 2 { // of each one without: the child, and the two other bookings
		s.markFor(t, customer, waiver, nil, nil)
		s.markFor(t, customer, rules, nil, nil)
	}
	if n := s.count(t) - before; n != 3 {
		t.Errorf("%d more acceptances", n)
	}
	due, err = s.a.MyOutstanding(ctx, ada)
	s.lack(t, "in the end", due, err)
	if got := s.people(t, waiver); got.Signed != 3 || got.Outstanding != 0 {
		t.Errorf("%+v", got)
	}
	for _, p := range s.signers(t, waiver) {
		if p.Attendee == nil || !slices.Contains([]string{"", "Mia", "LEO"}, *p.Attendee) {
			t.Errorf("%+v", p)
		}
	}
	mine, err := s.a.Mine(ctx, ada.Principal, paging.In[paging.Moment]{Limit: 100})
	if err != nil || len(mine.Items) != 6 || !slices.ContainsFunc(mine.Items, func(m agreement.Mine) bool { return m.Attendee != nil && *m.Attendee == "LEO" }) {
		t.Errorf("%+v (%v)", mine.Items, err)
	}

	// Another child in place of the first: there is no acceptance for her.
	row, err := s.Booking.Get(ctx, s.Owner, mia)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Booking.Edit(ctx, s.Owner, booking.EditInput{BookingID: mia, Version: row.Version, Attendee: new("Emma")}); err != nil {
		t.Fatal(err)
	}
	due, err = s.a.MyOutstanding(ctx, ada)
	s.lack(t, "another child", due, err, "Emma", "Emma")
	due, err = s.a.Sign(ctx, ada, agreement.AcceptInput{Accept: append(acceptFor(waiver, "Emma").Accept, acceptFor(rules, "Emma").Accept...)})
	s.lack(t, "signed for her", due, err)
}

func (s *shop) deskFor(t *testing.T, customer uuid.UUID, at apptest.OccurrenceRow, name string) uuid.UUID {
	t.Helper()
	got, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: at.ID, Attendee: name})
	if err != nil {
		t.Fatal(err)
	}
	return got.Booking.ID
}

func (s *shop) markFor(t *testing.T, customer uuid.UUID, d agreement.Document, attendee *string, booking *uuid.UUID) {
	t.Helper()
	in := agreement.MarkInput{StatusInput: agreement.StatusInput{CustomerID: customer, LocationID: s.Location.ID}, DocumentID: d.ID, Attendee: attendee, BookingID: booking}
	if _, err := s.a.MarkSigned(t.Context(), s.Owner, in); err != nil {
		t.Fatal(err)
	}
}

// TestTheRecordIsWhatCounts: A159: the record shows the acceptance that counts for the bookings, not the latest,
// possibly for an attendee of another booking.
func TestTheRecordIsWhatCounts(t *testing.T) {
	s := open(t)
	waiver := s.asks(t)
	ada := s.Customer(t, "Ada")
	s.book(t, ada, s.at)
	own := s.statuses(t, ada)[0].Record.ID
	s.w.Clock.Advance(time.Minute)
	s.update(t, waiver, func(in *agreement.UpdateInput) { in.Body = new("Other words.") })
	s.markFor(t, s.customer(t, ada), waiver, new("Zoe"), nil)
	if got := s.statuses(t, ada); len(got) != 1 || got[0].State != agreement.Agreed || got[0].Record.ID != own || got[0].Record.CopyID != waiver.Copy.ID {
		t.Errorf("%+v", got)
	}
}
