package checkout

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

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
	_, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		l, err := s.lock(ctx, tx, token, sc.Person(), lockToFill)
		if err != nil {
			return struct{}{}, err
		}
		if err := s.fillable(l.Cart, sc.Person()); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, l.rename(ctx, tx, item, in.Attendee)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
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
