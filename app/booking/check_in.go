package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fees"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CheckIn checks a customer in, from the beginning of the local day on. A booking that is checked in stays so. It
// needs booking.checkin at the booking's location, or for the caller's own occurrences. Errors: not found; ErrState;
// ErrTooEarly.
func (s *Service) CheckIn(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (StudioBooking, error) {
	return s.attend(ctx, sc, id, policy.BookingCheckin, func(tx *pg.Tx, b subject) error {
		if b.State.arrived() {
			return nil
		}
		now := tx.Now()
		if err := b.mayCheckIn(now, b.Wall()); err != nil {
			return err
		}
		return b.mark(ctx, tx, sc, TransitionCheckIn, marks{checkedIn: &now})
	})
}

// arrived reports whether the customer is marked as there, or was.
func (s State) arrived() bool { return s == CheckedIn || s == Completed }

// UndoCheckIn undoes a check-in, until the end of the local day. A booking that is not checked in stays so. It needs
// booking.checkin at the booking's location, or for the caller's own occurrences. Errors: not found; ErrState;
// ErrTooLate.
func (s *Service) UndoCheckIn(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (StudioBooking, error) {
	return s.attend(ctx, sc, id, policy.BookingCheckin, func(tx *pg.Tx, b subject) error {
		if b.State == Confirmed {
			return nil
		}
		if err := b.mayUndoCheckIn(tx.Now(), b.Wall()); err != nil {
			return err
		}
		return b.mark(ctx, tx, sc, TransitionUndoCheckIn, marks{})
	})
}

// NoShow marks a booking as a no-show, once it has begun. The fee of the policy is recorded and can be reviewed until
// the end of its review period; a fee waived by the grace rule is not charged. It needs booking.manage at the
// booking's location, or for the caller's own occurrences. Errors: not found; ErrState; ErrTooEarly.
func (s *Service) NoShow(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (StudioBooking, error) {
	return s.attend(ctx, sc, id, policy.BookingManage, func(tx *pg.Tx, b subject) error {
		if b.State == NoShow {
			return nil
		}
		if err := b.mayNoShow(tx.Now()); err != nil {
			return err
		}
		review := time.Duration(b.Rules.NoShow.ReviewMinutes) * time.Minute
		until := tx.Now().Add(review)
		if err := b.mark(ctx, tx, sc, TransitionNoShow, marks{review: &until}); err != nil || b.Rules.NoShowFee(b.Currency) == 0 {
			return err
		}
		_, err := fees.WriteTx(ctx, tx, []fees.NewFee{b.fee(fees.NoShow, b.Rules.NoShowFee(b.Currency))})
		return err
	})
}

// UndoNoShow undoes a no-show, and withdraws its fee. A booking that is not marked stays so. It needs booking.manage
// at the booking's location, or for the caller's own occurrences. Errors: not found; ErrState.
func (s *Service) UndoNoShow(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (StudioBooking, error) {
	return s.attend(ctx, sc, id, policy.BookingManage, func(tx *pg.Tx, b subject) error {
		if b.State == Confirmed {
			return nil
		}
		if b.State != NoShow {
			return WrongState(b.State)
		}
		if err := fees.WithdrawTx(ctx, tx, b.ID, fees.NoShow); err != nil {
			return err
		}
		return b.mark(ctx, tx, sc, TransitionUndoNoShow, marks{})
	})
}

// attend runs a verb on a locked booking that the caller may mark.
func (s *Service) attend(ctx context.Context, sc tenancy.Scope, id uuid.UUID, f tenancy.Feature, mark func(tx *pg.Tx, b subject) error) (StudioBooking, error) {
	return s.change(ctx, sc, f, id, nil, nil, func(tx *pg.Tx) error {
		b, err := lockBooking(ctx, tx, sc.Person(), id, f == policy.BookingManage)
		if err == nil {
			err = policy.RequireRow(sc, f, b.LocationID, b.Own)
		}
		if err != nil {
			return err
		}
		return mark(tx, b)
	})
}

// mark writes the mark of a booking and its transition. The booking is in the right state for it.
func (b subject) mark(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t Transition, m marks) error {
	if err := markBookings(ctx, tx, []uuid.UUID{b.ID}, t.To(), m); err != nil {
		return err
	}
	return record(ctx, tx, sc, t, "", []leaving{{ID: b.ID, From: b.State}})
}
