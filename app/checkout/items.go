package checkout

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// AddItemInput is what to put into a cart: one of a seat of a date, a course, and a time of an appointment or a rental.
type AddItemInput struct {
	OccurrenceID uuid.UUID // a date of a class
	CourseID     uuid.UUID // the offering: all of its dates that are to come
	Slot         *Slot
	Attendee     string // who is coming, when it is somebody else than the customer; may be empty
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *AddItemInput) Validate() error {
	var c fault.Checks
	in.Attendee = checkAttendee(&c, in.Attendee)
	named := 0
	for _, is := range []bool{in.OccurrenceID != uuid.Nil, in.CourseID != uuid.Nil, in.Slot != nil} {
		if is {
			named++
		}
	}
	c.That(named == 1, "occurrenceId", "Name a date, a course, or an offering and a time: one of them.")
	if s := in.Slot; s != nil {
		if s.Party == 0 {
			s.Party = 1
		}
		c.That(s.Party >= 1 && s.Party <= PartyMax, "party", "Use 1 to 1000.")
		c.That(s.Minutes == 0 || s.Minutes >= schedule.MinutesMin && s.Minutes <= schedule.MinutesMax, "minutes", "Use 5 to 1440.")
		c.That(!s.StartsAt.IsZero() && s.StartsAt.Equal(s.StartsAt.Truncate(time.Minute)), "startsAt", "Name a time to the minute.")
	}
	return c.Err()
}

func checkAttendee(c *fault.Checks, name string) string {
	name = strings.TrimSpace(name)
	c.That(utf8.RuneCountInString(name) <= AttendeeMax, "attendee", "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		"attendee", "There is a character in it that cannot be printed.")
	return name
}

// AddItem puts a seat or a time into a cart and takes none: Hold does. A live hold stays as it is until Hold is called
// again.
//
// Errors: Validation on the fields of the body; not found for an unknown cart, occurrence or offering, or one of another
// location; what availability.PlaceTx refuses a time for, with alternatives; booking.ErrStarted, ErrCancelled, ErrNotBookable;
// booking.ErrCourse for one date of a course; booking.ErrDuplicate for a seat that is in the cart already,
// booking.ErrPaymentStarted, ErrOrdered, ErrCartFull.
func (s *Service) AddItem(ctx context.Context, sc tenancy.Scope, token string, in AddItemInput) (Cart, error) {
	if err := in.Validate(); err != nil {
		return Cart{}, err
	}
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error {
		switch {
		case in.Slot != nil:
			return l.addSlot(ctx, tx, in)
		case in.CourseID != uuid.Nil:
			return l.addCourse(ctx, tx, in)
		}
		slot, err := schedule.OccurrenceOf(ctx, tx, in.OccurrenceID)
		if err != nil {
			return err
		}
		if err := l.takes(slot, in.Attendee, tx.Now()); err != nil {
			return err
		}
		if slot.Course() {
			return booking.NotCourse(slot.OfferingID).Say("This is a date of a course: put the whole course into the cart.")
		}
		return insertItem(ctx, tx, l.ID, slot, in.Attendee)
	})
}

