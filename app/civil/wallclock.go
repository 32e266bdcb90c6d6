package civil

import (
	"iter"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"foyer/app/fault"
)

// A zone's wall clock runs ahead of or behind UTC by an offset, and now and then the offset changes. When it grows,
// the wall clock jumps and the times between do not exist: a gap. When it shrinks, an hour is shown twice: a fold.
// time.Date guarantees neither the side of a gap nor one of the two times, so nothing here uses it.

// Reach is further than any zone is from UTC (the widest since 1970 are -12:00 and +14:00; local mean times stayed
// under 16 hours). The offset in force at a wall clock reading is therefore one of those in force this long before
// and after the same reading in UTC. No zone changes its offset twice within that span; a test checks all of them.
const Reach = 16 * 60 * 60

// Instant returns the moment, in UTC, when the wall clock in loc shows at on date. In a gap it is later by the length
// of the gap: 02:30 in a gap from 02:00 to 03:00 is 03:30. A time that comes twice is the first one. This is the rule
// that Temporal calls "compatible" and RFC 5545 prescribes.
func Instant(date Date, at Clock, loc *time.Location) time.Time {
	unix, _ := Resolve(date, at, loc)
	return time.Unix(unix, 0).UTC()
}

// Resolve returns the instant of a wall clock reading as Unix seconds, and whether the reading lies in a gap.
func Resolve(date Date, at Clock, loc *time.Location) (unix int64, gap bool) {
	wall := date.Utc().Unix() + int64(at)*60
	before, after := OffsetAt(wall-Reach, loc), OffsetAt(wall+Reach, loc)
	// The offset before a change goes first: in a fold it gives the earlier instant.
	for _, offset := range []int64{before, after} {
		if OffsetAt(wall-offset, loc) == offset {
			return wall - offset, false
		}
	}
	return wall - before, true
}

// OffsetAt returns the seconds by which the wall clock in loc is ahead of UTC at an instant.
func OffsetAt(unix int64, loc *time.Location) int64 {
	_, offset := time.Unix(unix, 0).In(loc).Zone()
	return int64(offset)
}

// DayBounds returns the instants, in UTC, at which date begins and ends in loc: start belongs to the day, end to the
// next one. A day has 23, 24 or 25 hours, and where midnight falls into a gap it begins at the end of the gap. A day
// that a zone skipped (Apia, 30 December 2011) is empty: start equals end.
func DayBounds(date Date, loc *time.Location) (start, end time.Time) {
	return StartOfDay(date, loc), StartOfDay(date.AddDays(1), loc)
}

// StartOfDay returns the first instant of a date in a time zone.
func StartOfDay(date Date, loc *time.Location) time.Time {
	unix, gap := Resolve(date, 0, loc)
	if gap { // midnight is not shown: the day begins at the jump itself
		unix = JumpBefore(unix, loc)
	}
	return time.Unix(unix, 0).UTC()
}

// JumpBefore returns the moment of the jump over the gap of a reading for which resolve gave this instant: the change
// of the offset.
func JumpBefore(unix int64, loc *time.Location) int64 {
	low := unix - Reach
	was := OffsetAt(low, loc)
	return low + int64(sort.Search(2*Reach, func(i int) bool { return OffsetAt(low+int64(i), loc) != was }))
}

// LocalDate returns the date in loc at an instant.
func LocalDate(instant time.Time, loc *time.Location) Date { return DateOf(instant.In(loc)) }

// LocalClock returns the time of day on the wall clock in loc at an instant; seconds are cut off.
func LocalClock(instant time.Time, loc *time.Location) Clock { return clockOf(instant.In(loc)) }

// ByDay groups items in the order of their start by their date in loc. The groups share the array.
func ByDay[T any](list []T, loc *time.Location, start func(T) time.Time) iter.Seq2[Date, []T] {
	return func(yield func(Date, []T) bool) {
		for rest := list; len(rest) > 0; {
			date := LocalDate(start(rest[0]), loc)
			end := StartOfDay(date.AddDays(1), loc)
			n := slices.IndexFunc(rest, func(x T) bool { return !start(x).Before(end) })
			if n < 0 {
				n = len(rest)
			}
			if !yield(date, rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// ErrUnknownZone is the error for a time zone that is not in the IANA list. It carries the name in details.timeZone.
var ErrUnknownZone = fault.New(fault.Validation, "unknown_time_zone", "There is no such time zone. Use a name such as Europe/Lisbon.")

var (
	zoneName = regexp.MustCompile(`^[A-Z][A-Za-z0-9+_-]*(/[A-Za-z0-9+_-]+)*$`)
	zones    sync.Map // name → *time.Location; only names that exist get in, so it stays small
)

// LoadZone returns the time zone of an IANA name such as America/New_York, from memory after the first time. "Local",
// the empty name, the machine's own files and anything like a path are refused: a zone must mean the same on every
// machine.
func LoadZone(name string) (*time.Location, error) {
	if loc, ok := zones.Load(name); ok {
		return loc.(*time.Location), nil
	}
	if len(name) > 64 || !zoneName.MatchString(name) || name == "Local" || name == "Factory" {
		return nil, ErrUnknownZone.With("timeZone", strings.ToValidUTF8(name, "?"))
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, ErrUnknownZone.With("timeZone", name)
	}
	zones.Store(name, loc)
	return loc, nil
}

// ZoneOrUTC returns a location's zone. It was checked when it was saved; should it be unknown all the same, UTC is
// better than no answer.
func ZoneOrUTC(name string) *time.Location {
	loc, err := LoadZone(name)
	if err != nil {
		return time.UTC
	}
	return loc
}
