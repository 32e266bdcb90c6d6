package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// CancelInput cancels a booking.
type CancelInput struct {
	BookingID uuid.UUID
	By        By      // party on whose behalf it is cancelled; decides the cost
	FeeMode   FeeMode // empty: FeePolicy
	Scope     Scope   // of a recurring booking; empty: ScopeThis
	ToCredit  bool    // the refund becomes account credit at once; otherwise it goes to the original payment method
	Reason    string  // ByStudio: shown to the customer; may be empty. Required for FeeWaive
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *CancelInput) Validate() error {
	if in.FeeMode == "" {
		in.FeeMode = FeePolicy
	}
	var c fault.Checks
	c.That(in.By == ByCustomer || in.By == ByStudio, "by", "Use customer or studio.")
	c.That(in.FeeMode == FeePolicy || in.FeeMode == FeeWaive, "feeMode", "Use policy or waive.")
	in.Scope.check(&c)
	CheckReason(&c, &in.Reason, in.FeeMode == FeeWaive)
	return c.Err()
}

// Cancel cancels a booking. Lateness, refund and fee are decided here, from the booking's copy of the policy, and not
// by the caller: By is the party on whose behalf the booking is cancelled, and FeeWaive, without any consequence,
// needs booking.override and a reason. A cancellation by the studio always refunds everything and never has a fee.
//
// For a recurring booking in.Scope selects the bookings to cancel with it: each by its own policy. The customer is
// notified once.
//
// With a date of a course all of its upcoming dates are cancelled. The price is refunded or not, and a fee is due,
// once.
//
// It needs booking.manage at the booking's location, or for the caller's own occurrences when this is one.
//
// Errors:
//   - Validation, not found
//   - ErrState
//   - ErrStarted for a cancellation by the customer after the start that is not waived
func (s *Service) Cancel(ctx context.Context, sc tenancy.Scope, in CancelInput) (Did[Cancellation], error) {
	return manage(ctx, s, sc, in.Validate, &in.Reason, func(tx *pg.Tx) (uuid.UUID, Cancellation, error) {
		if in.Scope.several() {
			done, err := s.cancelRecurring(ctx, tx, sc, in.BookingID, in.Scope, func(list map[uuid.UUID]subject, id uuid.UUID) ([]ending, error) {
				one := in
				one.BookingID = id
				return one.decide(sc, list, tx.Now())
			})
			return in.BookingID, done, err
		}
		done, err := s.cancelOne(ctx, tx, sc, in.BookingID, func(list map[uuid.UUID]subject) ([]ending, error) {
			return in.decide(sc, list, tx.Now())
		})
		return in.BookingID, done, err
	})
}

// decide returns how one of the locked bookings ends, and those that end with it.
func (in CancelInput) decide(sc tenancy.Scope, list map[uuid.UUID]subject, now time.Time) ([]ending, error) {
	asked, err := found(list, in.BookingID)
	if err != nil {
		return nil, err
	}
	if err := mayManage(sc, asked.LocationID, asked.Own, in.FeeMode == FeeWaive); err != nil {
		return nil, err
	}
	t := TransitionCancel
	if in.By == ByStudio {
		t = TransitionStudioCancel
	}
	parts := asked.ahead(list, t, now)
	if len(parts) == 0 {
		return nil, WrongState(asked.State)
	}
	b := parts[0]
	c, err := b.Cancelling(in.By, now)
	if err != nil {
		return nil, err
	}
	waived := in.FeeMode == FeeWaive && in.By == ByCustomer
	if in.By == ByCustomer && !waived && !now.Before(b.StartsAt) {
		return nil, At(ErrStarted, b.OccurrenceID)
	}
	if waived {
		c.RefundsPrice, c.KeepsDeposit = true, false
	}
	return endings(list, parts, ending{Consequence: c, waived: waived, words: in.Reason, credit: in.ToCredit}), nil
}

// CancelMine cancels a booking of the signed-in person, by its policy; with a date of a course all of its upcoming
// dates. A request is withdrawn free of charge.
//
// Errors:
//   - identity.ErrSignIn, ErrKeyRefused
//   - not found, also for another person's booking
//   - ErrState, ErrStarted, ErrNotAllowed
func (s *Service) CancelMine(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (DidMine[Cancellation], error) {
	return own(ctx, s, sc, id, func(tx *pg.Tx, sc tenancy.Scope) (Cancellation, error) {
		return s.cancelOne(ctx, tx, sc, id, func(list map[uuid.UUID]subject) ([]ending, error) {
			return decideMine(list, id, tx.Now())
		})
	})
}

// CancelMyRecurring is CancelMine for the bookings of a recurring one in scope: all of them or none, each by its own
// policy. The customer is notified once. Errors: Validation, also when the booking does not recur; those of
// CancelMine.
func (s *Service) CancelMyRecurring(ctx context.Context, sc tenancy.Scope, id uuid.UUID, scope Scope) (DidMine[Cancellation], error) {
	var c fault.Checks
	if scope.check(&c); c.Err() != nil {
		return DidMine[Cancellation]{}, c.Err()
	}
	if !scope.several() {
		return s.CancelMine(ctx, sc, id)
	}
	return own(ctx, s, sc, id, func(tx *pg.Tx, sc tenancy.Scope) (Cancellation, error) {
		return s.cancelRecurring(ctx, tx, sc, id, scope, func(list map[uuid.UUID]subject, id uuid.UUID) ([]ending, error) {
			return decideMine(list, id, tx.Now())
		})
	})
}

// cancelOne locks a booking, with all dates of its course, and ends those that decide names.
func (s *Service) cancelOne(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID,
	decide func(list map[uuid.UUID]subject) ([]ending, error),
) (Cancellation, error) {
	list, err := lockCourses(ctx, tx, sc.Person(), []uuid.UUID{id}, true)
	if err != nil {
		return Cancellation{}, err
	}
	ends, err := decide(list)
	if err != nil {
		return Cancellation{}, err
	}
	done, err := s.cancelTx(ctx, tx, sc, ends)
	if err != nil {
		return Cancellation{}, err
	}
	return together(ends, done), nil
}

func decideMine(list map[uuid.UUID]subject, id uuid.UUID, now time.Time) ([]ending, error) {
	asked, err := found(list, id)
	if err != nil {
		return nil, err
	}
	parts := asked.ahead(list, TransitionCancel, now)
	if len(parts) == 0 {
		return nil, WrongState(asked.State)
	}
	if err := parts[0].mayCancel(now); err != nil {
		return nil, err
	}
	c, err := parts[0].Cancelling(ByCustomer, now)
	if err != nil {
		return nil, err
	}
	return endings(list, parts, ending{Consequence: c}), nil
}
