package catalog_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
)

// TestPageOf reads the page of an offering: its lengths, its policy, its instructors, first choice first, without
// former members. One trip.
func TestPageOf(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	ana, jo, gone := s.AddMember(t, "Ana"), s.AddMember(t, "Jo"), s.AddMember(t, "Gone")
	room := s.AddSpace(t, "Room")
	m := s.AddAppointment(t, []uuid.UUID{jo.ID, gone.ID, ana.ID}, func(r *apptest.ServiceRow) {
		r.Slug, r.Capacity, r.Online, r.Spaces = "massage", 4, 4, []uuid.UUID{room.ID}
		r.Durations = []apptest.Duration{{Minutes: 30, PriceAmount: 4000}, {Minutes: 60, PriceAmount: 7000}}
	})
	w.SQL(t, "update members set deactivated_at = now() where id = $1", gone.ID)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.PartyMin, r.PartyMax = 2, 3 }))
	v := w.DB.View(s.Business.ID)
	var p catalog.Page
	n := w.Statements(func() {
		var err error
		if p, err = catalog.PageOf(t.Context(), v, s.Location.ID, "massage"); err != nil {
			t.Fatal(err)
		}
	})
	if n != 1 {
		t.Errorf("%d trips", n)
	}
	if p.ID != m.ID || len(p.Members) != 2 || p.Members[0].Name != "Jo" || p.Members[1].Name != "Ana" || len(p.Spaces) != 1 {
		t.Errorf("%+v", p)
	}
	if least, most := p.Party(); least != 2 || most != 3 {
		t.Errorf("for %d to %d people", least, most)
	}
	if price, ok := p.Lengths().Price(60, 2); !ok || price != 7000 || p.Lengths().Default() != 30 {
		t.Errorf("an hour is %d, %v", price, ok)
	}
	for _, slug := range []string{"nothing", "Not a slug", ""} {
		if _, err := catalog.PageOf(t.Context(), v, s.Location.ID, slug); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%q: %v", slug, err)
		}
	}
	w.SQL(t, "update offerings set state = 'draft' where id = $1", m.ID)
	if _, err := catalog.PageOf(t.Context(), v, s.Location.ID, "massage"); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("a draft: %v", err)
	}
}

// TestComputedAndTerms: offerings with computed times, in the storefront's order, and their terms before paying.
func TestComputedAndTerms(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	yoga := s.AddOffering(t)
	ana, room := s.AddMember(t, "Ana"), s.AddSpace(t, "Room")
	b := s.AddAppointment(t, []uuid.UUID{ana.ID}, func(r *apptest.ServiceRow) { r.Name, r.Position, r.Approval = "B", 2, true })
	a := s.AddRental(t, []uuid.UUID{room.ID}, func(r *apptest.ServiceRow) { r.Name, r.Position, r.SoldAs = "A", 1, "person" })
	s.AddRental(t, []uuid.UUID{room.ID}, func(r *apptest.ServiceRow) { r.State = "draft" })
	v := w.DB.View(s.Business.ID)
	var list []catalog.Listing
	batch := v.Batch()
	catalog.ComputedIn(v.Business(), s.Location.ID, &list)(batch)
	err := batch.Send(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != a.ID || list[1].ID != b.ID {
		t.Errorf("%+v, %v", list, err)
	}
	terms, err := catalog.TermsOf(t.Context(), v, []uuid.UUID{a.ID, b.ID, yoga.ID, uuid.New()})
	if err != nil || len(terms) != 3 || terms[a.ID].Approval || !terms[b.ID].Approval || !terms[a.ID].Each || terms[b.ID].Each || !terms[yoga.ID].Each {
		t.Errorf("%+v, %v", terms, err)
	}
	if none, err := catalog.TermsOf(t.Context(), v, nil); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}
