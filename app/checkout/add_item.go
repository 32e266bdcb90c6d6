package checkout

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// AddItemInput is one seat to put into a cart.
type AddItemInput struct {
	OccurrenceID uuid.UUID
	Attendee     string // who is coming, when it is somebody else than the customer; may be empty
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *AddItemInput) Validate() error {
	in.Attendee = strings.TrimSpace(in.Attendee)
	var c fault.Checks
	c.That(utf8.RuneCountInString(in.Attendee) <= AttendeeMax, "body.attendee", "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(in.Attendee, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		"body.attendee", "There is a character in it that cannot be printed.")
	return c.Err()
}

// AddItem puts a seat into a cart and takes none: Hold does. A live hold stays as it is until Hold is called again.
//
// Errors: Validation on body.attendee; not found for an unknown cart or an occurrence of another location;
// booking.ErrStarted, ErrCancelled, ErrNotBookable; booking.ErrDuplicate for a seat that is in the cart already,
// booking.ErrPaymentStarted, ErrOrdered, ErrCartFull.
func (s *Service) AddItem(ctx context.Context, sc tenancy.Scope, token string, in AddItemInput) (Cart, error) {
	if err := in.Validate(); err != nil {
		return Cart{}, err
	}
	_, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		l, err := s.lock(ctx, tx, token, sc.Person(), lockToFill)
		if err != nil {
			return struct{}{}, err
		}
		if err := s.fillable(l.Cart, sc.Person()); err != nil {
			return struct{}{}, err
		}
		slot, err := schedule.OccurrenceOf(ctx, tx, in.OccurrenceID)
		if err != nil {
			return struct{}{}, err
		}
		if err := l.takes(slot, in.Attendee, tx.Now()); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, insertItem(ctx, tx, l.ID, slot, in.Attendee)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// fillable tells whether the items of a cart can be changed.
func (s *Service) fillable(c Cart, person uuid.UUID) error {
	if c.Order != nil && c.Order.State == OrderOpen {
		return booking.ErrPaymentStarted
	}
	return s.ordered(c, person)
}

// takes tells whether this seat can be added to the cart.
func (l *loaded) takes(slot schedule.Slot, attendee string, now time.Time) error {
	if slot.LocationID != l.LocationID {
		return fault.Missing()
	}
	if err := booking.Bookable(slot, now); err != nil {
		return err
	}
	if slot.PriceAmount == nil {
		return booking.ErrNotBookable.With("occurrenceId", slot.ID.String())
	}
	for _, line := range l.Lines {
		if line.OccurrenceID == slot.ID && line.Attendee == attendee {
			return booking.ErrDuplicate.Say("This is in the cart already.").With("occurrenceId", slot.ID.String())
		}
	}
	if len(l.Lines) >= ItemsMax {
		return ErrCartFull
	}
	return nil
}
