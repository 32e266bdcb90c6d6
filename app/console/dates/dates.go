// Package dates is one date of a class, an appointment or a rental: its roster with check-in and waitlist, and its
// changes; and the desk for walk-ins.
package dates

import (
	"foyer/app/agenda"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getRoster", "/dates/:occurrence", s.roster)
	for _, a := range s.decisions() {
		d.Form(a.op, "/dates/:occurrence/waitlist/:entry/"+a.path, desk.Form{Do: a.do})
	}
	d.Page("addToWaitlist", "/dates/:occurrence/waitlist", s.askWaiter)
	d.Form("addToWaitlist", "/dates/:occurrence/waitlist", desk.Form{Do: s.addWaiter, Show: s.askWaiter, Inputs: []string{"party", "attendee", "reason"}})
	for path, fields := range map[string][]string{
		"edit": {"minutes", "memberId", "spaceId", "capacity", "onlineCapacity", "reason"}, "move": {"startsAt", "reason"},
	} {
		d.Page("updateOccurrence", "/dates/:occurrence/"+path, s.askEdit(path))
		d.Form("updateOccurrence", "/dates/:occurrence/"+path, desk.Form{Do: s.edit(path), Show: s.askEdit(path), Inputs: fields})
	}
	d.Form("undoSeriesEdit", "/dates/:occurrence/undo-edit", desk.Form{Do: s.undoEdit})
	d.Page("cancelOccurrence", "/dates/:occurrence/cancel", s.askCancel)
	d.Form("cancelOccurrence", "/dates/:occurrence/cancel", desk.Form{Do: s.cancel, Show: s.askCancel, Inputs: []string{"reason"}})
	d.Page("restoreOccurrence", "/dates/:occurrence/restore", s.askRestore)
	d.Form("restoreOccurrence", "/dates/:occurrence/restore", desk.Form{Do: s.restore, Show: s.askRestore, Inputs: []string{"reason"}})
	d.Page("substituteOccurrence", "/dates/:occurrence/substitute", s.askSubstitute)
	d.Form("substituteOccurrence", "/dates/:occurrence/substitute", desk.Form{Do: s.substitute, Show: s.askSubstitute, Inputs: []string{"memberId", "reason"}})
	s.door(d)
}

// date reads the date of the address. The screen shows times in its time zone.
func (s *screens) date(c *desk.Call) (agenda.Date, error) {
	id, err := c.ID("occurrence")
	if err != nil {
		return agenda.Date{}, err
	}
	d, err := s.Agenda.Date(c.Context(), c.Scope, id)
	c.UI.Zone = civil.ZoneOrUTC(d.Zone)
	return d, err
}

// home returns the address of a date and of its pages.
func home(c *desk.Call, d agenda.Date, rest ...string) string {
	to := "/dates/" + d.ID.String()
	for _, part := range rest {
		to += "/" + part
	}
	return c.To(to)
}

// up returns the link to the roster.
func up(c *desk.Call, d agenda.Date) *view.Link {
	return &view.Link{Text: d.OfferingName, Href: home(c, d)}
}

// lead renders a date's time, location, instructor, and whether it is part of a course.
func lead(c *desk.Call, d agenda.Date) string {
	when := c.UI.When(d.StartsAt, int(d.EndsAt.Sub(d.StartsAt).Minutes()))
	return view.Joined(" · ", when, ui.PartOfCourse(c.UI, d.Course()), d.Instructor, d.Space)
}
