package agreement_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/policy"
)

// signers and outstanding read the lists of a document page by page, and return the customers in their order.
func (s *shop) signers(t *testing.T, d agreement.Document) (out []agreement.Signer) {
	t.Helper()
	in := agreement.PeopleInput{LocationID: d.LocationID, DocumentID: d.ID, Page: paging.In[paging.Moment]{Limit: 2}}
	for {
		page, err := s.a.Signers(t.Context(), s.Owner, in)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, page.Items...)
		if in.Page.After = page.Next; page.Next == nil {
			return out
		}
	}
}

func (s *shop) outstanding(t *testing.T, d agreement.Document) (out []agreement.OutstandingCustomer) {
	t.Helper()
	in := agreement.PeopleInput{LocationID: d.LocationID, DocumentID: d.ID, Page: paging.In[paging.Moment]{Limit: 2}}
	for {
		page, err := s.a.Outstanding(t.Context(), s.Owner, in)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, page.Items...)
		if in.Page.After = page.Next; page.Next == nil {
			return out
		}
	}
}

func (s *shop) people(t *testing.T, d agreement.Document) agreement.People {
	t.Helper()
	got, err := s.a.Count(t.Context(), s.Owner, agreement.PeopleInput{LocationID: d.LocationID, DocumentID: d.ID})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestWhoHasAgreedAndWhoHasNot: A186, A190, A191: each document has lists of signers and of customers with it
// outstanding, by the same rule as the customer's record, page by page.
func TestWhoHasAgreedAndWhoHasNot(t *testing.T) {
	s := open(t)
	waiver := s.asks(t)
	var customers []uuid.UUID
	for n := range 5 {
		sc := s.Customer(t, fmt.Sprint("Customer", n))
		s.held(t, sc, s.at)
		customers = append(customers, s.customer(t, sc))
		s.bookAtDesk(t, customers[n], s.date(t, s.class, time.Duration(90-n)*time.Hour)) // the last comes first
	}
	for n, p := range s.outstanding(t, waiver) {
		if p.CustomerID != customers[4-n] || p.Bookings != 1 || !p.NextAt.Equal(s.w.Clock.Now().Add(time.Duration(86+n)*time.Hour)) {
			t.Errorf("%d: %+v", n, p)
		}
	}
	if got := s.people(t, waiver); got != (agreement.People{Outstanding: 5}) || len(s.signers(t, waiver)) != 0 {
		t.Fatalf("%+v", got)
	}
	for _, id := range customers[:3] {
		s.w.Clock.Advance(time.Minute)
		s.mark(t, s.Owner, id, waiver)
	}
	got := s.signers(t, waiver)
	if n := s.people(t, waiver); n != (agreement.People{Signed: 3, Outstanding: 2}) || len(got) != 3 || len(s.outstanding(t, waiver)) != 2 {
		t.Fatalf("%+v %+v", n, got)
	}
	for n, p := range got {
		if p.CustomerID != customers[2-n] || !p.Counts || p.Source != agreement.SourceStaff || p.CopyID != waiver.Copy.ID || p.CopyNumber != 1 {
			t.Errorf("%d: %+v", n, p)
		}
	}
	// In a new round all have it outstanding, and each is listed once with their last acceptance.
	s.update(t, waiver, func(in *agreement.UpdateInput) { in.Body, in.Reask = new("Other words."), true })
	s.mark(t, s.Owner, customers[0], waiver)
	got = s.signers(t, waiver)
	if n := s.people(t, waiver); n != (agreement.People{Signed: 1, Outstanding: 4}) || len(got) != 3 || got[0].CustomerID != customers[0] || got[0].CopyNumber != 2 || got[1].Counts {
		t.Errorf("%+v %+v", n, got)
	}
	// One of every booking is outstanding again with the next booking.
	rules := s.asks(t, everyBooking)
	second := s.bookAtDesk(t, customers[4], s.date(t, s.class, 100*time.Hour))
	s.mark(t, s.Owner, customers[4], rules, second)
	for _, p := range s.outstanding(t, rules) {
		if p.CustomerID == customers[4] && (p.Bookings != 1 || p.NextID == second) {
			t.Errorf("%+v", p)
		}
	}
	if n := s.people(t, rules); n != (agreement.People{Signed: 1, Outstanding: 5}) {
		t.Errorf("%+v", n)
	}
	// A document of certain listings is not outstanding for customers of others; a past booking, or an archived
	// document, never is.
	if none := s.asks(t, func(in *agreement.CreateInput) { in.EveryListing = false }); s.people(t, none) != (agreement.People{}) {
		t.Error("somebody owes what nothing asks for")
	}
	s.w.Clock.Advance(10 * 24 * time.Hour)
	if n := s.people(t, waiver); n.Outstanding != 0 {
		t.Errorf("after all is over %d owe it", n.Outstanding)
	}
	if _, err := s.a.Archive(t.Context(), s.Owner, s.Location.ID, waiver.ID); err != nil {
		t.Fatal(err)
	}
	s.bookAtDesk(t, customers[3], s.date(t, s.class, 48*time.Hour))
	if n := s.people(t, waiver); n != (agreement.People{Signed: 1}) || len(s.outstanding(t, waiver)) != 0 {
		t.Errorf("archived: %+v", n)
	}
}

// TestPeopleRefuses: A171: callers without the right to see customers, and unknown records.
func TestPeopleRefuses(t *testing.T) {
	s := open(t)
	d := s.asks(t)
	elsewhere := s.AddLocation(t, "Elsewhere")
	in := agreement.PeopleInput{LocationID: s.Location.ID, DocumentID: d.ID}
	_, viewer := s.Key(t, policy.LocationView)
	if _, err := s.a.Signers(t.Context(), viewer, in); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("without crm.view: %v", err)
	}
	if _, err := s.a.Outstanding(t.Context(), s.Holding(elsewhere.ID, policy.CRMView), in); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("at another location: %v", err)
	}
	for what, in := range map[string]agreement.PeopleInput{
		"another location": {LocationID: elsewhere.ID, DocumentID: d.ID}, "an unknown document": {LocationID: s.Location.ID, DocumentID: uuid.New()},
	} {
		_, a := s.a.Signers(t.Context(), s.Owner, in)
		_, b := s.a.Outstanding(t.Context(), s.Owner, in)
		_, c := s.a.Count(t.Context(), s.Owner, in)
		for _, err := range []error{a, b, c} {
			if !fault.IsKind(err, fault.NotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	in.Page.Limit = 201
	_, err := s.a.Signers(t.Context(), s.Owner, in)
	wrong(t, err, "limit")
}

// TestTheLastSaveDoesNotWin: a save is refused after another member's change, and changes nothing.
func TestTheLastSaveDoesNotWin(t *testing.T) {
	s := open(t)
	d := s.asks(t)
	if d.Version != 1 {
		t.Fatalf("version %d", d.Version)
	}
	now := s.update(t, d, func(in *agreement.UpdateInput) { in.Version, in.Body = 1, new("Hers.") })
	save := func(in agreement.UpdateInput) error {
		in.LocationID, in.ID, in.Body, in.Name = d.LocationID, d.ID, new("His."), new("His")
		_, err := s.a.Update(t.Context(), s.Owner, in)
		return err
	}
	if err := save(agreement.UpdateInput{Version: 1}); !errors.Is(err, fault.ErrStale) {
		t.Fatalf("%v", err)
	}
	got, err := s.a.Get(t.Context(), s.Owner, d.LocationID, d.ID)
	if err != nil || *got.Copy.Body != "Hers." || got.Name != "Waiver" || got.Version != now.Version {
		t.Errorf("%+v (%v)", got, err)
	}
	// The list of listings is part of the version.
	listed := s.update(t, d, func(in *agreement.UpdateInput) { in.OfferingIDs = &[]uuid.UUID{s.class.ID} })
	if listed.Version == now.Version {
		t.Error("other listings are no other version")
	}
	if err := save(agreement.UpdateInput{Version: now.Version}); !errors.Is(err, fault.ErrStale) {
		t.Errorf("%v", err)
	}
	if err := save(agreement.UpdateInput{Version: listed.Version}); err != nil {
		t.Error(err)
	}
}
