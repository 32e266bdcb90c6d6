package dates

import (
	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// sheet is the data of the roster.
type sheet struct {
	agenda.Date
	People []booking.StudioBooking // those of the search
	All    int                     // bookings on the roster
	Money  map[uuid.UUID]order.Money
	Lacks  map[uuid.UUID][]string // outstanding agreements, by booking
	Wait   waitlist.List
	Edit   *schedule.Edit // the latest of this date, if it can be undone
	Q      string
	Begun  bool // it can no longer be changed
	Over   bool
}

// Class reports whether it is a date of a class; otherwise it is an appointment or rental of one customer.
func (s sheet) Class() bool { return s.Kind == catalog.Class }

// On reports whether the date is scheduled, not cancelled.
func (s sheet) On() bool { return s.State == schedule.Scheduled }

func (s *screens) roster(c *desk.Call) (ui.Screen, error) {
	d, err := s.date(c)
	if err != nil {
		return ui.Screen{}, err
	}
	now := s.Clock.Now()
	out := sheet{Date: d, Q: c.Value("q"), Begun: !d.StartsAt.After(now), Over: !d.EndsAt.After(now)}
	err = desk.Together(
		func() (err error) {
			out.People, err = s.everybody(c, d.ID)
			return err
		},
		func() (err error) {
			out.Money, err = s.Orders.MoneyAt(c.Context(), c.Scope.Tenant, d.ID)
			return err
		},
		func() (err error) {
			out.Lacks, err = s.Agreement.Missing(c.Context(), c.Scope.Tenant, d.ID)
			return err
		},
		func() (err error) {
			if d.Kind == catalog.Class {
				out.Wait, err = s.Waitlist.List(c.Context(), c.Scope, waitlist.ListInput{
					OfferingID: d.OfferingID, OccurrenceID: d.ID, Page: paging.In[waitlist.Key]{Limit: paging.Max},
				})
			}
			return err
		},
		func() (err error) {
			if !out.Begun && (c.UI.Said == nil || c.UI.Said.Undo == nil) && d.SeriesID != nil && c.MayAt("undoSeriesEdit", d.LocationID) {
				out.Edit, err = s.lastEdit(c, d)
			}
			return err
		},
	)
	if err != nil {
		return ui.Screen{}, err
	}
	out.All = len(out.People)
	out.People = called(c.UI, out.People, out.Q)
	return ui.Screen{
		Title: d.OfferingName, Lead: lead(c, d), Area: "calendar", Up: &view.Link{Text: c.UI.T("Calendar"), Href: c.To("/calendar", "day", day(c, d))},
		Acts: dateActs(c, out), Body: rosterBody(c, out), Sheet: true,
	}, nil
}

// lastEdit returns the latest edit of a date; nil if it cannot be undone.
func (s *screens) lastEdit(c *desk.Call, d agenda.Date) (*schedule.Edit, error) {
	page, err := s.Schedule.Edits(c.Context(), c.Scope, schedule.EditsInput{
		OfferingID: d.OfferingID, SeriesID: *d.SeriesID, OccurrenceID: &d.ID, Page: paging.In[paging.Moment]{Limit: 1},
	})
	if err != nil || len(page.Items) == 0 || !page.Items[0].Undoable {
		return nil, err
	}
	return &page.Items[0], nil
}

// day returns the calendar's parameter for the day of a date.
func day(c *desk.Call, d agenda.Date) string { return d.StartsAt.In(c.UI.Zone).Format("2006-01-02") }

// everybody reads all pages of a roster: a roster must be complete.
func (s *screens) everybody(c *desk.Call, id uuid.UUID) ([]booking.StudioBooking, error) {
	in := booking.RosterInput{OccurrenceID: id}
	var all []booking.StudioBooking
	for {
		r, err := s.Booking.RosterOf(c.Context(), c.Scope, in)
		if err != nil {
			return nil, err
		}
		all = append(all, r.Entries.Items...)
		if in.Page.After = r.Entries.Next; in.Page.After == nil {
			return all, nil
		}
	}
}

// called returns the bookings with a name, address or number that matches the search.
func called(sh ui.Shell, all []booking.StudioBooking, q string) []booking.StudioBooking {
	query := crm.ParseQuery(q)
	if query.Empty() {
		return all
	}
	var out []booking.StudioBooking
	for _, p := range all {
		if query.Fits(who(sh, p), p.CustomerEmail, p.CustomerPhone) {
			out = append(out, p)
		}
	}
	return out
}

func who(sh ui.Shell, p booking.StudioBooking) string {
	return ui.Who(sh, p.Attendee, p.CustomerName, p.CustomerEmail)
}

// stands renders the check-in state of a seat.
func stands(sh ui.Shell, p booking.StudioBooking) (string, ui.Tone) {
	switch p.State {
	case booking.CheckedIn:
		if p.CheckedOutAt != nil {
			return sh.T("Checked out"), ""
		}
		return sh.T("Checked in"), "ok"
	case booking.Completed:
		return sh.T("Attended"), "ok"
	case booking.NoShow:
		return sh.T("No-show"), "bad"
	case booking.Requested:
		return sh.T("Requested"), "warn"
	case booking.Held:
		return sh.T("In a cart"), ""
	}
	return sh.T("Booked"), ""
}
