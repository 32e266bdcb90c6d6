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
	unix, gap := civil.Resolve(date, clock, zone)
	if gap {
		return time.Time{}, fault.Invalid(name, "The clocks go forward that day, and this time is skipped. Choose another one.")
	}
	return time.Unix(unix, 0).UTC(), nil
}
