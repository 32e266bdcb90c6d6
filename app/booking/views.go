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

// Shown is a booking with the public names around it.
type Shown struct {
	Booking
	Kind         catalog.Kind
	OfferingName string
	LocationName string
	Zone         string       // IANA: the wall clock of the times
	Instructor   string       // empty: no instructor is named
	Space        string       // empty: none is named
	Dates        []CourseDate // of a course: all of its dates, by start; nil otherwise, and in the studio's lists
}

// StudioBooking is a booking in the studio's view.
type StudioBooking struct {
	Shown
	CustomerName  string // may be empty
	CustomerEmail string
	CustomerPhone string
}

// CustomerBooking is a booking in its customer's view, in any business. A course is one: the booking of its next
// date, or of its last.
type CustomerBooking struct {
	Shown
	BusinessID   uuid.UUID
	BusinessName string
	LocationSlug string
	OfferingSlug string
}

// Wall returns the wall clock of the booking's location.
func (b StudioBooking) Wall() *time.Location { return civil.ZoneOrUTC(b.Zone) }

// CourseDate is one date of a customer's course.
type CourseDate struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	StartsAt     time.Time
	EndsAt       time.Time
	State        State
	Instructor   string    // empty: no instructor is named
	Space        string    // empty: none is named
	Version      int64     // of the booking
	UpdatedAt    time.Time // of the booking
}

// Course reports whether the booking is a date of a course.
func (b Booking) Course() bool { return b.CourseFrom != nil }

// paidFrom returns the start that decides about the refund of the price.
func (b Booking) paidFrom() time.Time {
	if b.CourseFrom != nil {
		return *b.CourseFrom
	}
	return b.StartsAt
}

// PaidFrom returns the start of the first date of a customer's course, like Booking.CourseFrom: a date that the
// studio cancelled does not count.
func PaidFrom(dates []CourseDate) *time.Time {
	i := slices.IndexFunc(dates, func(d CourseDate) bool { return d.State != StudioCancelled })
	return &dates[max(i, 0)].StartsAt
}

// CourseListing returns the date that lists a course: the next upcoming one, or else the last one.
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

// CourseState returns the state of a course as a whole: that of its upcoming dates, or else its final state.
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

// subject is the booking of a verb, with the facts that decide about it.
type subject struct {
	StudioBooking
	Own bool // the caller is the instructor
}

func (b subject) shown() StudioBooking { return b.StudioBooking }

// ListInput chooses bookings; an empty filter chooses all.
type ListInput struct {
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	CustomerID   uuid.UUID
	MemberID     uuid.UUID   // the instructor
	GroupID      uuid.UUID   // bookings that were made together
	IDs          []uuid.UUID // of these only; none: of all
	State        State       // empty: all bookings, without held and expired ones
	From, To     time.Time   // the start is at or after From and before To
	Ascending    bool        // the earliest start first; otherwise the latest
	Page         paging.In[paging.Moment]
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.State == "" || in.State.Valid(), "state", "There is no such state.")
	c.That(len(in.IDs) <= BulkMax, "bookingIds", "List at most 200 bookings.")
	c.That(in.From.IsZero() || in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	return c.Err()
}

// Change is one transition of a booking.
type Change struct {
	ID         uuid.UUID
	Transition Transition
	From       State // empty for the first
	To         State
	Words      string     // its reason; may be empty
	FromStart  *time.Time // of a rescheduled booking: its former start
	ActorKind  tenancy.ActorKind
	ActorName  string // may be empty
	Surface    tenancy.Surface
	At         time.Time
}

// MineInput chooses a person's own bookings.
type MineInput struct {
	Past bool // past ones, the latest first; otherwise upcoming ones, the soonest first
	Page paging.In[paging.Moment]
}

// RosterInput chooses a part of a roster.
type RosterInput struct {
	OccurrenceID uuid.UUID
	Page         paging.In[paging.Moment] // without a limit: of the largest size
}

// Roster is the list of bookings of one occurrence.
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
	Instructor   string // empty: no instructor is named
	Space        string // empty: none is named
	schedule.Seats
	Entries paging.Page[StudioBooking, paging.Moment] // with a seat or a hold, in the order of booking
}
