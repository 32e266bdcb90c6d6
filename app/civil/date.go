package civil

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Date is a day of the calendar without a time zone, as printed on a timetable. Dates compare with ==. The zero Date
// is no date; use *Date where a date may be missing. Years run from 1 to 9999. JSON, text and Postgres write
// 2026-03-08.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// NewDate returns a day of the calendar, unchecked; Valid reports whether it exists.
func NewDate(year int, month time.Month, day int) Date { return Date{year, month, day} }

// ErrDate is the error for text that is no date of the calendar.
var ErrDate = errors.New("civil: a date is written 2026-03-08 and must exist")

// ParseDate parses "2026-03-08", and nothing looser.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if d := DateOf(t); err == nil && d.Valid() {
		return d, nil
	}
	return Date{}, fmt.Errorf("%w: %q", ErrDate, s)
}

// DateOf returns the date of t in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// Utc returns midnight of d in UTC, where every day has 24 hours: safe for arithmetic, and for nothing else.
func (d Date) Utc() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// Valid reports whether the calendar has this date.
func (d Date) Valid() bool { return d.Year >= 1 && d.Year <= 9999 && DateOf(d.Utc()) == d }

// IsZero reports whether d is the zero Date.
func (d Date) IsZero() bool { return d == Date{} }

// String returns the date as 2026-03-08.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day) }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.Utc().Weekday() }

// AddDays returns the date n days later, or earlier when n is negative.
func (d Date) AddDays(n int) Date { return DateOf(d.Utc().AddDate(0, 0, n)) }

// DaysUntil returns the number of days from d to other: 1 for tomorrow, negative for the past.
func (d Date) DaysUntil(other Date) int {
	return int((other.Utc().Unix() - d.Utc().Unix()) / SecondsPerDay)
}

// SecondsPerDay is the length of a day without a change of the clock.
const SecondsPerDay = 24 * 60 * 60

// Compare returns -1, 0 or +1 when d is before, on or after other.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// Before reports whether d is an earlier day than other.
func (d Date) Before(other Date) bool { return d.Compare(other) < 0 }

// After reports whether d is a later day than other.
func (d Date) After(other Date) bool { return d.Compare(other) > 0 }

// Days yields every date from first to last, both included; nothing when last is before first.
func Days(first, last Date) iter.Seq[Date] {
	return func(yield func(Date) bool) {
		for d := first; !d.After(last) && yield(d); {
			d = d.AddDays(1)
		}
	}
}

// MarshalText returns the date as 2026-03-08, for JSON too. A date that does not exist is an error.
func (d Date) MarshalText() ([]byte, error) {
	if !d.Valid() {
		return nil, fmt.Errorf("%w: %s", ErrDate, d)
	}
	return []byte(d.String()), nil
}

// UnmarshalText parses the output of MarshalText.
func (d *Date) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDate(string(text))
	return err
}

// Value returns the date as text for Postgres: a time.Time would go through a zone on its way.
func (d Date) Value() (driver.Value, error) {
	text, err := d.MarshalText()
	return string(text), err
}

// Scan reads a Postgres date, which drivers return as text or as midnight UTC. NULL is an error: scan into *Date.
func (d *Date) Scan(src any) (err error) {
	switch v := src.(type) {
	case string:
		*d, err = ParseDate(v)
	case []byte:
		*d, err = ParseDate(string(v))
	case time.Time:
		*d = DateOf(v)
	default:
		err = fmt.Errorf("civil: cannot read a date from %T", src)
	}
	return err
}

// Clock is a time of day on the wall clock: whole minutes since midnight, 0 to 1439. Text and JSON write 09:30;
// Postgres stores the number.
type Clock int

// ClockMax is 23:59.
const ClockMax Clock = 24*60 - 1

// ErrClock is the error for text that is no time of day.
var ErrClock = errors.New("civil: a time of day is written 09:30, from 00:00 to 23:59")

// NewClock returns the time of day at hour and minute.
func NewClock(hour, minute int) Clock { return Clock(hour*60 + minute) }

// ParseClock parses "09:30": two digits, a colon, two digits.
func ParseClock(s string) (Clock, error) {
	if t, err := time.Parse("15:04", s); err == nil && len(s) == len("15:04") {
		return clockOf(t), nil
	}
	return 0, fmt.Errorf("%w: %q", ErrClock, s)
}

// clockOf is the time of day that t shows in its own zone; seconds are cut off.
func clockOf(t time.Time) Clock { return NewClock(t.Hour(), t.Minute()) }

// Valid reports whether c is a minute of a day.
func (c Clock) Valid() bool { return c >= 0 && c <= ClockMax }

// String returns the time as 09:30.
func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

// MarshalText returns the time as 09:30, for JSON too. A number that is no minute of a day is an error.
func (c Clock) MarshalText() ([]byte, error) {
	if !c.Valid() {
		return nil, fmt.Errorf("%w: %d minutes", ErrClock, int(c))
	}
	return []byte(c.String()), nil
}

// UnmarshalText parses the output of MarshalText.
func (c *Clock) UnmarshalText(text []byte) (err error) {
	*c, err = ParseClock(string(text))
	return err
}
