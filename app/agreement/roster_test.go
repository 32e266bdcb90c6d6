package agreement_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
)

// TestMissing: A186, A190: a date tells who still owes which document, by the same rule as the customer's record.
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
	got, err := s.a.Get(t.Context(), s.Owner, s.Location.ID, waiver.ID)
	if err != nil || got.Round != 2 || got.Copy.ID != waiver.Copy.ID {
		t.Errorf("%+v (%v)", got, err)
	}
}
