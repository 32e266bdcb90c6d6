package booking

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/schedule"
)

// The errors of this package are a closed list: every 409 of its verbs carries one of these codes in details.reason.
// A74.

// Reasons why a seat is unavailable. Each carries details.occurrenceId; ErrFull of a course details.dates, too:
// every full date.
var (
	ErrFull        = fault.New(fault.Conflict, "full", "This time is full.")
	ErrStarted     = fault.New(fault.Conflict, "started", "This has already begun.")
	ErrNotBookable = fault.New(fault.Conflict, "not_bookable", "This cannot be booked online.")
	ErrCancelled   = fault.New(fault.Conflict, "cancelled", "The studio has cancelled this time.")
	ErrDuplicate   = fault.New(fault.Conflict, "duplicate", "This person is already booked at this time.")
)

// Reasons why a time is outside the rules. Each carries details.at, the deciding instant.
var (
	// ErrTooLate: the deadline has passed.
	ErrTooLate = fault.New(fault.Conflict, "too_late", "It is too late for this.")
	// ErrTooEarly: it is not possible yet.
	ErrTooEarly = fault.New(fault.Conflict, "too_early", "It is too early for this.")
)

// ErrCourse refuses to change a single date of a course if the change is possible for a whole course only.
// details.offeringId identifies the course.
var ErrCourse = fault.New(fault.Conflict, "course", "This date is part of a course, which is booked as a whole.")

// ErrCourseDiffers refuses to reschedule a course to one with another number of dates. details.dates is the number of
// upcoming dates of the other course, details.booked the number of booked ones.
var ErrCourseDiffers = fault.New(fault.Conflict, "course_differs", "The other course has another number of dates.")

// Reasons why a booking cannot be changed.
var (
	// ErrState: the booking is in a state that does not allow it. details.state is the state.
	ErrState = fault.New(fault.Conflict, "state", "This booking can no longer be changed in this way.")
	// ErrNotAllowed: the studio's rules do not let customers do it themselves.
	ErrNotAllowed = fault.New(fault.Conflict, "not_allowed", "The studio's rules do not allow this. Ask the studio.")
	// ErrPriceDifference: the new time, or the larger party, costs more, and the difference cannot be paid here.
	// details.difference is the amount.
	ErrPriceDifference = fault.New(fault.Conflict, "price_difference", "The new time costs more. Ask the studio to reschedule the booking.")
	// ErrClashes: some of the dates of a recurring booking cannot be booked. details.clashes lists them.
	ErrClashes = fault.New(fault.Conflict, "clashes", "Some of the dates cannot be booked.")
)

// Reasons why a hold is refused.
var (
	// ErrTooManyHolds limits the holds of one person.
	ErrTooManyHolds = fault.New(fault.Conflict, "too_many_holds", "You are already holding spots at other times. Finish or release one of those bookings first.")
	// ErrHoldExpired: the hold has expired or was released.
	ErrHoldExpired = fault.New(fault.Conflict, "hold_expired", "Your hold has expired: the spots are no longer reserved for you.")
	// ErrPaymentStarted: the seat has a payment in progress and cannot be released.
	ErrPaymentStarted = fault.New(fault.Conflict, "payment_started", "A payment for this is in progress.")
)

// Reasons lists the codes above, for the document of the API.
var Reasons = []string{
	ErrFull.Reason, ErrStarted.Reason, ErrNotBookable.Reason, ErrCancelled.Reason, ErrDuplicate.Reason, ErrTooLate.Reason,
	ErrTooEarly.Reason, ErrState.Reason, ErrNotAllowed.Reason, ErrPriceDifference.Reason, fault.ErrStale.Reason, ErrClashes.Reason,
	ErrCourse.Reason, ErrCourseDiffers.Reason, fees.ErrNotDue.Reason, ErrTooManyHolds.Reason, ErrHoldExpired.Reason, ErrPaymentStarted.Reason,
}

