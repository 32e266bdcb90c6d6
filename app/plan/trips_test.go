package plan_test

import (
	"testing"

	"foyer/app/apptest"
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
