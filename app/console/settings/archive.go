package settings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
)

// putAway mounts the page that archives a location, with its effects first.
func (s *screens) putAway() {
	s.Page("archiveLocation", "/settings/places/:location/archive", s.showArchive)
	s.Form("archiveLocation", "/settings/places/:location/archive", desk.Form{Do: s.archivePlace, Show: s.showArchive, Inputs: []string{"transferTo", "reason"}})
}

func (s *screens) archiveVerb(c *desk.Call, id uuid.UUID) func(context.Context) (business.ArchivedLocation, error) {
	in := business.ArchiveLocationInput{LocationID: id, Reason: c.Value("reason")}
	if to := c.UUID("transferTo"); to != uuid.Nil {
		in.TransferTo = &to
	}
	return func(ctx context.Context) (business.ArchivedLocation, error) {
		return s.Business.ArchiveLocation(ctx, c.Scope, in)
	}
}

func (s *screens) showArchive(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	var gone *business.ArchivedContent
	archived, err := desk.Quote(c, "archiveLocation", s.archiveVerb(c, l.ID))
	switch {
	case err == nil:
		gone = &archived.Content
	case !c.Told(err):
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Archive {name}", "name", l.Name), Area: area, Up: up(c, l.Name, "/settings/places/"+l.ID.String()),
		Lead: c.UI.T("Its booking pages close. Its history is kept, and its web address stays reserved."), Body: archiveBody(c, l, gone),
	}, nil
}

func (s *screens) archivePlace(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	l, err := desk.Redeem(c, ctx, "archiveLocation", s.archiveVerb(c, id))
	return desk.Done{To: c.To("/settings/places"), Said: c.UI.T("Archived {name}.", "name", l.Name)}, err
}

// elsewhere returns the other locations, and none.
func elsewhere(c *desk.Call, from uuid.UUID) []ui.Option {
	out := []ui.Option{{Value: "", Text: c.UI.T("None (only without upcoming bookings)")}}
	for _, l := range c.Workspace.Locations {
		if l.ID != from {
			out = append(out, ui.Option{Value: l.ID.String(), Text: l.Name})
		}
	}
	return out
}

func archiveOutcomes(sh ui.Shell, g business.ArchivedContent, to string) []ui.Outcome {
	var out []ui.Outcome
	add := func(n int, text string, bad bool) {
		if n > 0 {
			out = append(out, ui.Outcome{Text: text, Bad: bad})
		}
	}
	add(g.Transferred.Offerings, sh.N(g.Transferred.Offerings, "{n} offering continues at {place}", "{n} offerings continue at {place}", "place", to), false)
	add(g.Transferred.Dates, sh.N(g.Transferred.Dates, "{n} date continues there, at the same time", "{n} dates continue there, at the same times"), false)
	add(g.Transferred.Bookings, sh.N(g.Transferred.Bookings, "{n} booking continues with it, and its customer is notified", "{n} bookings continue with them, and their customers are notified"), false)
	add(g.Transferred.Waiting, sh.N(g.Transferred.Waiting, "{n} waitlist entry continues too", "{n} waitlist entries continue too"), false)
	add(g.Offerings, sh.N(g.Offerings, "{n} offering is archived", "{n} offerings are archived"), true)
	add(g.Dates, sh.N(g.Dates, "{n} upcoming date ends: it can no longer be seen or booked", "{n} upcoming dates end: they can no longer be seen or booked"), true)
	add(g.Waiting, sh.N(g.Waiting, "{n} waitlist entry ends, and its customer is notified", "{n} waitlist entries end, and their customers are notified"), true)
	if len(out) == 0 {
		out = append(out, ui.Outcome{Text: sh.T("Nothing is sold there, and there are no upcoming bookings")})
	}
	return out
}
