package operator

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/claim"
	"foyer/app/money"
	"foyer/app/schedule"
)

// SeriesPlan describes the effects of a schedule change on dates, people and money.
type SeriesPlan struct {
	Added     []PlannedDate `json:"added" doc:"New and restored dates."`
	Removed   []PlannedDate `json:"removed"`
	Moved     []MovedDate   `json:"moved"`
	Unchanged int           `json:"unchanged" doc:"Number of dates whose time does not change."`
	Changed   int           `json:"changed" doc:"Number of those dates with another instructor, space or number of seats."`

	Instructors []ReplacedName  `json:"instructors" doc:"Changes of instructor."`
	Spaces      []ReplacedName  `json:"spaces" doc:"Changes of space."`
	Seats       []ReplacedSeats `json:"seats" doc:"Changes of the number of seats."`

	Split     bool             `json:"split" doc:"Whether the later dates become a series of their own."`
	Booked    []BookedDate     `json:"booked" doc:"Rescheduled or deleted dates with bookings."`
	Conflicts []SeriesConflict `json:"conflicts" doc:"Double bookings caused by the change, at most 20."`
	Refunds   []DatesRefunds   `json:"refunds" doc:"Refunds by currency."`
	Courses   int              `json:"courses" doc:"Bookings of courses that continue without the date, with no refund."`
	Waiting   int              `json:"waiting" doc:"Waitlist entries that end."`
	Notices   int              `json:"notices" doc:"Messages to customers about rescheduled or deleted dates, or another instructor or space."`
	Undoable  bool             `json:"undoable" doc:"Whether the change can be undone."`
}

// ReplacedName is a name replaced by another on some dates.
type ReplacedName struct {
	From  string `json:"from" doc:"Previous name; empty for none."`
	To    string `json:"to" doc:"New name; empty for none."`
	Dates int    `json:"dates" doc:"Number of dates."`
}

// ReplacedSeats is a number of seats replaced by another on some dates.
type ReplacedSeats struct {
	From       int `json:"from"`
	To         int `json:"to"`
	OnlineFrom int `json:"onlineFrom" doc:"Previous number of seats that could be booked online."`
	OnlineTo   int `json:"onlineTo" doc:"New number of seats that can be booked online."`
	Dates      int `json:"dates" doc:"Number of dates."`
}

func showReplaced(r schedule.Replaced) ReplacedName { return ReplacedName(r) }

// PlannedDate is an added or deleted date.
type PlannedDate struct {
	ID       *uuid.UUID `json:"id" doc:"The date; null for a date that does not exist yet."`
	StartsAt time.Time  `json:"startsAt"`
	EndsAt   time.Time  `json:"endsAt"`
}

// MovedDate is a date with a new time under its existing id.
type MovedDate struct {
	ID     uuid.UUID `json:"id"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	ToEnds time.Time `json:"endsAt"`
}

// BookedDate is a rescheduled or deleted date with bookings.
type BookedDate struct {
	ID       uuid.UUID `json:"id"`
	StartsAt time.Time `json:"startsAt" doc:"Start before the change."`
	Bookings int       `json:"bookings"`
	Outcome  string    `json:"outcome" enum:"moved,cancelled,rescheduled" doc:"Result for its bookings: they follow the date to its new time, are cancelled, or are rescheduled to other dates."`
}

// SeriesConflict is a double booking.
type SeriesConflict struct {
	Reason   string    `json:"reason" enum:"staff_busy,space_busy"`
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
	With     string    `json:"with" doc:"The other offering, or the note of time off or of a block."`
	WithFrom time.Time `json:"withStartsAt"`
	WithTo   time.Time `json:"withEndsAt"`
}

// DatesRefunds is the amount refunded in one currency.
type DatesRefunds struct {
	Currency money.Currency `json:"currency"`
	Amount   int64          `json:"amount" doc:"Amount in minor units."`
	Bookings int            `json:"bookings"`
}

func showPlan(p schedule.Plan) SeriesPlan {
	return SeriesPlan{
		Added: wire.Show(p.Added, showPlanned), Removed: wire.Show(p.Removed, showPlanned),
		Moved:     wire.Show(p.Moved, func(m schedule.MovedDate) MovedDate { return MovedDate(m) }),
		Unchanged: p.Unchanged, Changed: p.Changed, Split: p.Split,
		Instructors: wire.Show(p.Instructors, showReplaced), Spaces: wire.Show(p.Spaces, showReplaced),
		Seats:     wire.Show(p.Seats, func(r schedule.ReplacedCapacity) ReplacedSeats { return ReplacedSeats(r) }),
		Booked:    wire.Show(p.Hit, func(b schedule.BookedDate) BookedDate { return BookedDate(b) }),
		Conflicts: wire.Show(p.Conflicts, showConflict),
		Refunds:   wire.Show(p.Refunds, func(r schedule.Refunds) DatesRefunds { return DatesRefunds(r) }),
		Courses:   p.Courses, Waiting: p.Waiting, Notices: p.Notices, Undoable: p.Undoable,
	}
}

func showPlanned(d schedule.PlannedDate) PlannedDate {
	return PlannedDate{ID: wire.Optional(d.ID), StartsAt: d.StartsAt, EndsAt: d.EndsAt}
}

func showConflict(c claim.ConflictDetail) SeriesConflict { return SeriesConflict(c) }
