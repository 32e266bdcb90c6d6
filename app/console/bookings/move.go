package bookings

import (
	"context"
	"slices"
	"time"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/view"
)

// moving is a booking to reschedule: its possible times, and the effects of the chosen one.
type moving struct {
	booking.StudioBooking
	In      booking.RescheduleInput
	Chosen  bool
	Done    booking.Rescheduled
	Refused string
	Offer   offer
	Courses []catalog.OfferingName // of a course: the others of its location
}

// target returns the new time in the address; ok is false until one is chosen.
func target(c *desk.Call, b booking.StudioBooking) (in booking.RescheduleInput, ok bool, err error) {
	in = booking.RescheduleInput{BookingID: b.ID, Scope: booking.Scope(c.Value("scope")), Override: c.Ticked("override"), Reason: c.Value("reason")}
	in.Target.CourseID, in.Target.OccurrenceID = c.UUID("course"), c.UUID("occurrence")
	switch {
	case b.Course():
		return in, c.Value("course") != "", nil
	case byTheDate(b):
		return in, c.Value("occurrence") != "", nil
	}
	in.Target.StartsAt, err = startOf(c, b.Wall())
	in.Target.Minutes, _ = c.Number("minutes")
	in.Target.MemberID, in.Target.SpaceID = orNil(c.UUID("member")), orNil(c.UUID("space"))
	return in, !in.Target.StartsAt.IsZero(), err
}

func (s *screens) askMove(c *desk.Call) (ui.Screen, error) {
	c.Apart("reason", "day")
	m := moving{}
	var err error
	if m.StudioBooking, err = s.find(c); err != nil {
		return ui.Screen{}, err
	}
	if m.In, m.Chosen, err = target(c, m.StudioBooking); err == nil && m.Chosen {
		in := m.In
		in.Reason = later(in.Override)
		var did booking.Did[booking.Rescheduled]
		did, err = desk.Quote(c, "rescheduleBooking", func(ctx context.Context) (booking.Did[booking.Rescheduled], error) {
			return s.Booking.Reschedule(ctx, c.Scope, in)
		})
		m.Done = did.Done
	}
	if err != nil {
		if m.Refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	if err := s.places(c, &m); err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Reschedule booking"), Lead: when(c, m.StudioBooking), Area: "bookings", Up: up(c, m.StudioBooking), Body: moveBody(c, m), Sheet: true,
	}, nil
}

// places reads the possible times; not once an available one is chosen.
func (s *screens) places(c *desk.Call, m *moving) (err error) {
	switch {
	case m.Chosen && m.Refused == "":
	case m.Course():
		var all []catalog.OfferingName
		all, err = s.Catalog.OfferingNames(c.Context(), c.Scope, catalog.OfferingNamesInput{LocationID: m.LocationID, Limit: paging.Max})
		for _, o := range all {
			if o.Enrolment == catalog.BySeries && o.ID != m.OfferingID && o.State == catalog.Published {
				m.Courses = append(m.Courses, o)
			}
		}
	default:
		w := wishOf(c)
		w.Party = m.Party
		if w.Minutes == 0 {
			w.Minutes = int(m.EndsAt.Sub(m.StartsAt).Minutes())
		}
		if !byTheDate(m.StudioBooking) {
			w.Instead = &m.ID
		}
		m.Offer, err = s.offerOf(c, m.OfferingID, w)
	}
	return err
}

func (s *screens) move(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart("reason", "day")
	b, err := s.find(c)
	if err != nil {
		return desk.Done{}, err
	}
	in, ok, err := target(c, b)
	if err != nil {
		return desk.Done{}, err
	}
	if !ok {
		return desk.Done{}, fault.Invalid("occurrence", "Choose a time first.")
	}
	got, err := desk.Redeem(c, ctx, "rescheduleBooking", func(ctx context.Context) (booking.Did[booking.Rescheduled], error) {
		return s.Booking.Reschedule(ctx, c.Scope, in)
	})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To:   c.To(path(b, "")),
		Said: c.UI.T("Rescheduled {name} to {when}.", "name", who(c.UI, got.Booking), "when", wordsAt(c, b.Zone).ShortWhen(got.Done.StartsAt)),
	}, nil
}