// fill changes the items of a cart, which is locked, and returns it as it is then.
func (s *Service) fill(ctx context.Context, sc tenancy.Scope, token string, change func(*pg.Tx, loaded) error) (Cart, error) {
	err := pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		l, err := s.lock(ctx, tx, token, sc.Person(), lockToFill)
		if err != nil {
			return err
		}
		if l.Order != nil && l.Order.State == OrderOpen {
			return booking.ErrPaymentStarted
		}
		if err := s.ordered(l.Cart, sc.Person()); err != nil {
			return err
		}
		return change(tx, l)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// takes tells whether this seat can be added to the cart.
func (l *loaded) takes(slot schedule.Detail, attendee string, now time.Time) error {
	if slot.LocationID != l.LocationID {
		return fault.Missing()
	}
	if err := booking.Bookable(slot, now); err != nil {
		return err
	}
	if slot.PriceAmount == nil {
		return booking.ErrNotBookable.With("occurrenceId", slot.ID.String())
	}
	if l.has(slot.ID, attendee) {
		return alreadyIn(slot.ID)
	}
	return l.room()
}

func (l *loaded) room() error {
	if len(l.Lines) >= ItemsMax {
		return ErrCartFull
	}
	return nil
}

// addSlot puts a time into the cart, if it is to be had now.
func (l *loaded) addSlot(ctx context.Context, tx *pg.Tx, in AddItemInput) error {
	if err := l.room(); err != nil {
		return err
	}
	placed, err := availability.PlaceTx(ctx, tx, []availability.SlotAsk{in.Slot.ask()}, availability.Storefront)
	if err != nil {
		return err
	}
	if placed[0].LocationID != l.LocationID {
		return fault.Missing()
	}
	return insertSlotItem(ctx, tx, *l, placed[0], in)
}

func (s Slot) ask() availability.SlotAsk {
	return availability.SlotAsk{
		OfferingID: s.OfferingID, StartsAt: s.StartsAt, Minutes: s.Minutes, MemberID: s.MemberID, SpaceID: s.SpaceID, Party: s.Party,
	}
}

// UpdateItemInput is what can be changed of an item.
type UpdateItemInput struct {
	Attendee string // who is coming, when it is somebody else than the customer; may be empty
}

// Validate trims the input and checks it.
func (in *UpdateItemInput) Validate() error {
	var c fault.Checks
	in.Attendee = checkAttendee(&c, in.Attendee)
	return c.Err()
}

// UpdateItem says who is coming. A seat that is kept stays kept. Errors: Validation on body.attendee; not found for an
// unknown cart or item; booking.ErrDuplicate when that person is coming already; booking.ErrPaymentStarted, ErrOrdered.
func (s *Service) UpdateItem(ctx context.Context, sc tenancy.Scope, token string, item uuid.UUID, in UpdateItemInput) (Cart, error) {
	if err := in.Validate(); err != nil {
		return Cart{}, err
	}
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return l.rename(ctx, tx, item, in.Attendee) })
}

func (l *loaded) rename(ctx context.Context, tx *pg.Tx, item uuid.UUID, attendee string) error {
	line, found := l.line(item)
	if !found {
		return fault.Missing()
	}
	if line.Attendee == attendee {
		return nil
	}
	if l.has(line.OccurrenceID, attendee) || line.Course && l.enrols(line.OfferingID, attendee) {
		return alreadyIn(line.OccurrenceID)
	}
	if err := renameItem(ctx, tx, item, attendee); err != nil {
		return err
	}
	if line.BookingID == nil {
		return nil
	}
	return booking.RenameTx(ctx, tx, attendee, line.bookings()...)
}

// has tells whether the cart has a seat of that date for that person.
func (l *loaded) has(occurrence uuid.UUID, attendee string) bool {
	for _, line := range l.Lines {
		if occurrence != uuid.Nil && line.OccurrenceID == occurrence && line.Attendee == attendee {
			return true
		}
	}
	return false
}

// enrols tells whether the cart has that course for that person.
func (l *loaded) enrols(offering uuid.UUID, attendee string) bool {
	return slices.ContainsFunc(l.Lines, func(line Line) bool {
		return line.Course && line.OfferingID == offering && line.Attendee == attendee
	})
}

func alreadyIn(occurrence uuid.UUID) error {
	return booking.ErrDuplicate.Say("This is in the cart already.").With("occurrenceId", occurrence.String())
}

// RemoveItem takes an item out of a cart. A seat that was kept for it is free at once; the others stay kept. Errors: not
// found for an unknown cart or item; booking.ErrPaymentStarted, ErrOrdered.
func (s *Service) RemoveItem(ctx context.Context, sc tenancy.Scope, token string, item uuid.UUID) (Cart, error) {
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error {
		line, found := l.line(item)
		if !found {
			return fault.Missing()
		}
		if err := deleteItem(ctx, tx, item); err != nil {
			return err
		}
		return drop(ctx, tx, sc, l.Hold, line)
	})
}

func (c *Cart) line(item uuid.UUID) (Line, bool) {
	for _, l := range c.Lines {
		if l.ItemID == item {
			return l, true
		}
	}
	return Line{}, false
}

// drop lets the seat of a line go, and the hold with its last one.
func drop(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h *booking.Hold, line Line) error {
	seats := line.bookings()
	switch {
	case h == nil || len(seats) == 0:
		return nil
	case len(h.Seats) == len(seats):
		return booking.ReleaseTx(ctx, tx, sc, h.ID)
	}
	return booking.DropTx(ctx, tx, sc, seats...)
}
