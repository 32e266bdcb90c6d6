package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Attendance is what marking somebody did. It is the same in a rehearsal.
type Attendance struct {
	BookingID uuid.UUID
	State     State
	FeeAmount int64         // of a no-show
	Fee       penalty.State // what becomes of it; empty without one
}

// CheckIn marks that the customer is there, from the beginning of the local day on. Somebody who is marked already stays
// so. It needs booking.checkin at the booking's location, or for the caller's own occurrences. Errors: not found; ErrState;
// ErrTooEarly.
func (s *Service) CheckIn(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Did[Attendance], error) {
	return s.attend(ctx, sc, id, policy.BookingCheckin, func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error) {
		return checkIn(ctx, tx, sc, b)
	})
}

func checkIn(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, b subject) (Attendance, error) {
	if b.State == CheckedIn || b.State == Completed {
		return Attendance{BookingID: b.ID, State: b.State}, nil
	}
	if err := b.mayCheckIn(tx.Now(), b.Wall()); err != nil {
		return Attendance{}, err
	}
	now := tx.Now()
	return b.mark(ctx, tx, sc, TransitionCheckIn, marks{checkedIn: &now})
}

// UndoCheckIn takes the mark away, until the end of the local day. Somebody who is not marked stays so. It needs
// booking.checkin at the booking's location, or for the caller's own occurrences. Errors: not found; ErrState; ErrTooLate.
func (s *Service) UndoCheckIn(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Did[Attendance], error) {
	return s.attend(ctx, sc, id, policy.BookingCheckin, func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error) {
		if b.State == Confirmed {
			return Attendance{BookingID: b.ID, State: b.State}, nil
		}
		if err := b.mayUndoCheckIn(tx.Now(), b.Wall()); err != nil {
			return Attendance{}, err
		}
		return b.mark(ctx, tx, sc, TransitionUndoCheckIn, marks{})
	})
}

// NoShow marks that the customer did not come, once it has begun. The fee of the policy is written down and looked at
// until the end of its review; what the policy forgives is not asked for. It needs booking.manage at the booking's
// location, or for the caller's own occurrences. Errors: not found; ErrState; ErrTooEarly.
func (s *Service) NoShow(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Did[Attendance], error) {
	return s.attend(ctx, sc, id, policy.BookingManage, func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error) {
		if b.State == NoShow {
			return Attendance{BookingID: b.ID, State: b.State}, nil
		}
		if err := b.mayNoShow(tx.Now()); err != nil {
			return Attendance{}, err
		}
		review := time.Duration(b.Rules.NoShow.ReviewMinutes) * time.Minute
		until := tx.Now().Add(review)
		out, err := b.mark(ctx, tx, sc, TransitionNoShow, marks{review: &until})
		if err != nil || b.Rules.NoShow.FeeAmount == 0 {
			return out, err
		}
		fee := b.fee(penalty.NoShow, b.Rules.NoShow.FeeAmount)
		fee.Review = review
		fees, err := penalty.WriteTx(ctx, tx, []penalty.Fee{fee})
		out.FeeAmount, out.Fee = fee.Amount, fees[b.ID]
		return out, err
	})
}

// UndoNoShow takes the mark away, and the fee with it. Somebody who is not marked stays so. It needs booking.manage at the
// booking's location, or for the caller's own occurrences. Errors: not found; ErrState.
func (s *Service) UndoNoShow(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Did[Attendance], error) {
	return s.attend(ctx, sc, id, policy.BookingManage, func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error) {
		switch b.State {
		case Confirmed:
			return Attendance{BookingID: b.ID, State: b.State}, nil
		case NoShow:
		default:
			return Attendance{}, WrongState(b.State)
		}
		if err := penalty.WithdrawTx(ctx, tx, b.ID, penalty.NoShow); err != nil {
			return Attendance{}, err
		}
		return b.mark(ctx, tx, sc, TransitionUndoNoShow, marks{})
	})
}

// attend runs a verb on a locked booking that the caller may mark.
func (s *Service) attend(ctx context.Context, sc tenancy.Scope, id uuid.UUID, f tenancy.Feature,
	mark func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error),
) (Did[Attendance], error) {
	return manage(ctx, s, sc, f, nil, nil, func(tx *pg.Tx) (uuid.UUID, Attendance, error) {
		b, err := lockBooking(ctx, tx, sc.Person(), id, f == policy.BookingManage)
		if err == nil {
			err = policy.RequireRow(sc, f, b.LocationID, b.Own)
		}
		if err != nil {
			return id, Attendance{}, err
		}
		done, err := mark(ctx, tx, b)
		return id, done, err
	})
}

// mark writes a booking's mark and its transition.
func (s subject) mark(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t Transition, m marks) (Attendance, error) {
	after, ok := s.State.After(t)
	if !ok {
		return Attendance{}, WrongState(s.State)
	}
	if err := markBooking(ctx, tx, s.ID, after, m); err != nil {
		return Attendance{}, err
	}
	return Attendance{BookingID: s.ID, State: after}, record(ctx, tx, sc, t, "", []leaving{{ID: s.ID, From: s.State}})
}
