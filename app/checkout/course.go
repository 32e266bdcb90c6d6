package checkout

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// A course in a cart is one line, and on the order too: a booking for each upcoming date, and the price on the first
// of them. Until it is held, the line is for the dates that are upcoming at each reading; from then on for those that
// are held. Its item names one of the dates, which is the first once it is held: the booking of that one is the
// line's.

// LineDate is one date of a course in a cart.
type LineDate struct {
	OccurrenceID uuid.UUID
	BookingID    *uuid.UUID // while its seat is held
	StartsAt     time.Time
	EndsAt       time.Time
}

// hasCourses reports whether a line is a course.
func (l *loaded) hasCourses() bool {
	return slices.ContainsFunc(l.Lines, func(line Line) bool { return line.Course })
}

// fillCourses fills in the lines that are courses from their dates; rows may have those of other carts.
func (l *loaded) fillCourses(rows []courseRow, now time.Time) {
	byItem := map[uuid.UUID][]courseRow{}
	for _, x := range rows {
		byItem[x.ItemID] = append(byItem[x.ItemID], x)
	}
	for i := range l.Lines {
		if line := &l.Lines[i]; line.Course {
			line.enrol(byItem[line.ItemID], now)
		}
	}
	if l.Hold != nil {
		l.Hold.Seats = l.heldSeats()
	}
	l.count()
}

// enrol makes the line one of these dates: those with held seats, or else all upcoming ones.
func (l *Line) enrol(rows []courseRow, now time.Time) {
	if l.BookingID != nil {
		rows = slices.DeleteFunc(rows, func(r courseRow) bool { return r.BookingID == nil })
	} else {
		rows = slices.DeleteFunc(rows, func(r courseRow) bool { return r.State != schedule.Scheduled || !r.StartsAt.After(now) })
	}
	if len(rows) == 0 || len(rows) > schedule.CourseMax {
		if l.Problem == "" {
			l.Problem = booking.ErrNotBookable.Reason
		}
		return
	}
	first := rows[0]
	l.OccurrenceID, l.StartsAt, l.EndsAt = first.OccurrenceID, first.StartsAt, first.EndsAt
	l.Instructor, l.Space, l.Spots = first.Instructor, first.Space, first.Spots()
	for _, r := range rows {
		l.Dates = append(l.Dates, LineDate{r.OccurrenceID, r.BookingID, r.StartsAt, r.EndsAt})
		if l.Spots = min(l.Spots, r.Spots()); r.Instructor != first.Instructor {
			l.Instructor = ""
		}
		if r.Space != first.Space {
			l.Space = ""
		}
	}
}

// heldSeats returns the seats of the cart's hold, those of courses among them.
func (l loaded) heldSeats() []booking.HeldSeat {
	var out []booking.HeldSeat
	for i, line := range l.Lines {
		if line.BookingID == nil {
			continue
		}
		for n, d := range line.dates() {
			if d.BookingID == nil {
				continue
			}
			seat := booking.HeldSeat{BookingID: *d.BookingID, OccurrenceID: d.OccurrenceID, Attendee: line.Attendee}
			if n == 0 {
				seat.PriceAmount = l.items[i].ListedAmount
			}
			out = append(out, seat)
		}
	}
	return out
}

// dates returns the dates of the line: those of a course, or the one.
func (l Line) dates() []LineDate {
	if l.Course {
		return l.Dates
	}
	return []LineDate{{l.OccurrenceID, l.BookingID, l.StartsAt, l.EndsAt}}
}

// bookings returns the bookings that hold the line's seats.
func (l Line) bookings() []uuid.UUID {
	var out []uuid.UUID
	for _, d := range l.dates() {
		if d.BookingID != nil {
			out = append(out, *d.BookingID)
		}
	}
	return out
}

// seats returns the line's request to booking.
func (l Line) seats() []booking.Seat {
	if !l.Course {
		return []booking.Seat{{OccurrenceID: l.OccurrenceID, Attendee: l.Attendee, Party: l.Party, PriceAmount: l.ListedAmount}}
	}
	group := pg.NewID()
	out := make([]booking.Seat, len(l.Dates))
	for i, d := range l.Dates {
		out[i] = booking.Seat{OccurrenceID: d.OccurrenceID, Attendee: l.Attendee, Party: l.Party, Group: group, Follows: i > 0}
	}
	if len(out) > 0 {
		out[0].PriceAmount = l.ListedAmount
	}
	return out
}

// anchor has the items of courses that are about to be held name the first of their dates.
func (l *loaded) anchor(ctx context.Context, tx *pg.Tx) error {
	var items, dates []uuid.UUID
	for _, line := range l.Lines {
		if line.Course && line.BookingID == nil && len(line.Dates) > 0 {
			items, dates = append(items, line.ItemID), append(dates, line.Dates[0].OccurrenceID)
		}
	}
	if len(items) == 0 {
		return nil
	}
	return setOccurrences(ctx, tx, l.ID, items, dates)
}

// addCourse adds a course to the cart: all of its upcoming dates.
func (l *loaded) addCourse(ctx context.Context, tx *pg.Tx, in AddItemInput) error {
	dates, err := schedule.CourseOf(ctx, tx, in.CourseID)
	if err != nil {
		return err
	}
	if len(dates) == 0 {
		return noCourse(ctx, tx, l.LocationID, in.CourseID)
	}
	first := dates[0]
	switch {
	case first.LocationID != l.LocationID:
		return fault.Missing()
	case !first.Course():
		return fault.Invalid("startsAt", "This is not a course. Choose one of its times.")
	case len(dates) > schedule.CourseMax:
		return booking.ErrNotBookable.With("occurrenceId", first.ID.String())
	}
	people := in.people(func(name string) bool { return l.enrols(in.CourseID, name) })
	if err := l.takes(first, people, tx.Now()); err != nil {
		return err
	}
	if slices.ContainsFunc(people, func(name string) bool { return l.enrols(in.CourseID, name) }) {
		return alreadyIn(first.ID)
	}
	seats := len(dates) * len(people)
	for _, line := range l.Lines {
		seats += len(line.Dates)
	}
	if seats > schedule.CourseMax {
		return ErrCartFull
	}
	return insertItems(ctx, tx, l, first, people)
}
