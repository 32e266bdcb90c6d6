package booking

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// Shown is a booking with the names that everybody sees beside it.
type Shown struct {
	Booking
	Kind         catalog.Kind
	OfferingName string
	LocationName string
	Zone         string       // IANA: the wall clock of the times
	Instructor   string       // empty: nobody is named
	Space        string       // empty: none is named
	Dates        []CourseDate // of a course: all of its dates, in the order of their start; nil otherwise, and in the studio's lists
}

// StudioBooking is a booking as the studio sees it.
type StudioBooking struct {
	Shown
	CustomerName  string // may be empty
	CustomerEmail string
	CustomerPhone string
}

// CustomerBooking is a booking as its customer sees it, wherever it is. A course is one: the booking of its next date, or of its last.
type CustomerBooking struct {
	Shown
	BusinessID   uuid.UUID
	BusinessName string
	LocationSlug string
	OfferingSlug string
}

// Wall is the wall clock of the booking's location.
func (b StudioBooking) Wall() *time.Location { return civil.ZoneOrUTC(b.Zone) }

// CourseDate is one date of somebody's course.
type CourseDate struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	StartsAt     time.Time
	EndsAt       time.Time
	State        State
	Instructor   string    // empty: nobody is named
	Space        string    // empty: none is named
	Version      int64     // of the booking
	UpdatedAt    time.Time // of the booking
}

// Course tells whether the booking is a date of a course.
func (b Booking) Course() bool { return b.CourseFrom != nil }

// paidFrom is the start from which the way back of the price is counted.
func (b Booking) paidFrom() time.Time {
	if b.CourseFrom != nil {
		return *b.CourseFrom
	}
	return b.StartsAt
}

// PaidFrom is when the first date of somebody's course begins or began, as Booking.CourseFrom has it: one that the studio cancelled
// does not count.
func PaidFrom(dates []CourseDate) *time.Time {
	i := slices.IndexFunc(dates, func(d CourseDate) bool { return d.State != StudioCancelled })
	return &dates[max(i, 0)].StartsAt
}

// CourseListing is the date by which a course is listed: the next one to come, or else the last there was.
func CourseListing(dates []CourseDate, now time.Time) CourseDate {
	for _, fits := range []func(CourseDate) bool{
		func(d CourseDate) bool { return d.State.Live() && d.StartsAt.After(now) },
		func(d CourseDate) bool { return d.State.Live() && d.EndsAt.After(now) },
		func(d CourseDate) bool { return d.EndsAt.After(now) },
	} {
		if i := slices.IndexFunc(dates, fits); i >= 0 {
			return dates[i]
		}
	}
	return dates[len(dates)-1]
}

// CourseState is how a course stands as a whole: as the dates that are to come do, and when none is, as it ended.
func CourseState(dates []CourseDate) State {
	for _, s := range []State{
		Held, Requested, Confirmed, CheckedIn, LateCancelled, Cancelled, Completed, NoShow, Declined, StudioCancelled,
	} {
		if slices.ContainsFunc(dates, func(d CourseDate) bool { return d.State == s }) {
			return s
		}
	}
	return Expired
}

// subject is a booking that a verb is about, with what decides about it.
type subject struct {
	StudioBooking
	Own bool // the caller teaches it
}

func (b subject) shown() StudioBooking { return b.StudioBooking }

// ListInput chooses bookings; a filter that is not set chooses all.
type ListInput struct {
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	CustomerID   uuid.UUID
	MemberID     uuid.UUID   // the instructor
	GroupID      uuid.UUID   // bookings that were made together
	IDs          []uuid.UUID // of these only; none: of all
	State        State       // empty: everything that is a booking, which held and expired are not
	From, To     time.Time   // the start is at or after From and before To
	Ascending    bool        // the earliest start first; otherwise the latest
	Page         paging.In[paging.Moment]
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.State == "" || in.State.Valid(), "state", "There is no such state.")
	c.That(len(in.IDs) <= BulkMax, "bookingIds", "Name at most 200 bookings.")
	c.That(in.From.IsZero() || in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	return c.Err()
}

// Change is one transition of a booking, as it was noted.
type Change struct {
	ID         uuid.UUID
	Transition Transition
	From       State // empty for the first
	To         State
	Words      string     // that somebody gave for it; may be empty
	FromStart  *time.Time // of a booking that got another time: when it would have begun
	ActorKind  tenancy.ActorKind
	ActorName  string // may be empty
	Surface    tenancy.Surface
	At         time.Time
}

// MineInput chooses a person's own bookings.
type MineInput struct {
	Past bool // what is over, the latest first; otherwise what is to come, the soonest first
	Page paging.In[paging.Moment]
}

// RosterInput chooses a part of a roster.
type RosterInput struct {
	OccurrenceID uuid.UUID
	Page         paging.In[paging.Moment] // without a limit: of the largest size
}

// Roster is who comes to one occurrence.
type Roster struct {
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	OfferingName string
	LocationID   uuid.UUID
	LocationName string
	Zone         string // IANA: the wall clock of the times
	StartsAt     time.Time
	EndsAt       time.Time
	State        schedule.State
	Instructor   string // empty: nobody is named
	Space        string // empty: none is named
	schedule.Seats
	Entries paging.Page[StudioBooking, paging.Moment] // who has a seat or is kept one, in the order they came
}
