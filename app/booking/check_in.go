package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Attendance is what marking somebody did. It is the same in a rehearsal.
type Attendance struct {
	BookingID uuid.UUID
	State     State
	FeeAmount int64    // of a no-show
	Fee       FeeState // what becomes of it; empty without one
}

// CheckIn marks that the customer is there, from the beginning of the local day on. Somebody who is marked already stays
// so. It needs booking.checkin at the booking's location, or for the caller's own sessions. Errors: not found; ErrState;
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
	if err := b.mayCheckIn(tx.Now(), b.zone()); err != nil {
		return Attendance{}, err
	}
	now := tx.Now()
	return b.mark(ctx, tx, sc, MoveCheckIn, marks{checkedIn: &now})
}

// UndoCheckIn takes the mark away, until the end of the local day. Somebody who is not marked stays so. It needs
// booking.checkin at the booking's location, or for the caller's own sessions. Errors: not found; ErrState; ErrTooLate.
func (s *Service) UndoCheckIn(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Did[Attendance], error) {
	return s.attend(ctx, sc, id, policy.BookingCheckin, func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error) {
		if b.State == Confirmed {
			return Attendance{BookingID: b.ID, State: b.State}, nil
		}
		if err := b.mayUndoCheckIn(tx.Now(), b.zone()); err != nil {
			return Attendance{}, err
		}
		return b.mark(ctx, tx, sc, MoveUndoCheckIn, marks{})
	})
}

// NoShow marks that the customer did not come, once it has begun. The fee of the policy is written down and looked at
// until the end of its review; what the policy forgives is not asked for. It needs booking.manage at the booking's
// location, or for the caller's own sessions. Errors: not found; ErrState; ErrTooEarly.
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
		out, err := b.mark(ctx, tx, sc, MoveNoShow, marks{review: &until})
		if err != nil || b.Rules.NoShow.FeeAmount == 0 {
			return out, err
		}
		fees, err := writeFees(ctx, tx, []fee{{subject: b, Kind: DidNotCome, Amount: b.Rules.NoShow.FeeAmount, review: review}})
		out.FeeAmount, out.Fee = fees[b.ID].Amount, fees[b.ID].State
		return out, err
	})
}

// UndoNoShow takes the mark away, and the fee with it. Somebody who is not marked stays so. It needs booking.manage at the
// booking's location, or for the caller's own sessions. Errors: not found; ErrState.
func (s *Service) UndoNoShow(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Did[Attendance], error) {
	return s.attend(ctx, sc, id, policy.BookingManage, func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error) {
		switch b.State {
		case Confirmed:
			return Attendance{BookingID: b.ID, State: b.State}, nil
		case NoShow:
		default:
			return Attendance{}, WrongState(b.State)
		}
		if err := withdrawFee(ctx, tx, b.ID, DidNotCome); err != nil {
			return Attendance{}, err
		}
		return b.mark(ctx, tx, sc, MoveUndoNoShow, marks{})
	})
}

// attend runs a verb on a locked booking that the caller may mark.
func (s *Service) attend(ctx context.Context, sc tenancy.Scope, id uuid.UUID, f tenancy.Feature,
	mark func(ctx context.Context, tx *pg.Tx, b subject) (Attendance, error),
) (Did[Attendance], error) {
	if err := policy.RequireAny(sc, f); err != nil {
		return Did[Attendance]{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Did[Attendance], error) {
		list, err := lockBookings(ctx, tx, sc.Person(), []uuid.UUID{id}, f == policy.BookingManage)
		if err != nil {
			return Did[Attendance]{}, err
		}
		b, found := list[id]
		if !found {
			return Did[Attendance]{}, fault.Missing()
		}
		if err := policy.RequireRow(sc, f, b.LocationID, b.Own); err != nil {
			return Did[Attendance]{}, err
		}
		done, err := mark(ctx, tx, b)
		if err != nil {
			return Did[Attendance]{}, err
		}
		return did(ctx, tx, sc, id, done)
	})
}

// mark writes a booking's mark and its move.
func (s subject) mark(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, move Move, m marks) (Attendance, error) {
	after, ok := s.State.After(move)
	if !ok {
		return Attendance{}, WrongState(s.State)
	}
	if err := markBooking(ctx, tx, s.ID, after, m); err != nil {
		return Attendance{}, err
	}
	return Attendance{BookingID: s.ID, State: after}, record(ctx, tx, sc, move, "", []step{{ID: s.ID, From: s.State}})
}
