package hosted

import (
	"strconv"
	"strings"

	"foyer/app/civil"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// waitlistPath is the page of a place on a waitlist, before its token.
const waitlistPath = "/my/waitlist/"

// waitings are the places on waitlists that may still become something.
func (h *site) waitings(list []waitlist.CustomerEntry) []view.Waiting {
	var out []view.Waiting
	for _, w := range list {
		if !w.Pending(h.o.Clock.Now()) {
			continue
		}
		zone := civil.ZoneOrUTC(w.Zone)
		words := view.WordsAt(w.Country, zone, h.o.Clock.Now())
		x := view.Waiting{
			Name: w.OfferingName, Start: w.StartsAt, Zone: zone, Minutes: view.Minutes(w.StartsAt, w.EndsAt), Where: w.Space, Studio: w.BusinessName,
			State: "On the waitlist", Offer: w.Acceptable, Href: waitlistPath + h.Waitlist.Token(w.ID),
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
	s := strconv.Itoa(n)
	switch {
	case strings.HasSuffix(s, "11"), strings.HasSuffix(s, "12"), strings.HasSuffix(s, "13"):
		return s + "th"
	case strings.HasSuffix(s, "1"):
		return s + "st"
	case strings.HasSuffix(s, "2"):
		return s + "nd"
	case strings.HasSuffix(s, "3"):
		return s + "rd"
	}
	return s + "th"
}