// At adds the id of an occurrence to a refusal.
func At(e *fault.Error, occurrence uuid.UUID) error {
	return e.With("occurrenceId", occurrence.String())
}

// WrongState returns ErrState for a booking in state s.
func WrongState(s State) error { return ErrState.With("state", string(s)) }

// about is a refusal with the occurrence it is about; nil stays nil.
func about(err error, occurrence uuid.UUID) error {
	if e := fault.From(err); e != nil && e.Kind != fault.Internal { // the log of an outage would lose its cause
		return At(e, occurrence)
	}
	return err
}

// FreeDate is an available date, where others are not.
type FreeDate struct {
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	StartsAt     time.Time `json:"startsAt"`
}

// NotCourse returns ErrCourse for an offering.
func NotCourse(offering uuid.UUID) *fault.Error {
	return ErrCourse.With("offeringId", offering.String())
}

// fullDates names the dates of a course that have no room.
func fullDates(dates []FreeDate) error {
	err := At(ErrFull, dates[0].OccurrenceID)
	return fault.From(err).With("dates", dates)
}

// Bookable reports whether the storefront sells this date, without the facts of one customer: nil, ErrStarted,
// ErrCancelled or ErrNotBookable, with details.occurrenceId. The time of a customer's appointment or rental is not a
// date.
func Bookable(d schedule.Detail, now time.Time) error {
	o := d.Sold(now)
	if o == "" && d.Kind != catalog.Class {
		o = schedule.ObstacleNotOnSale
	}
	return Refused(o, d.ID, d.OfferingID)
}

// refused returns the refusal of an Ask at an occurrence, seats aside, or nil.
func refused(f schedule.Facts, ask schedule.Query, r catalog.Rules, now time.Time, occurrence, offering uuid.UUID) error {
	switch o := f.Open(ask, r, now); o {
	case schedule.ObstacleTooLate, schedule.ObstacleTooEarly:
		return about(Opens(r, f.StartsAt, now, civil.ZoneOrUTC(f.Zone)), occurrence)
	default:
		return Refused(o, occurrence, offering)
	}
}

// Refused returns the error for an obstacle; nil for none.
func Refused(o schedule.Obstacle, occurrence, offering uuid.UUID) error {
	switch o {
	case "":
		return nil
	case schedule.ObstacleCancelled:
		return At(ErrCancelled, occurrence)
	case schedule.ObstacleBegun:
		return At(ErrStarted, occurrence)
	case schedule.ObstaclePaused:
		return At(ErrNotBookable.WithMessage("The studio is not taking bookings right now."), occurrence)
	case schedule.ObstaclePayment:
		return At(ErrNotBookable.WithMessage("The studio cannot take payments for this yet."), occurrence)
	case schedule.ObstacleWholly:
		return about(NotCourse(offering), occurrence)
	case schedule.ObstacleNoCourse:
		return At(ErrNotBookable.WithMessage("This is no longer a course."), occurrence)
	case schedule.ObstacleTooLate:
		return At(bookSooner, occurrence)
	case schedule.ObstacleTooEarly:
		return At(bookLater, occurrence)
	case schedule.ObstacleFull:
		return At(ErrFull, occurrence)
	}
	return At(ErrNotBookable, occurrence)
}

var (
	bookSooner = ErrTooLate.WithMessage("This has to be booked earlier.")
	bookLater  = ErrTooEarly.WithMessage("This cannot be booked yet.")
)

// Opens reports whether rules allow a booking now for that start: nil, ErrTooLate or ErrTooEarly with details.at, the
// instant until or from which it can be booked.
func Opens(r catalog.Rules, start, now time.Time, zone *time.Location) error {
	switch o, at := schedule.Opens(r, start, now, zone); o {
	case schedule.ObstacleTooLate:
		return bookSooner.With("at", at)
	case schedule.ObstacleTooEarly:
		return bookLater.With("at", at)
	}
	return nil
}
