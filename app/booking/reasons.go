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

// The refusals of this package are a closed list: every 409 of its verbs carries one of these codes in details.reason.
// A74.

// Why a seat cannot be had. Each carries details.occurrenceId; ErrFull of a course details.dates, too: every date that is full.
var (
	ErrFull        = fault.New(fault.Conflict, "full", "This time is full.")
	ErrStarted     = fault.New(fault.Conflict, "started", "This has already begun.")
	ErrNotBookable = fault.New(fault.Conflict, "not_bookable", "This cannot be booked online.")
	ErrCancelled   = fault.New(fault.Conflict, "cancelled", "The studio has cancelled this time.")
	ErrDuplicate   = fault.New(fault.Conflict, "duplicate", "This person is already booked at this time.")
)

// Why a time is outside of what the rules allow. Each carries details.at, the instant that decides.
var (
	// ErrTooLate: the last moment for this has passed.
	ErrTooLate = fault.New(fault.Conflict, "too_late", "It is too late for this.")
	// ErrTooEarly: the first moment for this has not come.
	ErrTooEarly = fault.New(fault.Conflict, "too_early", "It is too early for this.")
)

// ErrCourse refuses to change a single date of a course if the change is possible for a whole course only.
// details.offeringId identifies the course.
var ErrCourse = fault.New(fault.Conflict, "course", "This is a date of a course, which is booked with all its dates.")

// ErrCourseDiffers refuses to reschedule a course to one with another number of dates. details.dates is the number of
// upcoming dates of the other course, details.booked the number of booked ones.
var ErrCourseDiffers = fault.New(fault.Conflict, "course_differs", "The other course has another number of dates.")

// Why a booking cannot be changed.
var (
	// ErrState: the booking is in a state that does not allow it. details.state is the state.
	ErrState = fault.New(fault.Conflict, "state", "This booking cannot be changed like that any more.")
	// ErrNotAllowed: the studio's rules do not let customers do it themselves.
	ErrNotAllowed = fault.New(fault.Conflict, "not_allowed", "The studio's rules do not allow this. Ask the studio.")
	// ErrPriceDifference: the new time, or the larger party, costs more, and the difference cannot be paid here. details.difference is
	// the amount.
	ErrPriceDifference = fault.New(fault.Conflict, "price_difference", "The new time costs more. Ask the studio to move the booking.")
	// ErrClashes: some of the dates of a recurring booking cannot be booked. details.clashes lists them.
	ErrClashes = fault.New(fault.Conflict, "clashes", "Some of the dates cannot be booked.")
)

// Why a hold cannot be had or used.
var (
	// ErrTooManyHolds bounds what one person can keep from others.
	ErrTooManyHolds = fault.New(fault.Conflict, "too_many_holds", "You are holding other times already. Finish or release one of them first.")
	// ErrHoldExpired: the hold has expired or was released.
	ErrHoldExpired = fault.New(fault.Conflict, "hold_expired", "Your time is up: the seats are no longer kept for you.")
	// ErrPaymentStarted: the seat is being paid for and cannot be let go.
	ErrPaymentStarted = fault.New(fault.Conflict, "payment_started", "This is being paid for right now.")
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

// WrongState refuses a transition that the booking's state does not allow.
func WrongState(s State) error { return ErrState.With("state", string(s)) }

// about is a refusal with the occurrence it is about; nil stays nil.
func about(err error, occurrence uuid.UUID) error {
	if e := fault.From(err); e != nil && e.Kind != fault.Internal { // what the log says of an outage would be lost
		return At(e, occurrence)
	}
	return err
}

// FreeDate is a date that could be booked, where others cannot.
type FreeDate struct {
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	StartsAt     time.Time `json:"startsAt"`
}

// NotCourse is ErrCourse about an offering.
func NotCourse(offering uuid.UUID) *fault.Error {
	return ErrCourse.With("offeringId", offering.String())
}

// fullDates names the dates of a course that have no room.
func fullDates(dates []FreeDate) error {
	err := At(ErrFull, dates[0].OccurrenceID)
	return fault.From(err).With("dates", dates)
}

// Bookable tells whether the storefront sells this date, as far as that is the same for everybody: nil, ErrStarted,
// ErrCancelled or ErrNotBookable, with details.occurrenceId. The time of somebody's appointment or rental is no date.
func Bookable(d schedule.Detail, now time.Time) error {
	o := d.Sold(now)
	if o == "" && d.Kind != catalog.Class {
		o = schedule.ObstacleNotOnSale
	}
	return Refused(o, d.ID, d.OfferingID)
}

// refused is what an Ask meets at an occurrence, seats aside: nil, or the refusal.
func refused(f schedule.Facts, ask schedule.Ask, r catalog.Rules, now time.Time, occurrence, offering uuid.UUID) error {
	switch o := f.Open(ask, r, now); o {
	case schedule.ObstacleTooLate, schedule.ObstacleTooEarly:
		return about(Opens(r, f.StartsAt, now, civil.ZoneOrUTC(f.Zone)), occurrence)
	default:
		return Refused(o, occurrence, offering)
	}
}

// Refused is an obstacle as a refusal; nil for none.
func Refused(o schedule.Obstacle, occurrence, offering uuid.UUID) error {
	switch o {
	case "":
		return nil
	case schedule.ObstacleCancelled:
		return At(ErrCancelled, occurrence)
	case schedule.ObstacleBegun:
		return At(ErrStarted, occurrence)
	case schedule.ObstaclePaused:
		return At(ErrNotBookable.WithMessage("The studio does not take bookings right now."), occurrence)
	case schedule.ObstaclePayment:
		return At(ErrNotBookable.WithMessage("The studio cannot take payments for this yet."), occurrence)
	case schedule.ObstacleWholly:
		return about(NotCourse(offering), occurrence)
	case schedule.ObstacleNoCourse:
		return At(ErrNotBookable.WithMessage("This is no course any more."), occurrence)
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

// Opens tells whether rules let somebody book now what starts then: nil, ErrTooLate or ErrTooEarly with details.at, the
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
