package letters

import (
	"time"

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
	p := view.PlanEnd{
		Event: r.Event, Name: r.Name, Credits: r.Credits, LastDay: noon(r.LastDay, zone), RenewsOn: noon(r.RenewsOn, zone),
		Amount: view.Price{Minor: r.Amount, Currency: r.Currency},
		Link:   w.BaseURL + "/" + at.Slug, Plans: w.BaseURL + "/my/plans",
	}
	if f := r.Frozen; f != nil {
		p.FrozenFrom = noon(f.StartsOn, zone)
		if f.EndsOn != nil {
			p.FrozenLast = noon(f.EndsOn.AddDays(-1), zone)
		}
	}
	if h := r.Change; h != nil {
		p.Change, p.ChangesOn = h.Name, noon(h.On, zone)
		p.ChangePrice = view.Price{Minor: h.Price, Currency: r.Currency}
	}
	return letter(r.To, from, view.PlanEndsLetter(from, p))
}

// noon returns noon of a day; the zero time without one.
func noon(d civil.Date, zone *time.Location) time.Time {
	if d.IsZero() {
		return time.Time{}
	}
	return civil.Instant(d, civil.NewClock(12, 0), zone)
}
