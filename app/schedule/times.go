package schedule

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// The size of a page of times.
const (
	TimesPage = 24  // a page is whole days, up to this many times (E55)
	timesRows = 200 // rows of one read of a class; a first day with more needs another
)

// TimesInput chooses the times of one published offering: by id, or by location and slug when OfferingID is Nil. The
// fields below After are for appointments and rentals only.
type TimesInput struct {
	OfferingID uuid.UUID
	LocationID uuid.UUID
	Slug       string
	From       civil.Date // the first day; zero or past: today
	After      time.Time  // starts after this: Next of the page before; zero: from the first on

	Minutes           int        // one of the lengths; 0: the default one
	Party             int        // number of people; 0: the minimum of a booking
	MemberID          *uuid.UUID // nil: anyone
	SpaceID           *uuid.UUID // nil: anywhere
	ExcludeOccurrence uuid.UUID  // a booking to reschedule, counted as free; Nil: none
}

// Head is the offering of a page of times.
type Head struct {
	OfferingID      uuid.UUID
	Kind            catalog.Kind
	OfferingSlug    string
	OfferingName    string
	Description     string // plain text
	DurationMinutes int
	PriceAmount     int64 // minor units of the location's currency; 0 is free
	SoldAs          catalog.SoldAs
	catalog.Pricing
}

// Times is a page of the times of one offering.
type Times struct {
	Location Location
	Head     Head
	Days     []Day      // whole days, those with times, in order
	Next     *time.Time // After of the next page; nil on the last page, and only there

	Course *Course // of a course: the dates of joining it now; nil otherwise

	// Of appointments and rentals only:
	Lengths []catalog.Duration // to choose from, with the price of each; the first is the default
	Minutes int                // the length of these times
	Party   int                // the party they are for
	Members []catalog.Named    // its instructors, first choice first
	Spaces  []catalog.Named    // its spaces, first choice first
}

// ClassTimes reads a published offering with its location, and for a class a page of its dates (E51 to E59): package
// availability's Times, which computes the times of everything else. Following Next to the end visits every date
// once. An offering that is not public is not found.
//
// The dates of a class come in one round trip, those of a course in two. A page is whole days and stops before the
// day that would exceed 24 times; the first day is always whole, and one with more than 200 dates needs a trip more.
// cards is the processor's environment, see Options. also adds further reads to the first trip.
func ClassTimes(ctx context.Context, v *pg.View, cards processor.Env, in TimesInput, also ...func(*pg.Batch)) (Times, error) {
	var checks fault.Checks
	checkFrom(&checks, in.From)
	if err := checks.Err(); err != nil {
		return Times{}, err
	}
	if in.OfferingID == uuid.Nil && !catalog.ValidSlug(in.Slug) {
		return Times{}, fault.Missing()
	}
	after := v.Now()
	if in.After.After(after) {
		after = in.After
	}
	read, ok, err := timesOf(ctx, v, cards, in, after, timesRows+1, also)
	if err != nil {
		return Times{}, err
	}
	if !ok {
		return Times{}, fault.Missing()
	}
	t, rows := read.Times, read.rows
	t.Location.settle(v.Now())
	if t.Head.Kind != catalog.Class {
		return t, nil
	}
	if t.Course != nil {
		if *t.Course, err = CourseInShort(ctx, v, t.Head.OfferingID); err != nil {
			return Times{}, err
		}
	}
	if day, more := t.Location.goesOn(rows); more {
		if rows, err = restOfDay(ctx, v, read, t.Location.StartOf(day.AddDays(1))); err != nil {
			return Times{}, err
		}
	}
	n := t.Location.page(rows)
	if n < len(rows) {
		last := rows[n-1].StartsAt
		t.Next = &last
	}
	t.Days = t.Location.days(rows[:n])
	return t, nil
}

// Beginning sets the beginning of a page of times from the parameters of an address: the first day, or the instant
// behind which it begins, which takes precedence. An invalid or too distant value is ignored. Embeds and pages parse
// their addresses with it, so that one can continue the other (E58, E96).
func (in TimesInput) Beginning(from, after string) TimesInput {
	in.From, in.After = civil.Date{}, time.Time{}
	if at, err := ParseInstant(after); err == nil && at.Year() <= LastYear {
		in.After = at
	} else if d, err := civil.ParseDate(from); err == nil && d.Year <= LastYear {
		in.From = d
	}
	return in
}

// ParseInstant parses an instant of an address (After of TimesInput): RFC 3339, also with a space in place of its
// plus sign, as forms make it.
func ParseInstant(s string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, strings.Replace(s, " ", "+", 1))
	return at.UTC(), err
}

// Screen cuts computed times to a page: whole days, up to TimesPage times, the first day whole (E55). rest are the
// other days; those of a class come in pages that need no cut.
func (t Times) Screen() (shown, rest []Day) {
	n := 0
	for i, d := range t.Days {
		if n += len(d.Occurrences); i > 0 && n > TimesPage {
			return t.Days[:i], t.Days[i:]
		}
	}
	return t.Days, nil
}

// Following returns After of the page behind Screen's; nil after the last one. Following it to the end visits every
// time once.
func (t Times) Following() *time.Time {
	_, rest := t.Screen()
	if len(rest) == 0 {
		return t.Next
	}
	at := t.Location.StartOf(rest[0].Date).Add(-time.Second)
	return &at
}

// goesOn reports whether the first day fills a read and may have more dates, and returns that day.
func (p Location) goesOn(rows []PublicOccurrence) (day civil.Date, more bool) {
	if len(rows) <= timesRows {
		return civil.Date{}, false
	}
	day = civil.LocalDate(rows[0].StartsAt, p.Loc)
	return day, civil.LocalDate(rows[len(rows)-1].StartsAt, p.Loc) == day
}

// page returns the number of rows that make one page. The row after the page proves that there are more, and its day
// may be incomplete.
func (p Location) page(rows []PublicOccurrence) int {
	n := 0
	for n < len(rows) {
		date := civil.LocalDate(rows[n].StartsAt, p.Loc)
		day := startingFrom(rows, p.StartOf(date.AddDays(1)))
		if n > 0 && day > TimesPage {
			return n
		}
		n = day
	}
	return n
}
