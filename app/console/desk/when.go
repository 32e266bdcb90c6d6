package desk

import (
	"strings"
	"time"

	"foyer/app/civil"
	"foyer/app/fault"
)

// WallMoment is how a field of a date and a time is written: the value of <input type="datetime-local">.
const WallMoment = "2006-01-02T15:04"

// Moment is a field of a date and a time on the wall clock of a zone. What no clock there shows is a wrong field: nothing is shifted
// behind somebody's back. Of a reading that comes twice it is the first.
func (c *Call) Moment(name string, zone *time.Location) (time.Time, error) {
	day, at, _ := strings.Cut(c.Value(name), "T")
	date, err := civil.ParseDate(day)
	if err != nil {
		return time.Time{}, fault.Invalid(name, "Choose a date and a time.")
	}
	if len(at) > len("15:04") { // some browsers send seconds
		at = at[:len("15:04")]
	}
	clock, err := civil.ParseClock(at)
	if err != nil {
		return time.Time{}, fault.Invalid(name, "Choose a date and a time.")
	}
	return Wall(name, date, clock, zone)
}

// Wall is the moment when the clock of a zone shows a time, for the field of that time: what no clock there shows is wrong.
func Wall(name string, date civil.Date, clock civil.Clock, zone *time.Location) (time.Time, error) {
	unix, gap := civil.Resolve(date, clock, zone)
	if gap {
		return time.Time{}, fault.Invalid(name, "The clocks go forward that day, and this time is skipped. Choose another one.")
	}
	return time.Unix(unix, 0).UTC(), nil
}

// Twice tells whether the clock of a zone shows the time of a moment once more afterwards, because it goes back.
func Twice(at time.Time, zone *time.Location) bool {
	for _, by := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if at.Add(by).In(zone).Format(WallMoment) == at.In(zone).Format(WallMoment) {
			return true
		}
	}
	return false
}
