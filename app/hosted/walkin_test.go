package hosted_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
)

// TestWalkingIn is one quiet line on the page of the location: the number of free spots, and until when; nothing
// without walk-ins. E62 to E64.
func TestWalkingIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	v.get("/"+s.Location.Slug).want(200).lacks("Walk in", "walk-ins")
	m, room := s.sauna(t, func(r *apptest.ServiceRow) { r.Walkins = true })
	s.SQL(t, "update spaces set capacity = 6 where id = $1", room.ID)
	v.get("/"+s.Location.Slug).want(200, "Closed to walk-ins now", "Opens 9:00 am") // eight in the morning
	s.Clock.Set(ten)
	v.get("/"+s.Location.Slug).want(200, "Walk in now: 6 spots free", "Open until")
	s.AddBusy(t, m, ten.Add(-30*time.Minute), func(b *apptest.BusyRow) { b.Seats = 5 })
	v.get("/"+s.Location.Slug).want(200, "Walk in now: 1 spot free")
	s.AddBusy(t, m, ten.Add(-20*time.Minute), func(b *apptest.BusyRow) { b.Seats = 1 })
	v.get("/"+s.Location.Slug).want(200, "No spots for walk-ins right now")
	l := s.look(t, browser.Options{})
	l.at("/" + s.Location.Slug).see("front-walkins")
	s.Pause(t)
	v.get("/"+s.Location.Slug).want(200, "is not taking online bookings at the moment").lacks("walk-ins")
}
