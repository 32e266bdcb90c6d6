package checkout_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/claim"
	"foyer/app/tenancy"
)

// A time whose hold expired can be held by the next customer at once, before the sweep.
func TestOverdueTimeKeepsNobodyOut(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	massage := s.AddAppointment(t, []uuid.UUID{s.AddMember(t, "Mia").ID})
	ask := checkout.AddItemInput{Slot: &checkout.Slot{OfferingID: massage.ID, StartsAt: time.Date(2026, 6, 12, 14, 0, 0, 0, time.UTC)}}
	fill := func(who tenancy.Scope) string {
		c, err := s.Checkout.Create(t.Context(), who, checkout.CreateInput{LocationID: s.Location.ID})
		if err == nil {
			_, err = s.Checkout.AddItem(t.Context(), who, c.Token, ask)
		}
		return must(t, c.Token, err)
	}
	first, second := s.Customer(t, "first"), s.Customer(t, "second")
	one, two := fill(first), fill(second)
	s.hold(t, first, one)
	if _, err := s.Checkout.Hold(t.Context(), second, two, checkout.HoldInput{}); !errors.Is(err, claim.ErrStaffBusy) {
		t.Fatalf("while it is held: %v", err)
	}
	s.w.Clock.Advance(11 * time.Minute)
	s.hold(t, second, two)
	if n := apptest.Value[int](t, s.w, "select count(*) from claims"); n != 1 {
		t.Errorf("%d claims, want the second one's", n)
	}
	s.w.CheckBooks(t)
}
