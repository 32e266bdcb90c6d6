package settings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/view"
)

// closures mounts the days on which a location is closed or has special hours. The form shows the affected dates
// first.
func (s *screens) closures() {
	s.Page("listClosures", "/settings/places/:location/closures", s.showClosures)
	s.Page("addClosure", "/settings/places/:location/closures/new", s.showNewClosure)
	s.Form("addClosure", "/settings/places/:location/closures/new", desk.Form{Do: s.closeDays, Show: s.showNewClosure})
	s.Form("deleteClosure", "/settings/places/:location/closures/:closure/remove", desk.Form{Do: s.openDays})
}

func (s *screens) showClosures(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	page, err := s.Availability.Closures(c.Context(), c.Scope, availability.ClosuresInput{
		LocationID: l.ID, Page: paging.In[availability.ClosureKey]{Limit: paging.Max},
	})
	screen := aPlace(c, l, "/closures")
	screen.Body = closuresBody(c, l, page.Items)
	return screen, err
}

// closureVerb reads the form. Its error is a wrong field; asked is false without input.
func (s *screens) closureVerb(c *desk.Call, place uuid.UUID) (verb func(context.Context) (availability.AddedClosure, error), err error) {
	in := availability.ClosureInput{LocationID: place, Name: c.Value("name")}
	var wrong fault.Checks
	in.StartsOn, err = civil.ParseDate(c.Value("startsOn"))
	wrong.That(err == nil, "startsOn", "Choose the first day.")
	in.EndsOn = in.StartsOn
	if c.Value("endsOn") != "" {
		in.EndsOn, err = civil.ParseDate(c.Value("endsOn"))
		wrong.That(err == nil, "endsOn", "Choose the last day.")
	}
	if from, to := c.Value("opens"), c.Value("closes"); from != "" || to != "" {
		opens, opensWell := minute(from)
		closes, closesWell := minute(to)
		wrong.That(opensWell, "opens", "Enter an opening time, such as 9:00.")
		wrong.That(closesWell, "closes", "Enter a closing time, such as 17:00.")
		if closes == 0 {
			closes = 24 * 60
		}
		in.Hours = []availability.DayHours{{Opens: opens, Closes: closes}}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (availability.AddedClosure, error) {
		added, err := s.Availability.CloseDays(ctx, c.Scope, in)
		return added, at(err, weekNames{""}.field)
	}, nil
}

func (s *screens) showNewClosure(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := ui.Screen{Title: c.UI.T("New closure"), Area: area, Up: up(c, c.UI.T("Closures"), "/settings/places/"+l.ID.String()+"/closures")}
	var hits *availability.Hits
	if c.Inputs().Has("startsOn") {
		verb, err := s.closureVerb(c, l.ID)
		if err == nil {
			var added availability.AddedClosure
			if added, err = desk.Quote(c, "addClosure", verb); err == nil {
				hits = &added.Hits
			}
		}
		if err != nil && !c.Told(err) {
			return screen, err
		}
	}
	screen.Body = newClosureBody(c, l, hits)
	return screen, nil
}

func (s *screens) closeDays(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	verb, err := s.closureVerb(c, id)
	if err != nil {
		return desk.Done{}, err
	}
	added, err := desk.Redeem(c, ctx, "addClosure", verb)
	return desk.Done{
		To: of(c, id, "/closures"), Said: c.UI.T("Added {name}.", "name", added.Closure.Name),
		Undo: &ui.Undo{Action: of(c, id, "/closures/"+added.Closure.ID.String()+"/remove")},
	}, err
}

func (s *screens) openDays(c *desk.Call, ctx context.Context) (desk.Done, error) {
	place, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	id, err := c.ID("closure")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: of(c, place, "/closures"), Said: c.UI.T("Closure removed. Regular hours apply.")}, s.Availability.RemoveClosure(ctx, c.Scope, place, id)
}

// closureDays renders the days of a closure.
func closureDays(w view.Words, cl availability.Closure, zone business.Location) string {
	first, last := civil.StartOfDay(cl.StartsOn, zoneOf(zone)), civil.StartOfDay(cl.EndsOn, zoneOf(zone))
	if cl.StartsOn == cl.EndsOn {
		return w.ShortDate(first)
	}
	return w.T("{from} to {to}", "from", w.ShortDate(first), "to", w.ShortDate(last))
}

func closureHours(sh ui.Shell, cl availability.Closure) string {
	text := ""
	for _, h := range cl.Hours {
		text = view.Joined(", ", text, wall(h.Opens)+"–"+wall(h.Closes))
	}
	if text == "" {
		return sh.T("Closed")
	}
	return text
}

// hitOutcomes returns the dates and bookings affected by days off or a block.
func hitOutcomes(sh ui.Shell, w view.Words, h availability.Hits) []ui.Outcome {
	if h.Count == 0 && h.Dates == 0 {
		return []ui.Outcome{{Text: sh.T("Nothing is scheduled at that time")}}
	}
	var out []ui.Outcome
	if h.Dates > 0 {
		out = append(out, ui.Outcome{Text: sh.N(h.Dates, "{n} class date stays on the calendar: cancel or reschedule it", "{n} class dates stay on the calendar: cancel or reschedule them"), Bad: true})
	}
	if h.Count > 0 {
		out = append(out, ui.Outcome{Text: sh.N(h.Count, "{n} booking is not changed: reschedule or cancel it", "{n} bookings are not changed: reschedule or cancel them"), Bad: true})
	} else {
		out = append(out, ui.Outcome{Text: sh.T("No bookings at that time")})
	}
	return out
}
