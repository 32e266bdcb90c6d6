package settings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
)

// putAway archives a place, which says first what goes with it and what goes on elsewhere.
func (s *screens) putAway() {
	s.Page("archiveLocation", "/settings/places/:location/archive", s.showArchive)
	s.Form("archiveLocation", "/settings/places/:location/archive", desk.Form{Do: s.archivePlace, Show: s.showArchive, Inputs: []string{"moveTo", "reason"}})
}

func (s *screens) archiveVerb(c *desk.Call, id uuid.UUID) func(context.Context) (business.ArchivedLocation, error) {
	in := business.ArchiveLocationInput{LocationID: id, Reason: c.Value("reason")}
	if to := c.UUID("moveTo"); to != uuid.Nil {
		in.MoveTo = &to
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
		Lead: c.UI.T("The public finds nothing there any more. History stays, and its address is nobody else's."), Body: archiveBody(c, l, gone),
	}, nil
}

func (s *screens) archivePlace(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	l, err := desk.Redeem(c, ctx, "archiveLocation", s.archiveVerb(c, id))
	return desk.Done{To: c.To("/settings/places"), Said: c.UI.T("{name} is archived.", "name", l.Name)}, err
}

// elsewhere are the other places, and none.
func elsewhere(c *desk.Call, from uuid.UUID) []ui.Option {
	out := []ui.Option{{Value: "", Text: c.UI.T("Nowhere: nothing may lie ahead")}}
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
	add(g.Moved.Offerings, sh.N(g.Moved.Offerings, "{n} offering goes on at {place}", "{n} offerings go on at {place}", "place", to), false)
	add(g.Moved.Dates, sh.N(g.Moved.Dates, "{n} date moves there, at the same time", "{n} dates move there, at the same times"), false)
	add(g.Moved.Bookings, sh.N(g.Moved.Bookings, "{n} booking moves with it, and its customer is told", "{n} bookings move with them, and their customers are told"), false)
	add(g.Moved.Waiting, sh.N(g.Moved.Waiting, "{n} place on a waitlist moves too", "{n} places on waitlists move too"), false)
	add(g.Offerings, sh.N(g.Offerings, "{n} offering is archived", "{n} offerings are archived"), true)
	add(g.Dates, sh.N(g.Dates, "{n} date to come ends: nobody can see or book it any more", "{n} dates to come end: nobody can see or book them any more"), true)
	add(g.Waiting, sh.N(g.Waiting, "{n} place on a waitlist ends, and its customer is told", "{n} places on waitlists end, and their customers are told"), true)
	if len(out) == 0 {
		out = append(out, ui.Outcome{Text: sh.T("Nothing is sold there, and nobody is booked ahead")})
	}
	return out
}
