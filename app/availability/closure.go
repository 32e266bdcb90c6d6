package availability

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/schedule"
)

// Closure is days on which a location is closed, or has hours of its own. Its name is shown to the public.
type Closure struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	Name       string
	StartsOn   civil.Date
	EndsOn     civil.Date     // the last day
	Hours      []SpecialHours // of each of the days, in order; none: closed
	CreatedAt  time.Time
}

// SpecialHours is a time of a day at which a location is open although it has a closure, on its wall clock. Opens and
// Closes are minutes after midnight; 1440 is the end of the day.
type SpecialHours struct {
	Opens  int `json:"opens"`
	Closes int `json:"closes"`
}

// The bounds of closures.
const (
	ClosureMaxDays  = 366
	ClosureMaxHours = 10 // intervals of a day
)

// ErrClosureOverlaps refuses a closure on a day that has one. details has its id, name, startsOn and endsOn.
var ErrClosureOverlaps = fault.New(fault.Conflict, "closure_overlaps", "There is a closure on one of these days. Remove it first.")

// ClosureInput is a new closure.
type ClosureInput struct {
	LocationID       uuid.UUID
	Name             string
	StartsOn, EndsOn civil.Date
	Hours            []SpecialHours // none: closed
}

// Validate trims and checks the input, as far as it goes without knowing the location's date.
func (in *ClosureInput) Validate() error {
	var c fault.Checks
	in.Name = strings.TrimSpace(in.Name)
	c.That(in.Name != "", "name", "Give it a name that people understand, like Christmas.")
	checkNote(&c, "name", in.Name)
	c.That(in.StartsOn.Valid(), "startsOn", "This date does not exist.")
	c.That(in.EndsOn.Valid(), "endsOn", "This date does not exist.")
	c.That(!in.EndsOn.Before(in.StartsOn), "endsOn", "The last day must not be before the first.")
	c.That(in.StartsOn.DaysUntil(in.EndsOn) < ClosureMaxDays, "endsOn", fmt.Sprintf("Use at most %d days.", ClosureMaxDays))
	c.That(len(in.Hours) <= ClosureMaxHours, "hours", fmt.Sprintf("Use at most %d intervals.", ClosureMaxHours))
	in.Hours = slices.Clone(in.Hours)
	for i, h := range in.Hours {
		at := fmt.Sprintf("hours[%d]", i)
		c.That(h.Opens >= 0 && h.Opens < 24*60, at+".opens", "This is no time of the day.")
		c.That(h.Closes > h.Opens && h.Closes <= 24*60, at+".closes", "Close after opening, and by midnight at the latest.")
		for _, before := range in.Hours[:i] {
			c.That(h.Opens >= before.Closes || before.Opens >= h.Closes, at+".opens", "This overlaps another time of the day.")
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	slices.SortFunc(in.Hours, func(a, b SpecialHours) int { return cmp.Compare(a.Opens, b.Opens) })
	return nil
}

// checkDays checks the days against the location's date.
func (in ClosureInput) checkDays(today civil.Date) error {
	var c fault.Checks
	c.That(!in.EndsOn.Before(today), "endsOn", "This is over already.")
	c.That(today.DaysUntil(in.StartsOn) <= schedule.StartMaxDays, "startsOn", "Use a first day within two years.")
	return c.Err()
}

// leavesOpen tells whether something may take place in spite of the closure: wholly inside its special hours, on the
// wall clock in loc. Intervals that touch are one, over midnight too; outside the closure's days it says no more than
// that those are open.
func (c Closure) leavesOpen(from, to time.Time, loc *time.Location) bool {
	at := from
	for d := civil.LocalDate(from, loc).AddDays(-1); at.Before(to); d = d.AddDays(1) {
		start, end := civil.DayBounds(d, loc)
		if !start.Before(to) {
			return false
		}
		if d.Before(c.StartsOn) || d.After(c.EndsOn) {
			if !start.After(at) && end.After(at) {
				at = end
			}
			continue
		}
		for _, h := range c.Hours {
			opens, closes := wallSpan(d, h, loc)
			if !opens.After(at) && closes.After(at) {
				at = closes
			}
		}
	}
	return true
}

// wallSpan is the instants between which special hours are on a date; 24:00 is the end of the day, whatever its length.
func wallSpan(d civil.Date, h SpecialHours, loc *time.Location) (opens, closes time.Time) {
	_, closes = civil.DayBounds(d, loc)
	if h.Closes < 24*60 {
		closes = civil.Instant(d, civil.Clock(h.Closes), loc)
	}
	return civil.Instant(d, civil.Clock(h.Opens), loc), closes
}
