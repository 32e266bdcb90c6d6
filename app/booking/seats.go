package booking

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/schedule"
)

// place is an occurrence under the lock of a verb that occupies its seats.
type place struct {
	ID, OfferingID, LocationID uuid.UUID
	OfferingName               string
	PriceAmount                *int64
	Currency                   money.Currency
	EndsAt                     time.Time
	schedule.Facts
	Awaited bool // the available seats belong to the waitlist
	Own     bool // the caller is the instructor
	Rules   catalog.Rules
}

// room reports whether so many seats are available: of those sold online, or of all.
func (p place) room(seats int, online bool) bool { return !p.Awaited && p.Room(seats, online) }

// takesPlace checks whether the time can be booked at all: nil, ErrCancelled or ErrNotBookable.
func (p place) takesPlace() error {
	switch {
	case p.State == schedule.Cancelled:
		return At(ErrCancelled, p.ID)
	case p.OfferingState == catalog.Archived || p.LocationArchived:
		return At(ErrNotBookable.WithMessage("This is archived."), p.ID)
	case p.BusinessStatus == business.Closed:
		return At(ErrNotBookable.WithMessage(business.ErrClosed.Message), p.ID)
	}
	return nil
}

// sold checks whether the storefront sells it, seats aside: takesPlace, and ErrNotBookable, ErrStarted, ErrTooLate,
// ErrTooEarly.
func (p place) sold(now time.Time, rules catalog.Rules) error {
	if err := p.takesPlace(); err != nil {
		return err
	}
	return refused(p.Facts, schedule.Query{Course: p.Course()}, rules, now, p.ID, p.OfferingID)
}

// ahead checks whether it is upcoming, within the rules: nil, ErrStarted, ErrTooLate or ErrTooEarly.
func (p place) ahead(now time.Time, rules catalog.Rules) error {
	if !now.Before(p.StartsAt) {
		return At(ErrStarted, p.ID)
	}
	return about(Opens(rules, p.StartsAt, now, civil.ZoneOrUTC(p.Zone)), p.ID)
}

func freeDates(places []place) []FreeDate {
	return each(places, func(p place) FreeDate { return FreeDate{p.ID, p.StartsAt} })
}
