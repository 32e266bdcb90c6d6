package agreement_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
)

// TestMissing: A186, A190: a date lists outstanding documents, by the same rule as the customer's record.
func TestMissing(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.book(t, ada, s.at)
	customer := s.customer(t, ada)
	other := s.date(t, s.class, 96*time.Hour)
	at := s.bookAtDesk(t, customer, other)
	owes := func(booking uuid.UUID, names ...string) {
		t.Helper()
		got, err := s.a.Missing(t.Context(), s.Owner.Tenant, other.ID)
		if err != nil || !slices.Equal(got[booking], names) {
			t.Errorf("%v, want %v (%v)", got, names, err)
		}
		one, err := s.a.MissingOf(t.Context(), s.Owner.Tenant, []uuid.UUID{booking, uuid.New()})
		if err != nil || !slices.Equal(one[booking], names) || len(one) > 1 {
			t.Errorf("by their ids: %v, want %v (%v)", one, names, err)
		}
	}
	owes(at)
	waiver := s.asks(t)
	rules := s.asks(t, everyBooking, func(in *agreement.CreateInput) { in.Name, in.Position = "Rules", 1 })
	s.asks(t, func(in *agreement.CreateInput) { in.Name, in.EveryListing = "Of nothing", false })
	owes(at, "Waiver", "Rules")
	s.mark(t, s.Owner, customer, waiver)
	owes(at, "Rules")
	s.mark(t, s.Owner, customer, rules, at)
	owes(at)
	s.update(t, waiver, func(in *agreement.UpdateInput) { in.Reask = true })
	owes(at, "Waiver")
	if got, err := s.a.Missing(t.Context(), s.w.Studio(t).Owner.Tenant, other.ID); err != nil || len(got) != 0 {
		t.Errorf("another business is told %v (%v)", got, err)
	}
	if got, err := s.a.MissingOf(t.Context(), s.w.Studio(t).Owner.Tenant, []uuid.UUID{at}); err != nil || len(got) != 0 {
		t.Errorf("another business is told by ids %v (%v)", got, err)
	}
	// A document of another location requires nothing here, even if every listing there requires it.
	elsewhere := s.AddLocation(t, "Elsewhere")
	s.asks(t, func(in *agreement.CreateInput) { in.LocationID, in.Name = elsewhere.ID, "Theirs" })
	there := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = elsewhere.ID }), s.w.Clock.Now().Add(48*time.Hour))
	both := []uuid.UUID{at, s.bookAtDesk(t, customer, there)}
	if got, err := s.a.MissingOf(t.Context(), s.Owner.Tenant, both); err != nil || !slices.Equal(got[both[0]], []string{"Waiver"}) || !slices.Equal(got[both[1]], []string{"Theirs"}) {
		t.Errorf("at two places: %v (%v)", got, err)
	}
	got, err := s.a.Get(t.Context(), s.Owner, s.Location.ID, waiver.ID)
	if err != nil || got.Round != 2 || got.Copy.ID != waiver.Copy.ID {
		t.Errorf("%+v (%v)", got, err)
	}
}
