package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// moving is the rescheduling of a locked booking.
type moving struct {
	subject
	sc       tenancy.Scope
	target   Target
	staff    bool // by the studio
	override bool // and sets rules aside
	words    string
	silent   bool // the caller notifies the customer
}

func (m moving) move(ctx context.Context, tx *pg.Tx) (Rescheduled, error) {
	class := m.target.OccurrenceID != uuid.Nil
	if class != (m.Kind == catalog.Class) {
		return Rescheduled{}, fault.Invalid("occurrenceId", "Reschedule a class to another of its dates, and anything else to another time.")
	}
	was := m.Booking
	move := m.toDate
	if !class {
		move = m.toTime
	}
	out, err := move(ctx, tx)
	if err != nil {
		return Rescheduled{}, err
	}
	moved := was
	moved.StartsAt = out.StartsAt
	out.BookingID, out.FromOccurrenceID, out.FromStartsAt = was.ID, was.OccurrenceID, was.StartsAt
	out.Currency, out.PriceAmount = was.Currency, was.PriceAmount
	if m.silent {
		return out, nil
	}
	return out, tell(ctx, tx, moved, ToldRescheduled)
}

// toDate reschedules a booking of a class. Both dates are locked, together and in the order of their ids.
func (m moving) toDate(ctx context.Context, tx *pg.Tx) (Rescheduled, error) {
	to, err := m.lockTarget(ctx, tx)
	if err != nil {
		return Rescheduled{}, err
	}
	out := Rescheduled{OccurrenceID: to.ID, StartsAt: to.StartsAt, EndsAt: to.EndsAt, Overridden: []string{}}
	if to.Course() {
		if !m.override {
			return Rescheduled{}, about(NotCourse(to.OfferingID), to.ID)
		}
		to.PriceAmount, out.Overridden = nil, append(out.Overridden, OverCourse)
	}
	if out.DifferenceAmount, err = m.difference(to.PriceAmount); err != nil {
		return Rescheduled{}, err
	}
	if err := m.open(to, tx.Now(), &out); err != nil {
		return Rescheduled{}, err
	}
	if err := NoSeatYet(ctx, tx, m.CustomerID, m.Attendee, to.ID); err != nil {
		return Rescheduled{}, err
	}
	online := m.Online && to.room(m.Party, true)
	if !to.room(m.Party, online) || m.Online && !online && !m.staff {
		if !m.override {
			return Rescheduled{}, At(ErrFull, to.ID)
		}
		out.Overridden = append(out.Overridden, OverCapacity)
	}
	if err := takePlaces(ctx, tx, []taking{{to.ID, m.Party, online}}, m.override); err != nil {
		return Rescheduled{}, err
	}
	if err := freePlaces(ctx, tx, []subject{m.subject}); err != nil {
		return Rescheduled{}, err
	}
	if err := moveBooking(ctx, tx, m.Booking, to.ID, to.StartsAt, to.EndsAt, online, !m.staff); err != nil {
		return Rescheduled{}, err
	}
	return out, m.recorded(ctx, tx, m.OccurrenceID)
}

// lockTarget locks where the booking is and where it goes, and returns the latter.
func (m moving) lockTarget(ctx context.Context, tx *pg.Tx) (place, error) {
	places, err := lockPlaces(ctx, tx, m.sc.Person(), m.OccurrenceID, m.target.OccurrenceID)
	if err != nil {
		return place{}, err
	}
	to, found := places[m.target.OccurrenceID]
	switch {
	case !found:
		return place{}, fault.Missing()
	case to.OfferingID != m.OfferingID:
		return place{}, fault.Invalid("occurrenceId", "This date is for a different class. Cancel the booking and make a new one.")
	case to.ID == m.OccurrenceID:
		return place{}, At(ErrDuplicate.WithMessage("The booking is already at this time."), to.ID)
	}
	return to, nil
}

// difference returns the additional price of the new time. Customers cannot pay it here yet.
func (m moving) difference(price *int64) (int64, error) {
	if price == nil {
		return 0, nil
	}
	more := priceOf(m.Kind, price, m.Party) - m.PriceAmount
	if more > 0 && !m.staff {
		return more, ErrPriceDifference.With("difference", more)
	}
	return more, nil
}

// open checks whether the new date can be booked, seats aside. The rules are the booking's copy.
func (m moving) open(to place, now time.Time, out *Rescheduled) error {
	if !m.staff {
		return to.sold(now, m.Rules)
	}
	if err := to.takesPlace(); err != nil {
		return err
	}
	err := to.ahead(now, m.Rules)
	if err != nil && m.override {
		out.Overridden, err = append(out.Overridden, overridden(err)), nil
	}
	return err
}

