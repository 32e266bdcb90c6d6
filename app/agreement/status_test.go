package agreement_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// bookAtDesk books for a customer at the desk, where no agreement is required.
func (s *shop) bookAtDesk(t *testing.T, customer uuid.UUID, at apptest.OccurrenceRow) uuid.UUID {
	t.Helper()
	got, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: customer}, OccurrenceID: at.ID})
	if err != nil {
		t.Fatal(err)
	}
	return got.Booking.ID
}

func (s *shop) mark(t *testing.T, sc tenancy.Scope, customer uuid.UUID, d agreement.Document, bookings ...uuid.UUID) []agreement.Status {
	t.Helper()
	in := agreement.MarkInput{StatusInput: agreement.StatusInput{CustomerID: customer, LocationID: s.Location.ID}, DocumentID: d.ID}
	if len(bookings) > 0 {
		in.BookingID = &bookings[0]
	}
	got, err := s.a.MarkSigned(t.Context(), sc, in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestStatuses: A186, A188, A189, A190, A191, A159: acceptances and outstanding agreements.
func TestStatuses(t *testing.T) {
	s := open(t)
	waiver := s.asks(t)
	rules := s.asks(t, everyBooking, func(in *agreement.CreateInput) { in.Position, in.Show = 1, agreement.ShowFull })
	ada := s.Customer(t, "Ada")
	s.book(t, ada, s.at)
	got := s.statuses(t, ada)
	if len(got) != 2 || got[0].State != agreement.Agreed || got[1].State != agreement.Agreed || got[0].Record.Source != agreement.SourceCheckout ||
		*got[1].Record.Shown != agreement.ShownFull || got[0].Record.CopyID != waiver.Copy.ID {
		t.Fatalf("%+v", got)
	}
	customer := s.customer(t, ada)
	later := s.bookAtDesk(t, customer, s.date(t, s.class, 96*time.Hour))
	got = s.statuses(t, ada)
	if len(got) != 2 || got[0].State != agreement.Agreed || got[1].State != agreement.NotAgreed || len(got[1].Open) != 1 || got[1].Open[0] != later {
		t.Fatalf("%+v", got)
	}
	s.w.Clock.Advance(5 * 24 * time.Hour)
	if got = s.statuses(t, ada); got[1].State != agreement.Agreed || got[1].Record == nil {
		t.Errorf("after that booking: %+v", got[1])
	}
	s.update(t, waiver, func(in *agreement.UpdateInput) { in.Body, in.Reask = new("Other words."), true })
	got = s.statuses(t, ada)
	if got[0].State != agreement.NotAgreed || got[0].Record == nil || got[0].Record.CopyID != waiver.Copy.ID {
		t.Errorf("asked again: %+v", got[0])
	}
	if _, err := s.a.Archive(t.Context(), s.Owner, s.Location.ID, waiver.ID); err != nil {
		t.Fatal(err)
	}
	if got = s.statuses(t, ada); len(got) != 2 || got[0].State != agreement.Agreed || got[0].Record.CopyID != waiver.Copy.ID {
		t.Errorf("archived: %+v", got)
	}
	parking := s.asks(t, func(in *agreement.CreateInput) { in.Name, in.Position = "Parking", 2 })
	cy := s.Customer(t, "Cy")
	token := s.held(t, cy, s.date(t, s.class, 72*time.Hour))
	ticked := agreement.AcceptInput{Accept: []agreement.Accepted{{ContentID: parking.Copy.ID, Shown: agreement.ShownCheckbox}}}
	if _, err := s.Checkout.Accept(t.Context(), cy, token, ticked); err != nil {
		t.Fatal(err)
	}
	if got := s.statuses(t, cy); len(got) != 1 || got[0].Record.Shown == nil || *got[0].Record.Shown != agreement.ShownCheckbox { // A189
		t.Errorf("ticked: %+v", got)
	}
	bo := s.Customer(t, "Bo")
	s.held(t, bo, s.date(t, s.class, 48*time.Hour))
	if got := s.statuses(t, bo); len(got) != 0 {
		t.Errorf("of somebody who has booked nothing: %+v", got)
	}
	_ = rules
}

// TestMarkSigned: A192-A197: the studio records signatures on paper: once while they count, for the given booking or
// each one without.
func TestMarkSigned(t *testing.T) {
	s := open(t)
	waiver, rules := s.asks(t), s.asks(t, everyBooking, func(in *agreement.CreateInput) { in.Position = 1 })
	ada := s.Customer(t, "Ada")
	s.held(t, ada, s.at)
	customer := s.customer(t, ada)
	desk := s.Owner
	desk.Name = "Front desk"
	first := s.bookAtDesk(t, customer, s.date(t, s.class, 72*time.Hour))
	second := s.bookAtDesk(t, customer, s.date(t, s.class, 96*time.Hour))
	for range 2 {
		got := s.mark(t, desk, customer, waiver)
		r := got[0].Record
		if got[0].State != agreement.Agreed || r.Source != agreement.SourceStaff || r.Shown != nil || r.ActorName != "Front desk" || r.CopyID != waiver.Copy.ID {
			t.Fatalf("%+v %+v", got[0], r)
		}
		if n := s.count(t); n != 1 {
			t.Fatalf("%d acceptances", n)
		}
	}
	for range 2 {
		if got := s.mark(t, desk, customer, rules, first); got[1].State != agreement.NotAgreed || len(got[1].Open) != 1 || got[1].Open[0] != second {
			t.Fatalf("%+v", got[1])
		}
	}
	third := s.bookAtDesk(t, customer, s.date(t, s.class, 120*time.Hour))
	for range 2 {
		if got := s.mark(t, desk, customer, rules); got[1].State != agreement.Agreed {
			t.Fatalf("%+v", got[1])
		}
		if n := s.count(t); n != 4 {
			t.Fatalf("%d acceptances", n)
		}
	}
	if s.mark(t, desk, customer, rules, third); s.count(t) != 4 {
		t.Error("marked again for a booking that has it")
	}
	s.update(t, waiver, func(in *agreement.UpdateInput) { in.Reask = true })
	if s.mark(t, desk, customer, waiver); s.count(t) != 5 {
		t.Error("asked again, signed again: not written down")
	}
	_, key := s.Key(t, policy.CRMNotes, policy.CRMView)
	key.Name = "Till"
	fourth := s.bookAtDesk(t, customer, s.date(t, s.class, 144*time.Hour))
	if got := s.mark(t, key, customer, rules, fourth); got[1].Record.ActorName != "Till" {
		t.Errorf("by a key: %+v", got[1].Record)
	}
}

// TestMarkSignedRefuses: A192, A196, A171.
func TestMarkSignedRefuses(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d := s.asks(t, everyBooking)
	ada, bo := s.Customer(t, "Ada"), s.Customer(t, "Bo")
	s.book(t, ada, s.at)
	theirs := s.bookAtDesk(t, func() uuid.UUID { s.held(t, bo, s.at); return s.customer(t, bo) }(), s.date(t, s.class, 72*time.Hour))
	elsewhere, other := s.AddLocation(t, "Elsewhere"), s.w.Studio(t)
	right := agreement.MarkInput{StatusInput: agreement.StatusInput{CustomerID: s.customer(t, ada), LocationID: s.Location.ID}, DocumentID: d.ID}
	for what, change := range map[string]func(*agreement.MarkInput){
		"an unknown customer":         func(in *agreement.MarkInput) { in.CustomerID = uuid.New() },
		"an unknown document":         func(in *agreement.MarkInput) { in.DocumentID = uuid.New() },
		"another location":            func(in *agreement.MarkInput) { in.LocationID = elsewhere.ID },
		"another business's location": func(in *agreement.MarkInput) { in.LocationID = other.Location.ID },
		"somebody else's booking":     func(in *agreement.MarkInput) { in.BookingID = &theirs },
		"an unknown booking":          func(in *agreement.MarkInput) { in.BookingID = new(uuid.New()) },
	} {
		in := right
		change(&in)
		if _, err := s.a.MarkSigned(ctx, s.Owner, in); err == nil || err.Error() != fault.Missing().Error() {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, viewer := s.Key(t, policy.CRMView)
	if _, err := s.a.MarkSigned(ctx, viewer, right); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("without crm.notes: %v", err)
	}
	if _, err := s.a.Statuses(ctx, s.Visitor(), right.StatusInput); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a visitor: %v", err)
	}
	at := s.Holding(elsewhere.ID, policy.CRMView, policy.CRMNotes)
	if _, err := s.a.Statuses(ctx, at, right.StatusInput); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("at another location: %v", err)
	}
	if n := s.count(t); n != 1 {
		t.Errorf("%d acceptances", n)
	}
}

// TestMine: a person's acceptances in all businesses, latest first, page by page.
func TestMine(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	ada := s.Customer(t, "Ada")
	var made []agreement.Document
	for range 3 {
		made = append(made, s.asks(t))
		s.w.Clock.Advance(time.Minute)
		s.agree(t, ada, s.Fill(t, s.at), made[len(made)-1])
	}
	in, seen := paging.In[paging.Moment]{Limit: 2}, 0
	for {
		page, err := s.a.Mine(ctx, ada.Principal, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Items {
			if want := made[len(made)-1-seen]; m.DocumentID != want.ID || m.CopyID != want.Copy.ID || m.BusinessID != s.Business.ID || m.LocationName == "" {
				t.Errorf("%d: %+v", seen, m)
			}
			seen++
		}
		if in.After = page.Next; page.Next == nil {
			break
		}
	}
	if seen != 3 {
		t.Errorf("%d", seen)
	}
	if page, err := s.a.Mine(ctx, s.Customer(t, "Bo").Principal, in); err != nil || len(page.Items) != 0 {
		t.Errorf("somebody else's: %+v (%v)", page, err)
	}
}
