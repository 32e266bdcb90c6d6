// Package today is the first screen of the console: current and next dates, arrivals, and open tasks.
package today

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/console/welcome"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/walkin"
	"foyer/billing/dispute"
)

type screens struct{ *desk.Desk }

// Register mounts the screen.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "", s.today)
	// The API has no operation for these: they need the feature of changing a booking, and their verb checks it at
	// the mail's location.
	d.Form("updateBooking", "/mails/:mail/dismiss", desk.Form{Do: s.dismiss(false)})
	d.Form("updateBooking", "/mails/:mail/restore", desk.Form{Do: s.dismiss(true)})
}

// board is the data of the screen.
type board struct {
	agenda.Board
	Steps    []ui.Step // of the setup; empty when all are done, or without the right to set up the studio
	Arriving []booking.StudioBooking
	Lacks    map[uuid.UUID][]string    // outstanding agreements, by booking
	Paid     map[uuid.UUID]order.Money // of arrivals, by booking
	Walkins  *walkin.Desk              // nil while walk-ins are off, or several locations are shown
	Money    dispute.Attention
	Books    accounting.Attention
	Renewals plan.Renewals
	Now      time.Time
}

// arrivals is the time before and after its start during which a date's customers are listed as arrivals.
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
			if fault.IsKind(err, fault.Forbidden) { // of another location only
				err = nil
			}
			return err
		},
	)
	return ui.Screen{
		Title: c.UI.DayName(now), Lead: c.UI.Date(now), Area: "today", Acts: acts(c, b), Body: todayBody(c, b),
	}, err
}

// read reads the day, the open tasks, and the setup steps while they are not done.
func (s *screens) read(c *desk.Call, b *board) (err error) {
	place := welcome.Location(c)
	opens := place != nil && welcome.Opens(c)
	if !c.May("listBookings") {
		b.Money, err = s.Disputes.Attention(c.Context(), c.Scope)
		return err
	}
	from, to := civil.DayBounds(civil.LocalDate(b.Now, c.Zone()), c.Zone())
	in := agenda.TodayInput{
		DatesInput: agenda.DatesInput{From: from, To: to, LocationID: c.LocationID()},
		Beside: func(batch *pg.Batch, v *pg.View) {
			s.Disputes.QueueAttention(c.Scope, &b.Money)(batch, v)
			s.Accounting.QueueAttention(c.Scope, &b.Books)(batch, v)
			s.Plans.QueueRenewals(c.Scope, plan.RenewalsInput{
				LocationID: c.LocationID(), Env: s.Billing.Env(),
			}, &b.Renewals)(batch, v)
		},
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

// dismiss dismisses a failed mail, or restores it.
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
			return desk.Done{To: c.To(""), Said: c.UI.T("Restored to the list.")}, nil
		}
		return desk.Done{To: c.To(""), Said: c.UI.T("Dismissed."), Undo: &ui.Undo{Action: c.To("/mails/" + id.String() + "/restore")}}, nil
	}
}

// split splits the day: current dates, the next ones (all that begin at the same time), later ones, past ones.
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
	if len(on)+len(next) > mostHeroes { // a busy day: all dates are rows
		later, next = append(next, later...), nil
	}
	return on, next, later, over
}

// mostHeroes is the maximum number of large dates.
const mostHeroes = 4

// figures returns the day in numbers, each with a link to its list.
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
		{Number: number(len(b.Dates)), Text: sh.T("dates today"), Href: c.To("/calendar", "view", "day", "day", day)},
		{Number: number(booked), Text: sh.T("spots booked"), Href: c.To("/bookings", "from", day, "to", day)},
		{Number: number(here), Text: sh.T("checked in"), Href: c.To("/bookings", "from", day, "to", day, "state", string(booking.CheckedIn))},
		{Number: number(spots), Text: sh.T("spots available"), Href: c.To("/calendar", "view", "agenda", "day", day)},
	}
	if waiting > 0 {
		out = append(out, ui.Figure{Number: number(waiting), Text: sh.T("on waitlists"), Href: c.To("/calendar", "view", "agenda", "day", day)})
	}
	return out
}

// calendar returns the address of the calendar; empty for a role without bookings.
func calendar(c *desk.Call) string {
	if !c.May("listBookings") {
		return ""
	}
	return c.To("/calendar")
}

// in renders the time until a date begins, or ends if it is current.
func (b board) in(sh ui.Shell, d agenda.Date) string {
	minutes := func(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) }
	if d.StartsAt.After(b.Now) {
		return sh.T("Starts in {time}", "time", sh.Length(minutes(d.StartsAt.Sub(b.Now))))
	}
	return sh.T("{time} left", "time", sh.Length(minutes(d.EndsAt.Sub(b.Now))))
}

// seats renders the occupancy of a class.
func seats(sh ui.Shell, d agenda.Date) string {
	return sh.T("{taken} of {capacity} booked", "taken", strconv.Itoa(d.Taken), "capacity", strconv.Itoa(d.Capacity))
}
