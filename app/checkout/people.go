package checkout

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// Several people at one date are a seat each: an item of the cart, a line of the order and a booking that is
// rescheduled, cancelled and checked in by itself. They are distinguished by their name, so an unnamed one is given
// one.

func isGuest(attendee string) bool { return crm.GuestNumber(attendee) > 0 }

// Unnamed reports whether the line is for a guest without a name.
func (l Line) Unnamed() bool { return isGuest(l.Attendee) }

// freeGuest returns the first free guest name.
func freeGuest(taken func(name string) bool) string {
	n := 2
	for taken(crm.Guest(n)) {
		n++
	}
	return crm.Guest(n)
}

// people returns the people of an item, each with a name of their own: coming reports whether a name is in the cart
// for it.
func (in AddItemInput) people(coming func(name string) bool) []string {
	var out []string
	others := slices.Clone(in.Others)
	next := func() (name string) {
		if len(others) > 0 {
			name, others = others[0], others[1:]
		}
		if name == "" {
			name = freeGuest(func(name string) bool {
				return coming(name) || slices.Contains(out, name) || slices.Contains(in.Others, name)
			})
		}
		return name
	}
	if in.Attendee != "" || !in.More || !coming("") {
		out = append(out, in.Attendee)
	}
	for len(others) > 0 || len(out) < max(in.People, 1) {
		out = append(out, next())
	}
	return out
}

// addDate puts a date of a class into the cart.
func (l *loaded) addDate(ctx context.Context, tx *pg.Tx, in AddItemInput) error {
	date, err := schedule.OccurrenceOf(ctx, tx, in.OccurrenceID)
	if err != nil {
		return err
	}
	people := in.people(func(name string) bool { return l.has(date.ID, name) })
	if err := l.takes(date, people, tx.Now()); err != nil {
		return err
	}
	if date.Course() {
		return booking.NotCourse(date.OfferingID).WithMessage("This date is part of a course. Add the whole course to the cart.")
	}
	return insertItems(ctx, tx, l, date, people)
}

// takes reports whether seats of a date can be added to the cart for these people.
func (l *loaded) takes(date schedule.Detail, people []string, now time.Time) error {
	if date.LocationID != l.LocationID {
		return fault.Missing()
	}
	if err := booking.Bookable(date, now); err != nil {
		return err
	}
	if date.PriceAmount == nil {
		return booking.ErrNotBookable.With("occurrenceId", date.ID.String())
	}
	for i, name := range people {
		if l.has(date.ID, name) || slices.ContainsFunc(people[:i], func(other string) bool { return names.Same(other, name) }) {
			return alreadyIn(date.ID)
		}
	}
	if len(l.Lines)+len(people) > ItemsMax {
		return ErrCartFull
	}
	return nil
}

// count finds the lines without a seat, once those before them in the cart have theirs.
func (l *loaded) count() {
	asked := map[uuid.UUID]int{}
	for i := range l.Lines {
		line := &l.Lines[i]
		if line.Slot != nil || line.BookingID != nil || !line.Kind.Seat() {
			continue
		}
		of := line.OccurrenceID
		if line.Course {
			of = line.OfferingID
		}
		asked[of] += line.Party
		line.Full = asked[of] > line.Spots
	}
}

// renumber gives guests other numbers if the customer has booked for guests of the same name before: these are other
// people.
func (l *loaded) renumber(ctx context.Context, tx *pg.Tx, customer uuid.UUID) error {
	if !slices.ContainsFunc(l.Lines, func(line Line) bool { return line.BookingID == nil && isGuest(line.Attendee) }) {
		return nil
	}
	booked, err := booking.ComingTx(ctx, tx, customer, l.occurrences())
	if err != nil {
		return err
	}
	for i := range l.Lines {
		line := &l.Lines[i]
		taken := func(name string) bool {
			return slices.ContainsFunc(line.dates(), func(d LineDate) bool { return slices.Contains(booked[d.OccurrenceID], name) })
		}
		if line.BookingID != nil || !isGuest(line.Attendee) || !taken(line.Attendee) {
			continue
		}
		line.Attendee = freeGuest(func(name string) bool { return taken(name) || l.has(line.OccurrenceID, name) })
		if err := renameItem(ctx, tx, line.ItemID, line.Attendee); err != nil {
			return err
		}
	}
	return nil
}
