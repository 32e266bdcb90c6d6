package availability_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
)

// A block takes the whole out of use with each of its parts, and a part with the whole; the other parts stay.
func TestBlockReachesWholeAndParts(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	hall := s.AddSpace(t, "Hall", holds(20))
	inside := func(in *business.SpaceInput) { in.Capacity, in.ParentID = 5, &hall.ID }
	east, west := s.AddSpace(t, "East", inside), s.AddSpace(t, "West", inside)
	ofHall, ofEast, ofWest := s.AddRental(t, ids(hall.ID)), s.AddRental(t, ids(east.ID)), s.AddRental(t, ids(west.ID))
	s.AddBlock(t, hall, apptest.Instant("2026-06-11T13:00:00Z"), apptest.Instant("2026-06-11T16:00:00Z"))
	s.AddBlock(t, east, apptest.Instant("2026-06-12T13:00:00Z"), apptest.Instant("2026-06-12T16:00:00Z"))
	for what, x := range map[string]struct {
		ask  availability.SlotRequestAt
		free bool
	}{
		"the whole, blocked":            {ask(ofHall, apptest.Instant("2026-06-11T14:00:00Z")), false},
		"a part of the blocked whole":   {ask(ofEast, apptest.Instant("2026-06-11T14:00:00Z")), false},
		"the whole of a blocked part":   {ask(ofHall, apptest.Instant("2026-06-12T14:00:00Z")), false},
		"the blocked part":              {ask(ofEast, apptest.Instant("2026-06-12T14:00:00Z")), false},
		"the part beside a blocked one": {ask(ofWest, apptest.Instant("2026-06-12T14:00:00Z")), true},
	} {
		if _, err := s.place(t, availability.Storefront, x.ask); (err == nil) != x.free {
			t.Errorf("%s: %v", what, err)
		}
	}
}
