package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// RescheduleInput reschedules a booking.
type RescheduleInput struct {
	BookingID uuid.UUID
	Target    Target
	Scope     Scope  // of a recurring booking; empty: ScopeThis
	Override  bool   // override the rules: full, closed for booking, begun
	Reason    string // needed for it
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *RescheduleInput) Validate() error {
	var c fault.Checks
	in.Target.check(&c)
	in.Scope.check(&c)
	CheckReason(&c, &in.Reason, in.Override)
	return c.Err()
}

// Reschedule reschedules a booking; it keeps its id. The new seats are occupied before the old ones are released, in
// one transaction, so the customer never has neither, and never both.
//
// A course that has not begun is rescheduled as a whole to another course of its location with as many dates
// (Target.CourseID). The price difference is reported and not charged.
//
// For a recurring booking in.Scope selects the bookings to reschedule with it: by as many days, to the same time of
// day, on the location's wall clock. All of them or none: ErrClashes with details.clashes names the unavailable ones.
//
// It needs booking.manage at the booking's location, or for the caller's own occurrences when this is one; overriding
// rules needs booking.override and a reason.
//
// Errors:
//   - Validation, not found
//   - ErrState
//   - ErrCourse, ErrCourseDiffers
//   - ErrDuplicate
//   - ErrClashes
//   - the errors of place.sold and availability.AssignTx
//   - ErrFull, of a course with details.dates
func (s *Service) Reschedule(ctx context.Context, sc tenancy.Scope, in RescheduleInput) (Did[Rescheduled], error) {
	return manage(ctx, s, sc, in.Validate, &in.Reason, func(tx *pg.Tx) (uuid.UUID, Rescheduled, error) {
		if in.Target.CourseID != uuid.Nil {
			done, err := s.moveCourse(ctx, tx, sc, in)
			return in.BookingID, done, err
		}
		if in.Scope.several() {
			done, err := in.moveRecurring(ctx, tx, sc)
			return in.BookingID, done, err
		}
		b, err := lockBooking(ctx, tx, sc.Person(), in.BookingID, false)
		if err == nil {
			err = mayManage(sc, b.LocationID, b.Own, in.Override)
		}
		switch {
		case err != nil:
			return b.ID, Rescheduled{}, err
		case b.State != TransitionReschedule.From():
			return b.ID, Rescheduled{}, WrongState(b.State)
		case b.Course():
			return b.ID, Rescheduled{}, NotCourse(b.OfferingID).WithMessage("A course can only be rescheduled to another course, with all its dates.")
		}
		m := moving{sc: sc, subject: b, target: in.Target, staff: true, override: in.Override, words: in.Reason}
		done, err := m.move(ctx, tx)
		return b.ID, done, err
	})
}

// RescheduleMine reschedules a booking of the signed-in person, within its policy.
//
// Errors:
//   - identity.ErrSignIn, ErrKeyRefused
//   - Validation, not found
//   - ErrState, ErrCourse, ErrStarted, ErrNotAllowed, ErrTooLate
//   - ErrDuplicate
//   - the storefront's refusals of the new time
//   - ErrFull
//   - ErrPriceDifference
func (s *Service) RescheduleMine(ctx context.Context, sc tenancy.Scope, id uuid.UUID, to Target) (DidMine[Rescheduled], error) {
	var c fault.Checks
	if to.check(&c); c.Err() != nil {
		return DidMine[Rescheduled]{}, c.Err()
	}
	return own(ctx, s, sc, id, func(tx *pg.Tx, sc tenancy.Scope) (Rescheduled, error) {
		b, err := lockBooking(ctx, tx, sc.Person(), id, false)
		if err == nil {
			err = b.MayReschedule(tx.Now())
		}
		if err != nil {
			return Rescheduled{}, err
		}
		return moving{sc: sc, subject: b, target: to}.move(ctx, tx)
	})
}
