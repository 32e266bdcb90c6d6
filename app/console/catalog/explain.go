package catalog

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// why is the availability inspector.
type why struct {
	Offers  []agenda.OfferingRow
	ID      uuid.UUID // offering to inspect; Nil: not chosen yet
	Day     civil.Date
	Clock   string
	Minutes string
	Party   string
	Answer  *availability.Explanation
}

// explainInputs are the fields of the page; the verb has startsAt for the day and the time.
var explainInputs = []string{"minutes", "party", "time"}

// explain lists all checks of a time, with the reason why it is available or unavailable.
func (s *screens) explain(c *desk.Call) (ui.Screen, error) {
	list, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: c.LocationID()})
	if err != nil {
		return ui.Screen{}, err
	}
	v := why{ID: c.UUID("offering"), Clock: c.Value("time"), Minutes: c.Value("minutes"), Party: c.Value("party")}
	for _, o := range list {
		if o.State != catalog.Archived {
			v.Offers = append(v.Offers, o)
		}
	}
	zone := c.Zone()
	if i := slices.IndexFunc(v.Offers, func(o agenda.OfferingRow) bool { return o.ID == v.ID }); i >= 0 {
		zone = civil.ZoneOrUTC(v.Offers[i].Zone)
		c.UI.Zone = zone
	}
	if v.Day, err = civil.ParseDate(c.Value("day")); err != nil {
		v.Day = civil.LocalDate(s.Clock.Now(), zone)
	}
	if err := s.answer(c, &v); err != nil && !c.Refused(err, explainInputs) {
		return ui.Screen{}, err
	}
	up := view.Link{Text: c.UI.T("Catalog"), Href: c.To("/catalog")}
	return ui.Screen{
		Title: c.UI.T("Availability inspector"), Lead: c.UI.T("Enter a time to see why it is available or unavailable."), Area: "catalog", Up: &up,
		Body: explainBody(c, v),
	}, nil
}

// answer reads the checks once a time is entered.
func (s *screens) answer(c *desk.Call, v *why) error {
	i := slices.IndexFunc(v.Offers, func(o agenda.OfferingRow) bool { return o.ID == v.ID })
	if i < 0 || v.Clock == "" {
		return nil
	}
	f := reader{Call: c}
	at, minutes, party := f.clock("time"), f.number("minutes"), f.number("party")
	if err := f.checks.Err(); err != nil {
		return err
	}
	start, err := desk.Wall("time", v.Day, civil.Clock(*at), c.UI.Zone)
	if err != nil {
		return err
	}
	in := availability.ExplainInput{
		LocationID: v.Offers[i].LocationID, StartsAt: start, Party: party,
		Segment: availability.Segment{OfferingID: v.ID, Minutes: minutes},
	}
	answer, err := s.Availability.Explain(c.Context(), c.Scope, in)
	if err == nil {
		v.Answer = &answer
	}
	return err
}

// verdict renders the result of the checks.
func (v why) verdict(sh ui.Shell) (string, ui.Tone) {
	when := sh.ShortWhen(v.Answer.StartsAt)
	switch {
	case v.Answer.Bookable:
		return sh.T("{when} can be booked online.", "when", when), "ok"
	case v.Answer.Available:
		return sh.T("{when} is available, but customers cannot book it. You can.", "when", when), "warn"
	}
	return sh.T("{when} is unavailable.", "when", when), "bad"
}
