// Package today is the first screen of the console: what is on now and next, who is arriving, and what needs somebody.
package today

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/console/welcome"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/walkin"
	"foyer/billing"
)

type screens struct{ *desk.Desk }

// Register mounts the screen.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "", s.today)
	// Nothing of the API does these: they ask for what changing a booking asks for, and their verb asks at the mail's place.
	d.Form("updateBooking", "/mails/:mail/dismiss", desk.Form{Do: s.dismiss(false)})
	d.Form("updateBooking", "/mails/:mail/restore", desk.Form{Do: s.dismiss(true)})
}

// board is what the screen shows.
type board struct {
	agenda.Board
	Steps    []ui.Step // of the opening; none when all are done, or for whoever does not open the studio
	Arriving []booking.StudioBooking
	Lacks    map[uuid.UUID][]string       // agreements that somebody has yet to give, by booking
	Paid     map[uuid.UUID]checkout.Money // of those who arrive, by booking
	Walkins  *walkin.Desk                 // nil where walk-ins are off, or several places are shown
	Money    billing.Attention
	Now      time.Time
}

// arrivals is how long before and after its start a date has its people among the arrivals.
const (
	arrivalsBefore = 90 * time.Minute
	arrivalsAfter  = 45 * time.Minute
)

func (s *screens) today(c *desk.Call) (ui.Screen, error) {
	now := s.Clock.Now()
	b := board{Now: now}
	err := desk.Together(
		func() error { return s.read(c, &b) },
		func() error {
			if !c.May("checkInBooking") {
				return nil
			}
			page, err := s.Booking.List(c.Context(), c.Scope, booking.ListInput{
				LocationID: c.LocationID(), From: now.Add(-arrivalsAfter), To: now.Add(arrivalsBefore), State: booking.Confirmed, Ascending: true,
				Page: paging.In[paging.Moment]{Limit: 50},
			})
			if b.Arriving = page.Items; err == nil {
				b.Lacks, err = c.Lacks(b.Arriving)
			}
			if err == nil {
				b.Paid, err = c.Money(b.Arriving)
			}
			return err
		},
		func() error {
			if c.Location == nil || !c.May("checkInWalkin") {
				return nil
			}
			door, err := s.Walkin.Desk(c.Context(), c.Scope, c.LocationID())
			if door.On {
				b.Walkins = &door
			}
			if fault.IsKind(err, fault.Forbidden) { // of another place only
				err = nil
			}
			return err
		},
	)
	return ui.Screen{
		Title: c.UI.DayName(now), Lead: c.UI.Date(now), Area: "today", Acts: acts(c, b), Body: todayBody(c, b),
	}, err
}

// read fills in the day, what needs somebody, and the opening while it is not done.
func (s *screens) read(c *desk.Call, b *board) (err error) {
	place := welcome.Place(c)
	opens := place != nil && welcome.Opens(c)
	if !c.May("listBookings") {
		b.Money, err = s.Billing.Attention(c.Context(), c.Scope)
		return err
	}
	from, to := civil.DayBounds(civil.LocalDate(b.Now, c.Zone()), c.Zone())
	in := agenda.TodayInput{
		DatesInput: agenda.DatesInput{From: from, To: to, LocationID: c.LocationID()}, Beside: s.Billing.QueueAttention(c.Scope, &b.Money),
	}
	if opens {
		in.Opening = &agenda.OpeningInput{Env: s.Billing.Env()}
	}
	if b.Board, err = s.Agenda.Today(c.Context(), c.Scope, in); err != nil || b.Opening == nil {
		return err
	}
	if steps := welcome.Steps(c, *place, *b.Opening); ui.DoneOf(steps) < len(steps) {
		b.Steps = steps
	}
	return nil
}

// dismiss takes a failed mail off the list, or puts it there again.
func (s *screens) dismiss(back bool) func(c *desk.Call, ctx context.Context) (desk.Done, error) {
	return func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		id, err := c.ID("mail")
		if err != nil {
			return desk.Done{}, err
		}
		if err := s.Notice.Dismiss(ctx, c.Scope, id, back); err != nil {
			return desk.Done{}, err
		}
		if back {
			return desk.Done{To: c.To(""), Said: c.UI.T("It is on the list again.")}, nil
		}
		return desk.Done{To: c.To(""), Said: c.UI.T("Taken off the list."), Undo: &ui.Undo{Action: c.To("/mails/" + id.String() + "/restore")}}, nil
	}
}

// split cuts the day: what is on, what begins next (all that begin at that time), what comes later, what is over.
func (b board) split() (on, next, later, over []agenda.Date) {
	for _, d := range b.Dates {
		switch {
		case !d.EndsAt.After(b.Now):
			over = append(over, d)
		case !d.StartsAt.After(b.Now):
			on = append(on, d)
		case len(next) == 0 || d.StartsAt.Equal(next[0].StartsAt):
			next = append(next, d)
		default:
			later = append(later, d)
		}
	}
	if len(on)+len(next) > mostHeroes { // a day like a station's: all of it is rows
		later, next = append(next, later...), nil
	}
	return on, next, later, over
}

// mostHeroes is how many dates stand large.
const mostHeroes = 4

// figures are the day in numbers, each with the way to what it counts.
func (b board) figures(c *desk.Call) []ui.Figure {
	var booked, here, spots, waiting int
	for _, d := range b.Dates {
		booked, here, waiting = booked+d.Taken, here+d.CheckedIn, waiting+d.Waiting
		if d.Kind == catalog.Class && d.StartsAt.After(b.Now) {
			spots += max(0, d.Capacity-d.Taken)
		}
	}
	sh, day := c.UI, civil.LocalDate(b.Now, c.Zone()).String()
	number := func(n int) string { return sh.Lang().Number(n) }
	out := []ui.Figure{
		{Number: number(len(b.Dates)), Text: sh.T("on today"), Href: c.To("/calendar", "view", "day", "day", day)},
		{Number: number(booked), Text: sh.T("seats booked"), Href: c.To("/bookings", "from", day, "to", day)},
		{Number: number(here), Text: sh.T("here so far"), Href: c.To("/bookings", "from", day, "to", day, "state", string(booking.CheckedIn))},
		{Number: number(spots), Text: sh.T("spots still free"), Href: c.To("/calendar", "view", "agenda", "day", day)},
	}
	if waiting > 0 {
		out = append(out, ui.Figure{Number: number(waiting), Text: sh.T("on waitlists"), Href: c.To("/calendar", "view", "agenda", "day", day)})
	}
	return out
}

// calendar is the way to the calendar; empty for a role that sees no bookings.
func calendar(c *desk.Call) string {
	if !c.May("listBookings") {
		return ""
	}
	return c.To("/calendar")
}

// in says how long it is until a date begins, or ends when it is on.
func (b board) in(sh ui.Shell, d agenda.Date) string {
	minutes := func(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) }
	if d.StartsAt.After(b.Now) {
		return sh.T("Starts in {time}", "time", sh.Length(minutes(d.StartsAt.Sub(b.Now))))
	}
	return sh.T("{time} left", "time", sh.Length(minutes(d.EndsAt.Sub(b.Now))))
}

// seats is how full a class is, in words.
func seats(sh ui.Shell, d agenda.Date) string {
	return sh.T("{taken} of {capacity} booked", "taken", strconv.Itoa(d.Taken), "capacity", strconv.Itoa(d.Capacity))
}
