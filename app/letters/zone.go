package letters

import (
	"fmt"
	"time"

	"foyer/app/civil"
)

const (
	wallStamp = "20060102T150405"
	utcStamp  = wallStamp + "Z"
)

// zoneName is the name of a wall clock in a calendar file; empty for UTC, as its instants need none.
func zoneName(zone *time.Location) string {
	if zone == nil || zone == time.UTC || zone.String() == "UTC" {
		return ""
	}
	return zone.String()
}

// again reports whether a wall clock shows the time of t for the second time, because it was put back: a calendar
// reads such a time as the first, as civil.Instant does.
func again(t time.Time, zone *time.Location) bool {
	return !civil.Instant(civil.LocalDate(t, zone), civil.LocalClock(t, zone), zone).Equal(t.Truncate(time.Minute))
}

// zoneLines describe the changes of a wall clock from a day before the first to a year after the last of these events
// (RFC 5545 3.6.5): each period between two changes begins on the clock of the one before. The changes themselves are
// written, and no rule for them: a rule that a country abolishes would be wrong from then on, and a past period stays
// as it was.
func zoneLines(zone *time.Location, events []Event) []string {
	from, to := events[0].Start, events[0].End
	for _, e := range events {
		if e.Start.Before(from) {
			from = e.Start
		}
		if e.End.After(to) {
			to = e.End
		}
	}
	lines := []string{"BEGIN:VTIMEZONE", "TZID:" + zone.String()}
	for at, last := from.AddDate(0, 0, -1).In(zone), to.AddDate(1, 0, 0); ; {
		begins, ends := at.ZoneBounds()
		name, offset := at.Zone()
		before, start := offset, "19700101T000000"
		if !begins.IsZero() {
			_, before = begins.Add(-time.Second).In(zone).Zone()
			start = begins.UTC().Add(time.Duration(before) * time.Second).Format(wallStamp)
		}
		kind := "STANDARD"
		if at.IsDST() {
			kind = "DAYLIGHT"
		}
		lines = append(lines, "BEGIN:"+kind, "DTSTART:"+start, "TZOFFSETFROM:"+offsetText(before), "TZOFFSETTO:"+offsetText(offset),
			"TZNAME:"+name, "END:"+kind)
		if ends.IsZero() || ends.After(last) {
			return append(lines, "END:VTIMEZONE")
		}
		at = ends.In(zone)
	}
}

// offsetText is "-0500", with seconds where a clock of long ago had them.
func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if s := seconds % 60; s != 0 {
		text += fmt.Sprintf("%02d", s)
	}
	return text
}
