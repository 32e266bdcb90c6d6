package desk

import (
	"strings"
	"time"

	"foyer/app/civil"
	"foyer/app/fault"
)

// WallMoment is the format of a field of date and time: the value of <input type="datetime-local">.
const WallMoment = "2006-01-02T15:04"

// Moment returns a field of date and time in a zone. A time skipped by a clock change is an error at the field, not
// shifted silently. Of a time that occurs twice it is the first.
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

// Wall returns the instant of a wall-clock time in a zone, for the field of that time: a skipped time is an error.
func Wall(name string, date civil.Date, clock civil.Clock, zone *time.Location) (time.Time, error) {
	unix, gap := civil.Resolve(date, clock, zone)
	if gap {
		return time.Time{}, fault.Invalid(name, "The clocks go forward that day, and this time is skipped. Choose another one.")
	}
	return time.Unix(unix, 0).UTC(), nil
}

// Twice reports whether the wall-clock time of an instant occurs again afterwards, because clocks go back.
func Twice(at time.Time, zone *time.Location) bool {
	for _, by := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if at.Add(by).In(zone).Format(WallMoment) == at.In(zone).Format(WallMoment) {
			return true
		}
	}
	return false
}
