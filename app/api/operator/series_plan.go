package operator

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/claim"
	"foyer/app/money"
	"foyer/app/schedule"
)

// SeriesPlan is what a change of dates does to dates, people and money.
type SeriesPlan struct {
	Added   []PlannedDate `json:"added" doc:"Dates that there were not, and dates that come back."`
	Removed []PlannedDate `json:"removed"`
	Moved   []MovedDate   `json:"moved"`
	Kept    int           `json:"kept" doc:"Dates whose time stays."`
	Changed int           `json:"changed" doc:"Of those, dates with another instructor, space or number of seats."`

	Instructors []ReplacedName  `json:"instructors" doc:"Who teaches dates instead of whom."`
	Spaces      []ReplacedName  `json:"spaces" doc:"Where dates are instead."`
	Seats       []ReplacedSeats `json:"seats" doc:"How many seats dates have instead."`

	Split     bool             `json:"split" doc:"The later dates go to a series of their own."`
	Booked    []BookedDate     `json:"booked" doc:"Dates with bookings that move or go."`
	Conflicts []SeriesConflict `json:"conflicts" doc:"Double bookings that it makes, at most 20."`
	Refunds   []DatesRefunds   `json:"refunds" doc:"What is refunded."`
	Courses   int              `json:"courses" doc:"Bookings of courses that go on without the date: nothing is refunded for them."`
	Waiting   int              `json:"waiting" doc:"People whose place on a waitlist ends."`
	Notices   int              `json:"notices" doc:"Messages to customers about dates that move, go, or get another instructor or space."`
	Undoable  bool             `json:"undoable" doc:"Whether it can be taken back."`
}

// ReplacedName is a name that dates have in place of another.
type ReplacedName struct {
	From  string `json:"from" doc:"Empty: none was named."`
	To    string `json:"to" doc:"Empty: none is named."`
	Dates int    `json:"dates" doc:"How many."`
}

// ReplacedSeats is a number of seats that dates have in place of another.
type ReplacedSeats struct {
	From       int `json:"from"`
	To         int `json:"to"`
	OnlineFrom int `json:"onlineFrom" doc:"How many of the seats the storefront could sell."`
	OnlineTo   int `json:"onlineTo" doc:"How many of them it may sell."`
	Dates      int `json:"dates" doc:"How many."`
}

func showReplaced(r schedule.Replaced) ReplacedName { return ReplacedName(r) }

// PlannedDate is a date that is added or taken away.
type PlannedDate struct {
	ID       *uuid.UUID `json:"id" doc:"Null for a date that is to be made."`
	StartsAt time.Time  `json:"startsAt"`
	EndsAt   time.Time  `json:"endsAt"`
}

// MovedDate is a date that takes place at another time, under its own id.
type MovedDate struct {
	ID     uuid.UUID `json:"id"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	ToEnds time.Time `json:"endsAt"`
}

// BookedDate is a date with bookings that moves or goes.
type BookedDate struct {
	ID       uuid.UUID `json:"id"`
	StartsAt time.Time `json:"startsAt" doc:"Before the change."`
	Bookings int       `json:"bookings"`
	Outcome  string    `json:"outcome" enum:"moved,cancelled,transferred" doc:"moved with the date, cancelled, or transferred to other dates."`
}

// SeriesConflict is a double booking.
type SeriesConflict struct {
	Reason   string    `json:"reason" enum:"staff_busy,space_busy"`
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
	With     string    `json:"with" doc:"The other offering, or the note of time off or a block."`
	WithFrom time.Time `json:"withStartsAt"`
	WithTo   time.Time `json:"withEndsAt"`
}

// DatesRefunds is what is refunded, in one currency.
type DatesRefunds struct {
	Currency money.Currency `json:"currency"`
	Amount   int64          `json:"amount" doc:"Minor units."`
	Bookings int            `json:"bookings"`
}

func showPlan(p schedule.Plan) SeriesPlan {
	return SeriesPlan{
		Added: wire.Show(p.Added, showPlanned), Removed: wire.Show(p.Removed, showPlanned),
		Moved: wire.Show(p.Moved, func(m schedule.MovedDate) MovedDate { return MovedDate(m) }),
		Kept:  p.Kept, Changed: p.Changed, Split: p.Split,
		Instructors: wire.Show(p.Instructors, showReplaced), Spaces: wire.Show(p.Spaces, showReplaced),
		Seats:     wire.Show(p.Seats, func(r schedule.ReplacedCapacity) ReplacedSeats { return ReplacedSeats(r) }),
		Booked:    wire.Show(p.Hit, func(b schedule.BookedDate) BookedDate { return BookedDate(b) }),
		Conflicts: wire.Show(p.Conflicts, showConflict),
		Refunds:   wire.Show(p.Refunds, func(r schedule.Refunds) DatesRefunds { return DatesRefunds(r) }),
		Courses:   p.Courses, Waiting: p.Waiting, Notices: p.Notices, Undoable: p.Undoable,
	}
}

func showPlanned(d schedule.PlannedDate) PlannedDate {
	return PlannedDate{ID: wire.AppointmentOptions(d.ID), StartsAt: d.StartsAt, EndsAt: d.EndsAt}
}

func showConflict(c claim.ConflictDetail) SeriesConflict { return SeriesConflict(c) }
