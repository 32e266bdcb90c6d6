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
	"foyer/billing"
)

// The size of a page of times.
const (
	TimesPage = 24  // a page is whole days, up to this many times (E55)
	timesRows = 200 // what one read brings of a class; a first day with more takes another
)

// TimesInput chooses the times of one published offering: by id, or by location and slug when OfferingID is Nil. What
// follows After is asked of appointments and rentals only.
type TimesInput struct {
	OfferingID uuid.UUID
	LocationID uuid.UUID
	Slug       string
	From       civil.Date // the first day; zero or past: today
	After      time.Time  // starts after this: Next of the page before; zero: from the first on

	Minutes           int        // one of the lengths; 0: the default one
	Party             int        // how many people; 0: the fewest that can book
	MemberID          *uuid.UUID // nil: anyone
	SpaceID           *uuid.UUID // nil: anywhere
	ExcludeOccurrence uuid.UUID  // a booking that is to be moved: what it takes is free; Nil: none
}

// Head is the offering of a page of times.
type Head struct {
	OfferingID      uuid.UUID
	Kind            catalog.Kind
	OfferingSlug    string
	OfferingName    string
	Description     string // plain text
	DurationMinutes int
	PriceAmount     int64 // minor units of the place's currency; 0 is free
	SoldAs          catalog.SoldAs
	catalog.Pricing
}

// Times is a page of the times of one offering.
type Times struct {
	Location Location
	Head     Head
	Days     []Day      // whole days, those that have something, in order
	Next     *time.Time // After of the next page; nil on the last page, and only there

	Course *Course // of a course: what joining it now is for; nil of anything else

	// Of appointments and rentals only:
	Lengths []catalog.Duration // to choose from, with the price of each; the first is the default
	Minutes int                // the length of these times
	Party   int                // the party they are for
	Members []catalog.Named    // who gives it, first choice first
	Spaces  []catalog.Named    // where it can be, first choice first
}

// ClassTimes reads a published offering with its place, and for a class a page of its dates (E51 to E59): package
// availability's Times, which computes the times of everything else. Following Next to the end visits every date once. An
// offering that the public does not see is not found.
//
// The dates of a class come in one round trip, those of a course in two. A page is whole days and stops before the day that
// would take it past 24 times; the first day is always whole, and one with more than 200 dates takes a trip more. cards is the processor's world, see Options. also adds further reads to the first trip.
func ClassTimes(ctx context.Context, v *pg.View, cards billing.Env, in TimesInput, also ...func(*pg.Batch)) (Times, error) {
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

// Beginning sets where a page of times begins, from what an address says: the first day, or the instant behind which it
// begins, which wins. What cannot be read, or is too far away, is as good as not there. Embeds and pages read their addresses
// with it, so that one can take over from the other (E58, E96).
func (in TimesInput) Beginning(from, after string) TimesInput {
	in.From, in.After = civil.Date{}, time.Time{}
	if at, err := ParseInstant(after); err == nil && at.Year() <= LastYear {
		in.After = at
	} else if d, err := civil.ParseDate(from); err == nil && d.Year <= LastYear {
		in.From = d
	}
	return in
}

// ParseInstant reads an instant as an address has it (After of TimesInput): RFC 3339, also when a form has made a space of
// its plus sign.
func ParseInstant(s string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, strings.Replace(s, " ", "+", 1))
	return at.UTC(), err
}

// Screen cuts what was read of computed times to a page as people see it: whole days, up to TimesPage times, the first day
// whole (E55). rest are the other days; those of a class come in pages that need no cut.
func (t Times) Screen() (shown, rest []Day) {
	n := 0
	for i, d := range t.Days {
		if n += len(d.Occurrences); i > 0 && n > TimesPage {
			return t.Days[:i], t.Days[i:]
		}
	}
	return t.Days, nil
}

// Following is After of the page behind Screen's; nil when that was all. Following it to the end visits every time once.
func (t Times) Following() *time.Time {
	_, rest := t.Screen()
	if len(rest) == 0 {
		return t.Next
	}
	at := t.Location.StartOf(rest[0].Date).Add(-time.Second)
	return &at
}

// goesOn tells whether the first day fills a read and may have more dates, and which day that is.
func (p Location) goesOn(rows []PublicOccurrence) (day civil.Date, more bool) {
	if len(rows) <= timesRows {
		return civil.Date{}, false
	}
	day = civil.LocalDate(rows[0].StartsAt, p.Loc)
	return day, civil.LocalDate(rows[len(rows)-1].StartsAt, p.Loc) == day
}

// page is how many of the rows make one page. What follows the page says that more come, and may be a day that is not whole.
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
