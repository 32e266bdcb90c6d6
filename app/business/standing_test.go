package business_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Counts of a business's setup, in one trip; keys are counted with the right to see them, and never another
// business's.
func TestStanding(t *testing.T) {
	w := apptest.Open(t)
	s, other := w.Studio(t), w.Studio(t)
	h := w.Businesses(t)
	other.AddSpace(t, "Elsewhere")
	s.AddSpace(t, "Studio A")
	s.AddTaxRate(t, "NY sales tax", 88750)
	s.AddRevenueCategory(t, "Workshops")
	s.Key(t)
	gone := s.AddInstructor(t, "Ana Ruiz")
	if _, err := h.Deactivate(t.Context(), s.Owner, gone.ID); err != nil {
		t.Fatal(err)
	}
	viewer := s.Join(t, "viewer@team.example.com", apptest.Everywhere(policy.Viewer))
	want := business.Standing{People: 2, Away: 1, Rooms: 1, Rates: 1, Categories: 1, Keys: 1}
	var got business.Standing
	trips, _ := w.Sent(func() {
		var err error
		if got, err = h.Standing(t.Context(), s.Owner); err != nil {
			t.Fatal(err)
		}
	})
	if got != want || trips != 1 {
		t.Errorf("%+v in %d trips", got, trips)
	}
	want.Keys = 0
	if got, err := h.Standing(t.Context(), viewer); err != nil || got != want {
		t.Errorf("a viewer: %+v %v", got, err)
	}
	_, err := h.Standing(t.Context(), tenancy.Scope{Tenant: s.Business.ID})
	apptest.Is(t, err, policy.ErrMissingFeature)
}
