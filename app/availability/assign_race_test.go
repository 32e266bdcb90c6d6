package availability_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/fault"
)

// race places and claims the same request many times at once, and returns the number of successes.
func (s *studio) race(t *testing.T, racers int, a availability.SlotRequestAt) int {
	t.Helper()
	s.w.Warm(t)
	var won atomic.Int32
	var wait sync.WaitGroup
	for range racers {
		wait.Go(func() {
			switch _, err := s.keep(t, availability.Storefront, a); {
			case err == nil:
				won.Add(1)
			case !fault.IsKind(err, fault.Conflict):
				t.Error(err)
			}
		})
	}
	wait.Wait()
	return int(won.Load())
}

// A74. At any number of requests at once for one time: as many succeed as there are people, seats and bookings
// available on the day. Built with the tag nolock the same race has to let too many in, or it proves nothing.
func TestA74_LastPlace(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	people := ids(s.AddMember(t, "Mia").ID, s.AddMember(t, "Ben").ID, s.AddMember(t, "Zoe").ID)
	hall := s.AddSpace(t, "Hall", holds(10))
	massage := s.AddAppointment(t, people)
	whole := s.AddRental(t, ids(hall.ID))
	seats := s.AddRental(t, ids(hall.ID), func(o *apptest.ServiceRow) { o.SoldAs, o.Capacity, o.Online = "person", 7, 7 })
	three := ask(seats, apptest.Instant("2026-06-12T14:00:00Z"))
	three.Party = 3
	for name, x := range map[string]struct {
		ask  availability.SlotRequestAt
		want int
	}{
		"people": {ask(massage, apptest.Instant("2026-06-11T14:00:00Z")), 3}, "whole space": {ask(whole, apptest.Instant("2026-06-11T14:00:00Z")), 1}, "seats, three each": {three, 2},
	} {
		got := s.race(t, 20, x.ask)
		for round := 0; !apptest.Guarded && got <= x.want && round < 20; round++ {
			s.w.SQL(t, "delete from claims")
			got = s.race(t, 20, x.ask)
		}
		switch {
		case apptest.Guarded && got != x.want:
			t.Errorf("%s: %d got it, not %d", name, got, x.want)
		case !apptest.Guarded && got <= x.want:
			t.Errorf("%s: without the locks %d got it: this race proves nothing", name, got)
		}
	}
	if !apptest.Guarded {
		return
	}
	for _, id := range people {
		s.setCaps(t, id, 1, 0)
	}
	s.w.SQL(t, "delete from claims")
	if got := s.race(t, 20, ask(massage, apptest.Instant("2026-06-11T14:00:00Z"))); got != 3 {
		t.Errorf("caps of a day: %d", got)
	}
	// The cap of the location counts seats that are taken; the booking takes them, here the test does.
	s.w.SQL(t, "delete from claims")
	s.w.SQL(t, "update occurrences set taken = capacity, taken_online = capacity where id = (select id from occurrences where offering_id = $1 limit 1)", massage.ID)
	s.setLocationCap(t, 1)
	if _, err := s.place(t, availability.Storefront, ask(massage, apptest.Instant("2026-06-11T18:00:00Z"))); reasonOf(err) != "full" {
		t.Errorf("the cap of the location: %v", err)
	}
	if _, err := s.place(t, availability.StaffOverride, ask(massage, apptest.Instant("2026-06-11T18:00:00Z"))); err != nil {
		t.Errorf("with an override: %v", err)
	}
}
