package my

import (
	"foyer/app/civil"
	"foyer/app/hosted/kit"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// waitings are the waitlist entries that are still open.
func (h *site) waitings(list []waitlist.CustomerEntry) []Booking {
	var out []Booking
	for _, w := range list {
		if !w.Pending(h.Clock.Now()) {
			continue
		}
		zone := civil.ZoneOrUTC(w.Zone)
		words := view.WordsAt(w.Recipient.Locale, w.Country, zone, h.Clock.Now())
		x := Booking{
			Line: view.Line{Name: w.OfferingName, Start: w.StartsAt, Minutes: view.Minutes(w.StartsAt, w.EndsAt), Where: w.Space, State: words.T("On the waitlist")},
			Zone: zone, Studio: w.BusinessName, Offer: w.Acceptable, Href: kit.WaitlistPath + h.Waitlist.Token(w.ID),
		}
		switch {
		case w.Acceptable && w.OfferUntil != nil && w.State == waitlist.Offered:
			x.State = words.T("A spot is held for you until {when}", "when", words.Soon(*w.OfferUntil))
		case w.Acceptable:
			x.State = words.T("A spot is available")
		case w.Position != nil:
			x.State = words.T("On the waitlist, number {n} in line", "n", *w.Position)
		}
		out = append(out, x)
	}
	return out
}
