package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
)

// Detail is an occurrence with what a booking of it must know: what it is, what it costs, where it is.
type Detail struct {
	ID         uuid.UUID
	SeriesID   uuid.UUID  // Nil: of an appointment or a rental
	LocalDate  civil.Date // on the location's wall clock
	StartsAt   time.Time
	EndsAt     time.Time
	State      State
	MemberID   *uuid.UUID
	Instructor string // empty: nobody is named
	SpaceID    *uuid.UUID
	Space      string // empty: none is named
	Seats
	Version int64

	OfferingID    uuid.UUID
	OfferingName  string
	OfferingSlug  string
	OfferingState catalog.State
	Kind          catalog.Kind
	Enrolment     catalog.Enrolment
	PriceAmount   *int64     // minor units of Currency; nil only for a draft
	TaxRateID     *uuid.UUID // nil: untaxed
	TaxName       string
	TaxPPM        int // parts per million: 8.25 % is 82500

	LocationID       uuid.UUID
	LocationName     string
	LocationSlug     string
	LocationArchived bool
	Zone             string // IANA name
	Currency         money.Currency
	TaxMode          business.TaxMode
	BusinessName     string
	BusinessStatus   business.Status
}

// Public reports whether the public sees the occurrence: it takes place, has not begun, and what it belongs to is published.
func (d Detail) Public(now time.Time) bool {
	return d.OfferingState == catalog.Published && !d.LocationArchived && d.BusinessStatus != business.Closed &&
		d.State == Scheduled && d.StartsAt.After(now)
}

// Bookable reports whether the public may take a seat now, if one is left: it is public, and the business is not paused
// (E48).
func (d Detail) Bookable(now time.Time) bool {
	return d.Public(now) && d.BusinessStatus == business.Active
}

// Course reports whether the occurrence is a date of a course, which is booked with all its dates.
func (d Detail) Course() bool { return d.Enrolment == catalog.BySeries }

// OccurrenceOf returns one occurrence in any state; an unknown id is not found.
func OccurrenceOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Detail, error) {
	list, err := OccurrencesOf(ctx, r, []uuid.UUID{id})
	if err == nil && len(list) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return Detail{}, err
	}
	return list[0], nil
}
