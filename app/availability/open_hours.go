package availability

import (
	"time"

	"foyer/app/business"
)

// Opening is a time without a break at which something is open. To is closed again.
type Opening struct {
	From time.Time
	To   time.Time
}

// OpenHours says when a space is open between two instants, in order: the hours of its location with its closures, and
// within them the space's own when it has any. They are the hours that availability is decided with. An opening that goes
// on past midnight is one, and those at the ends may reach out of what was asked for, by a day at most.
func OpenHours(zone *time.Location, location []business.Interval, special []SpecialDays, own []business.Interval, from, to time.Time) []Opening {
	c := newCalendar(&Facts{Zone: zone, Week: location, Special: special}, stretch{from.Unix(), to.Unix()})
	set := setOf(c.ofSpace(own))
	out := make([]Opening, len(set))
	for i, s := range set {
		out[i] = Opening{time.Unix(s.from, 0).UTC(), time.Unix(s.to, 0).UTC()}
	}
	return out
}
