// Package today is the first screen of the console: what is on now and next, who is arriving, and what needs somebody.
package today

import (
	"time"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/walkin"
)

type screens struct{ *desk.Desk }

// Register mounts the screen.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "", s.today)
}

// board is what the screen shows.
type board struct {
	Dates    []agenda.Date
	Needs    []agenda.Need
	Arriving []booking.StudioBooking
	Door     *walkin.Desk // nil where walk-ins are off, or several places are shown
	Now      time.Time
}

// arrivals is how long before and after its start a date has its people among the arrivals.
const (
	arrivalsBefore = 90 * time.Minute
	arrivalsAfter  = 45 * time.Minute
)

func (s *screens) today(c *desk.Call) (ui.Screen, error) {
	now := s.Clock.Now()
	day := civil.LocalDate(now, c.Zone())
	from, to := civil.DayBounds(day, c.Zone())
	b := board{Now: now}
	place := c.PlaceID()
	err := desk.Together(
		func() error {
			if !c.May("listBookings") {
				return nil
			}
			got, err := s.Agenda.Today(c.Context(), c.Scope, agenda.DatesInput{From: from, To: to, LocationID: place})
			b.Dates, b.Needs = got.Dates, got.Needs
			return err
		},
		func() error {
			if !c.May("checkInBooking") {
				return nil
			}
			page, err := s.Booking.List(c.Context(), c.Scope, booking.ListInput{
				LocationID: place, From: now.Add(-arrivalsAfter), To: now.Add(arrivalsBefore), State: booking.Confirmed, Ascending: true,
				Page: paging.In[paging.Moment]{Limit: 50},
			})
			b.Arriving = page.Items
			return err
		},
		func() error {
			if c.Place == nil || !c.May("checkInWalkin") {
				return nil
			}
			door, err := s.Walkin.Desk(c.Context(), c.Scope, place)
			if door.On {
				b.Door = &door
			}
			if fault.IsKind(err, fault.Forbidden) { // of another place only
				err = nil
			}
			return err
		},
	)
	return ui.Screen{
		Title: c.UI.DayName(now), Lead: c.UI.Date(now), Area: "today", Body: todayBody(c, b),
	}, err
}

// now is the date that is on, by the clock; next is the first that is to come.
func (b board) split() (on, next, over []agenda.Date) {
	for _, d := range b.Dates {
		switch {
		case !d.EndsAt.After(b.Now):
			over = append(over, d)
		case d.StartsAt.After(b.Now):
			next = append(next, d)
		default:
			on = append(on, d)
		}
	}
	return on, next, over
}