// back is the time of a booking before it was rescheduled: the page to undo that.
type back struct {
	To string // empty: not possible
	At time.Time
}

// backFor is the time within which rescheduling can be undone in one press.
const backFor = 24 * time.Hour

// wayBack returns the former time of a booking rescheduled within the day. A class returns to its date, found by its
// start; there is none if that date was rescheduled or cancelled meanwhile, or another one of the class begins with
// it.
func (s *screens) wayBack(c *desk.Call, r record) (back, error) {
	now := s.Clock.Now()
	if len(r.Changes) == 0 || r.Course() || !has(r, booking.ActReschedule) {
		return back{}, nil
	}
	last := r.Changes[len(r.Changes)-1]
	if last.Transition != booking.TransitionReschedule || last.FromStart == nil || last.At.Before(now.Add(-backFor)) || !last.FromStart.After(now) {
		return back{}, nil
	}
	out := back{At: *last.FromStart}
	if !byTheDate(r.StudioBooking) {
		out.To = c.To(path(r.StudioBooking, "/move"), "start", out.At.UTC().Format(time.RFC3339))
		return out, nil
	}
	dates, err := s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{
		From: out.At, To: out.At.Add(time.Minute), OfferingID: r.OfferingID, LocationID: r.LocationID,
	})
	dates = slices.DeleteFunc(dates, func(d agenda.Date) bool { return !d.StartsAt.Equal(out.At) })
	if err != nil || len(dates) != 1 || dates[0].ID == r.OccurrenceID {
		return back{}, err
	}
	out.To = c.To(path(r.StudioBooking, "/move"), "occurrence", dates[0].ID.String())
	return out, nil
}

// outcomes returns all effects of rescheduling.
func (m moving) outcomes(c *desk.Call) []ui.Outcome {
	sh := c.UI
	w := wordsAt(c, m.Zone)
	var out []ui.Outcome
	for _, d := range append([]booking.Rescheduled{m.Done}, m.Done.Others...) {
		out = append(out, ui.Outcome{Text: sh.T("From {was} to {now}", "was", w.ShortWhen(d.FromStartsAt), "now", w.ShortWhen(d.StartsAt))})
		for _, over := range d.Overridden {
			out = append(out, ui.Outcome{Text: aside(sh, over), Bad: true})
		}
	}
	for _, d := range m.Done.Dates {
		out = append(out, ui.Outcome{Text: sh.T("New date: {when}", "when", w.ShortWhen(d.StartsAt))})
	}
	more := m.Done.DifferenceAmount
	switch {
	case more > 0:
		out = append(out, ui.Outcome{Text: sh.T("The new time costs more; the difference is not charged"), Amount: sh.Cash(more, m.Currency)})
	case more < 0:
		out = append(out, ui.Outcome{Text: sh.T("The new time costs less; the difference is not refunded"), Amount: sh.Cash(-more, m.Currency)})
	default:
		out = append(out, ui.Outcome{Text: sh.T("No charge or refund")})
	}
	if m.CustomerEmail != "" {
		out = append(out, ui.Outcome{Text: sh.T("{name} is notified by e-mail", "name", called(sh, m.StudioBooking))})
	}
	return out
}

// button returns the label of the button, with the new time.
func (m moving) button(c *desk.Call) string {
	return c.UI.T("Reschedule to {when}", "when", wordsAt(c, m.Zone).ShortWhen(m.Done.StartsAt))
}

// without returns the address of this page without a choice.
func without(c *desk.Call) string {
	return c.With("occurrence", "", "course", "", "start", "", "date", "", "time", "", "override", "")
}

// keptOf returns the fields of a form of the address that stay unchanged.
func keptOf(c *desk.Call, names ...string) []view.Param {
	var out []view.Param
	for _, name := range names {
		if v := c.Value(name); v != "" {
			out = append(out, view.Param{Name: name, Value: v})
		}
	}
	return out
}
