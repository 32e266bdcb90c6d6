package booking

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/schedule"
)

// place is an occurrence that a verb takes seats of, under its lock.
type place struct {
	ID, OfferingID, LocationID  uuid.UUID
	SeriesID                    *uuid.UUID // nil: the time of an appointment or a rental
	Kind                        catalog.Kind
	OfferingName                string
	OfferingState               catalog.State
	PriceAmount                 *int64
	Currency                    money.Currency
	Zone                        string
	State                       schedule.State
	StartsAt, EndsAt            time.Time
	Capacity, OnlineCapacity    int
	Taken, TakenOnline, Offered int
	Awaited                     bool // what is free belongs to the waitlist
	Closed                      bool // the location is archived
	Paused                      bool // the business takes no bookings online
	Own                         bool // the caller teaches it
	Course                      bool // it is booked with all dates of its offering
	Rules                       catalog.Rules
}

// room tells whether so many seats are left: of those sold online, or of all.
func (p place) room(seats int, online bool) bool {
	if p.Awaited || p.Taken+p.Offered+seats > p.Capacity {
		return false
	}
	return !online || p.TakenOnline+p.Offered+seats <= p.OnlineCapacity
}

// takesPlace tells whether there is a time to be booked at all, by anybody: nil, ErrCancelled or ErrNotBookable.
func (p place) takesPlace() error {
	switch {
	case p.State == schedule.Cancelled:
		return At(ErrCancelled, p.ID)
	case p.OfferingState == catalog.Archived || p.Closed:
		return At(ErrNotBookable.Say("This is archived."), p.ID)
	}
	return nil
}

// sold tells whether the storefront sells it, seats aside: takesPlace, and ErrNotBookable, ErrStarted, ErrTooLate,
// ErrTooEarly.
func (p place) sold(now time.Time, rules catalog.Rules) error {
	if err := p.takesPlace(); err != nil {
		return err
	}
	if p.OfferingState != catalog.Published || p.Paused {
		return At(ErrNotBookable, p.ID)
	}
	return p.ahead(now, rules)
}

// ahead tells whether it lies ahead, as far as the rules want: nil, ErrStarted, ErrTooLate or ErrTooEarly.
func (p place) ahead(now time.Time, rules catalog.Rules) error {
	if !now.Before(p.StartsAt) {
		return At(ErrStarted, p.ID)
	}
	return about(Opens(rules.NoticeMinutes, rules.WindowDays, p.StartsAt, now, zoneOrUTC(p.Zone)), p.ID)
}

func freeDates(places []place) []FreeDate {
	return each(places, func(p place) FreeDate { return FreeDate{p.ID, p.StartsAt} })
}
