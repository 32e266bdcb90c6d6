package hosted

import (
	"strconv"

	"foyer/app/civil"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// waitlistPath is the page of a place on a waitlist, before its token.
const waitlistPath = "/my/waitlist/"

// waitings are the places on waitlists that may still become something.
func (h *site) waitings(list []waitlist.CustomerEntry) []view.Booking {
	var out []view.Booking
	for _, w := range list {
		if !w.Pending(h.Clock.Now()) {
			continue
		}
		zone := civil.ZoneOrUTC(w.Zone)
		words := view.WordsAt(w.Recipient.Locale, w.Country, zone, h.Clock.Now())
		x := view.Booking{
			Line: view.Line{Name: w.OfferingName, Start: w.StartsAt, Minutes: view.Minutes(w.StartsAt, w.EndsAt), Where: w.Space, State: "On the waitlist"},
			Zone: zone, Studio: w.BusinessName, Offer: w.Acceptable, Href: waitlistPath + h.Waitlist.Token(w.ID),
		}
		switch {
		case w.Acceptable && w.OfferUntil != nil && w.State == waitlist.Offered:
			x.State = "A place is kept for you until " + words.Soon(*w.OfferUntil)
		case w.Acceptable:
			x.State = "There is a free place"
		case w.Position != nil:
			x.State = "On the waitlist, " + ordinal(*w.Position) + " in line"
		}
		out = append(out, x)
	}
	return out
}

// ordinal is "1st", "2nd", "11th".
func ordinal(n int) string {
	end := n % 10
	if end > 3 || n%100/10 == 1 {
		end = 0
	}
	return strconv.Itoa(n) + [...]string{"th", "st", "nd", "rd"}[end]
}
