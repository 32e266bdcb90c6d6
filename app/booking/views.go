package booking

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
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

// zoneOrUTC is a location's zone. It was checked when it was saved; should it be unknown all the same, UTC is better than
// no answer.
func zoneOrUTC(name string) *time.Location {
	zone, err := civil.LoadZone(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Wall is the wall clock of the booking's location.
func (b StudioBooking) Wall() *time.Location { return zoneOrUTC(b.Zone) }
