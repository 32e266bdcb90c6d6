package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
)

// The size of a page of times.
const (
	TimesPage = 24  // a page is whole days, up to this many times (E55)
	timesRows = 200 // a first day with more than this is cut after all
)

// TimesInput chooses the times of one published offering: by id, or by location and slug when OfferingID is Nil. What
// follows After is asked of appointments and rentals only.
type TimesInput struct {
	OfferingID uuid.UUID
	LocationID uuid.UUID
	Slug       string
	From       Date      // the first day; zero or past: today
	After      time.Time // starts after this: Next of the page before; zero: from the first on

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
}

// Times is a page of the times of one offering.
type Times struct {
	Place Place
	Head  Head
	Days  []Day      // whole days, those that have something, in order
	Next  *time.Time // After of the next page; nil on the last page, and only there

	// Of appointments and rentals only:
	Lengths []catalog.Duration // to choose from, with the price of each; the first is the default
	Minutes int                // the length of these times
	Party   int                // the party they are for
	Members []Named            // who gives it, first choice first
	Spaces  []Named            // where it can be, first choice first
}

// Times returns when a published offering can be booked, page by page (E51 to E59). Following Next to the end visits every
// time once. An offering that the public does not see is not found.
//
// The dates of a class come in one round trip. A page is whole days and stops before the day that would take it past 24
// times; the first day is always whole. For appointments and rentals see slotTimes.
func (s *Service) Times(ctx context.Context, business uuid.UUID, in TimesInput) (Times, error) {
	var checks fault.Checks
	checkFrom(&checks, in.From)
	if err := checks.Err(); err != nil {
		return Times{}, err
	}
	if in.OfferingID == uuid.Nil && !catalog.ValidSlug(in.Slug) {
		return Times{}, fault.Missing()
	}
	v := s.db.View(business)
	after := v.Now()
	if in.After.After(after) {
		after = in.After
	}
	t, rows, ok, err := timesOf(ctx, v, in, after, timesRows+1)
	if err != nil {
		return Times{}, err
	}
	if !ok {
		return Times{}, fault.Missing()
	}
	if err := t.Place.settle(v.Now()); err != nil {
		return Times{}, err
	}
	if t.Head.Kind != catalog.Class {
		return s.slotTimes(ctx, v, t, in)
	}
	n := t.Place.page(rows)
	if n < len(rows) {
		last := rows[n-1].StartsAt
		t.Next = &last
	}
	t.Days = t.Place.days(rows[:n])
	return t, nil
}

// page is how many of the rows make one page. The last of more than timesRows rows is there only to say that more come.
func (p Place) page(rows []Session) int {
	n := 0
	for n < len(rows) {
		date := LocalDate(rows[n].StartsAt, p.clock)
		day := startingFrom(rows, p.startOf(date.AddDays(1)))
		if n > 0 && day > TimesPage {
			return n
		}
		n = day
	}
	if n <= timesRows {
		return n
	}
	// One day fills the read and may go on. The cursor is an instant, so the page ends between two.
	n--
	for n > 1 && rows[n-1].StartsAt.Equal(rows[n].StartsAt) {
		n--
	}
	return n
}
