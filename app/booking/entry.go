package booking

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
)

// The sizes of a page. A89: no list gives more than 200 rows.
const (
	PageDefault = 50
	PageMax     = 200
)

// StudioBooking is a booking with the names that the studio sees beside it.
type StudioBooking struct {
	Booking
	CustomerName  string // may be empty
	CustomerEmail string
	CustomerPhone string
	Kind          catalog.Kind
	OfferingName  string
	LocationName  string
	Zone          string // IANA: the wall clock of the times
	Instructor    string // empty: nobody is named
	Space         string // empty: none is named

	Dates []CourseDate // of a course, where one booking is asked for: all of its dates; nil otherwise
}

// StudioActions lists what the studio may do now without setting a rule aside. A course is cancelled from its next date on.
func (e StudioBooking) StudioActions(now time.Time, zone *time.Location) []Allowance {
	out := e.Booking.StudioActions(now, zone)
	if len(e.Dates) == 0 {
		return out
	}
	next := StandsFor(e.Dates, now)
	out = slices.DeleteFunc(out, func(a Allowance) bool { return a.Action == ActCancel })
	if next.State.Live() {
		b := e.Booking
		b.State, b.StartsAt, b.EndsAt = next.State, next.StartsAt, next.EndsAt
		a := b.cancelling()
		a.Until = time.Time{}
		out = append(out, a)
	}
	return out
}

// CustomerBooking is a booking as its customer sees it, wherever it is. A course is one: the booking of its next date, or of its last.
type CustomerBooking struct {
	Booking
	BusinessID   uuid.UUID
	BusinessName string
	LocationName string
	LocationSlug string
	Zone         string // IANA: the wall clock of the times
	Kind         catalog.Kind
	OfferingName string
	OfferingSlug string
	Instructor   string       // empty: nobody is named
	Space        string       // empty: none is named
	Dates        []CourseDate // of a course: all of its dates, in the order of their start; nil otherwise
}

// Key is where a page ended: lists of bookings are ordered by start and id, lists of one occurrence by making and id.
type Key struct {
	At time.Time
	ID uuid.UUID
}

// PageSize fills in the default; ok is false for a size that no page has.
func PageSize(limit int) (size int, ok bool) {
	if limit == 0 {
		return PageDefault, true
	}
	return limit, limit > 0 && limit <= PageMax
}

// Cut makes a page of rows that were read with one more than its size. Next is nil on the last page, and only there (A95).
func Cut[T any](rows []T, size int, key func(T) Key) (page []T, next *Key) {
	if len(rows) <= size {
		return rows, nil
	}
	k := key(rows[size-1])
	return rows[:size], &k
}

// Wall is the wall clock of the entry's location.
func (e StudioBooking) Wall() *time.Location { return civil.ZoneOrUTC(e.Zone) }
