package schedule

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
)

// Series is a rule that gives an offering its dates.
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
	OnlineCapacity int         // how many of the seats the storefront may sell
	WrittenTo      *civil.Date // occurrences exist up to and including this date
	DueAt          *time.Time  // when the next ones are to be written; nil: the rule has no more
	SplitFrom      *uuid.UUID  // the series that this one continues
	EndedAt        *time.Time  // when somebody ended it
	Version        int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// The refusals about series.
var (
	// ErrNotAClass: only classes have dates of their own.
	ErrNotAClass = fault.New(fault.Conflict, "not_a_class", "Only a class has fixed dates.")
	// ErrDatesBooked carries in details.dates the first dates on which somebody is booked.
	ErrDatesBooked = fault.New(fault.Conflict, "dates_booked", "There are bookings after that day. Move or cancel them first.")
)
