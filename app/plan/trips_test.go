package plan_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/plan"
)

// A booking by credit takes no trip more than a free one.
func TestTrips(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(10, 10000)))
	book := func(o apptest.OccurrenceRow) (int, int) {
		token := s.Fill(t, o)
		return s.w.Sent(func() { must(t, 0, s.heldAndBooked(t, ada, token)) })
	}
	book(s.class(t, 0))
	free, _ := book(s.class(t, 0))
	by, statements := book(s.class(t, 2200))
	if by > free {
		t.Errorf("a booking by credit takes %d trips, a free one %d", by, free)
	}
	t.Logf("%d trips, %d statements", by, statements)
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 9)
}

// The plans of a person take one trip for their businesses, and one for each of these: as many with twenty plans and
// their transactions as with one.
func TestTripsOfMyPlans(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	read := func() (trips, plans int) {
		trips, _ = s.w.Sent(func() { plans = len(s.mine(t, ada)) })
		return trips, plans
	}
	first := s.bought(t, ada, s.published(t, pack(10, 10000)))
	if trips, plans := read(); trips != 2 || plans != 1 {
		t.Errorf("%d trips for %d plan", trips, plans)
	}
	more := s.published(t, pack(5, 6000))
	for range 19 {
		m := s.sold(t, first.CustomerID, more)
		for n := range 4 {
			_, err := s.Plans.Adjust(t.Context(), s.Owner, plan.AdjustInput{
				CustomerID: m.CustomerID, MembershipID: m.ID, Credits: 1 - n%2*2, Note: "a correction",
			})
			must(t, 0, err)
		}
	}
	if trips, plans := read(); trips != 2 || plans != 20 {
		t.Errorf("%d trips for %d plans", trips, plans)
	}
	far := *s.Beside(t)
	there := studio{&far, far.Services.Plans, s.w}
	there.bought(t, far.At(ada.Principal), there.published(t, pack(3, 0)))
	if trips, plans := read(); trips != 3 || plans != 21 {
		t.Errorf("%d trips for %d plans of two businesses", trips, plans)
	}
}
