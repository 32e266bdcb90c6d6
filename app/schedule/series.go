package schedule

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
)

// Series is a recurrence rule that generates the dates of an offering.
type Series struct {
	ID         uuid.UUID
	OfferingID uuid.UUID
	LocationID uuid.UUID
	Rule
	Zone           string // the location's when the series was made
	MemberID       *uuid.UUID
	Instructor     string // the member's name; empty without one
	SpaceID        *uuid.UUID
	Space          string // the space's name; empty without one
	Capacity       int
	OnlineCapacity int         // seats that the storefront may sell
	WrittenTo      *civil.Date // occurrences exist up to and including this date
	DueAt          *time.Time  // time for writing the next ones; nil: the rule has no more
	SplitFrom      *uuid.UUID  // the series that this one continues
	EndedAt        *time.Time  // time of EndSeries
	Version        int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// The errors of series.
var (
	// ErrNotAClass: only classes have dates of their own.
	ErrNotAClass = fault.New(fault.Conflict, "not_a_class", "Only a class has fixed dates.")
	// ErrDatesBooked carries in details.dates the first dates with bookings.
	ErrDatesBooked = fault.New(fault.Conflict, "dates_booked", "There are bookings after that day. Reschedule or cancel them first.")
)
