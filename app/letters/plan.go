package letters

import (
	"foyer/app/civil"
	"foyer/app/mail"
	"foyer/app/plan"
	"foyer/app/view"
)

// PlanEnds is plan.Options.Write.
func (w Letters) PlanEnds(r plan.Reminder) mail.Message {
	at := r.Location
	zone := civil.ZoneOrUTC(at.Zone)
	from := view.From{
		Words:  view.WordsAt(r.Locale, at.Address.Country, zone, w.Clock.Now()),
		Studio: r.BusinessName, Accent: at.Branding.Accent,
		Foot: view.Joined(", ", view.LocationSuffix(r.BusinessName, at.Name), view.AddressLine(at.Address)),
	}
	return letter(r.To, from, view.PlanEndsLetter(from, view.PlanEnd{
		Name: r.Name, Credits: r.Credits, LastDay: civil.Instant(r.LastDay, civil.NewClock(12, 0), zone),
		Link: w.BaseURL + "/" + at.Slug,
	}))
}