// toTime reschedules an appointment or a rental: its occurrence keeps its id, and its people and spaces are claimed
// anew.
func (m moving) toTime(ctx context.Context, tx *pg.Tx) (Rescheduled, error) {
	minutes := m.target.Minutes
	if minutes == 0 {
		minutes = int(m.EndsAt.Sub(m.StartsAt) / time.Minute)
	}
	who := availability.Storefront
	if m.staff {
		who = availability.Audience{Staff: true, Override: m.override}
	}
	placed, err := availability.AssignTx(ctx, tx, []availability.SlotRequestAt{{
		OfferingID: m.OfferingID, StartsAt: m.target.StartsAt, Minutes: minutes, MemberID: m.target.MemberID,
		SpaceID: m.target.SpaceID, Party: m.Party, ExcludeOccurrence: m.OccurrenceID,
	}}, who)
	if err != nil {
		return Rescheduled{}, err
	}
	p := placed[0]
	out := Rescheduled{OccurrenceID: m.OccurrenceID, StartsAt: p.StartsAt, EndsAt: p.EndsAt, Overridden: []string{}}
	if m.override {
		out.Overridden = append(out.Overridden, OverRules)
	}
	if out.DifferenceAmount, err = m.difference(&p.PriceAmount); err != nil {
		return Rescheduled{}, err
	}
	if err := availability.ReplaceTx(ctx, tx, m.OccurrenceID, p); err != nil {
		return Rescheduled{}, err
	}
	if err := moveBooking(ctx, tx, m.Booking, m.OccurrenceID, p.StartsAt, p.EndsAt, m.Online, !m.staff); err != nil {
		return Rescheduled{}, err
	}
	return out, m.recorded(ctx, tx)
}

func (m moving) recorded(ctx context.Context, tx *pg.Tx, freed ...uuid.UUID) error {
	return recordTimes(ctx, tx, m.sc, TransitionReschedule, m.words, []subject{m.subject}, freed...)
}

// Rules that an override overrode, in Rescheduled and Made.
const (
	OverCapacity = "capacity" // it was full: the capacity of the date was raised
	OverStarted  = "started"  // the start had passed
	OverNotice   = "notice"   // too late by the policy
	OverWindow   = "window"   // too early by the policy
	OverRules    = "rules"    // the rules of appointments and rentals
	OverCourse   = "course"   // it is one date of a course
)

// overridden returns the name of the rule behind a refusal.
func overridden(err error) string {
	switch f := fault.From(err); {
	case f == nil:
		return OverRules
	case f.Is(ErrStarted):
		return OverStarted
	case f.Is(ErrTooLate):
		return OverNotice
	case f.Is(ErrTooEarly):
		return OverWindow
	}
	return OverRules
}

// Target is the destination of a rescheduling: another date of the class, another course, or another time of the
// appointment or rental.
type Target struct {
	CourseID     uuid.UUID // of a course: the other one
	OccurrenceID uuid.UUID // of a class
	StartsAt     time.Time // of an appointment or a rental
	Minutes      int       // 0: as long as before
	MemberID     *uuid.UUID
	SpaceID      *uuid.UUID
}

func (t Target) check(c *fault.Checks) {
	named := 0
	for _, is := range []bool{t.OccurrenceID != uuid.Nil, t.CourseID != uuid.Nil, !t.StartsAt.IsZero()} {
		if is {
			named++
		}
	}
	c.That(named == 1, "occurrenceId", "Name exactly one of: a date of the class, another course, a time.")
	c.That(t.Minutes >= 0 && t.Minutes <= catalog.MinutesMax, "minutes", "Use at most 1440.")
}

// Rescheduled is the result of rescheduling a booking. Payments stay as they are; a price difference is reported and
// not charged. It is the same in a dry run.
type Rescheduled struct {
	BookingID        uuid.UUID
	FromOccurrenceID uuid.UUID
	FromStartsAt     time.Time
	OccurrenceID     uuid.UUID
	StartsAt         time.Time
	EndsAt           time.Time
	Currency         money.Currency
	PriceAmount      int64 // price of the booking, unchanged
	DifferenceAmount int64 // additional price of the new time; negative: less
	Overridden       []string
	Others           []Rescheduled // of a recurring booking: those rescheduled with it, by their start
	Dates            []FreeDate    // of a course: its new dates; nil otherwise
}
