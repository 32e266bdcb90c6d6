package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// DeclineInput declines a request.
type DeclineInput struct {
	BookingID uuid.UUID
	Reason    string // shown to the customer; may be empty
}

// Validate trims the input and checks it.
func (in *DeclineInput) Validate() error {
	var c fault.Checks
	CheckReason(&c, &in.Reason, false)
	return c.Err()
}

// Decline declines a request and refunds everything that was paid for it. It needs booking.manage at the booking's
// location, or for the caller's own occurrences. A course is declined with all of its dates. Errors: Validation; not
// found; ErrState.
func (s *Service) Decline(ctx context.Context, sc tenancy.Scope, in DeclineInput) (StudioBooking, error) {
	return s.change(ctx, sc, policy.BookingManage, in.BookingID, in.Validate, &in.Reason, func(tx *pg.Tx) error {
		list, b, err := lockCourse(ctx, tx, sc.Person(), in.BookingID)
		if err == nil {
			err = mayDecide(sc, b, false)
		}
		if err == nil {
			_, err = s.cancelTx(ctx, tx, sc, declined(list, b, in.Reason))
		}
		return err
	})
}

// declined is how a request ends that the studio does not take, and those that belong to it.
func declined(list map[uuid.UUID]subject, b subject, words string) []ending {
	return endings(list, b.asked(list), ending{Consequence: Consequence{Transition: TransitionDecline, RefundsPrice: true, Whole: true}, words: words})
}

// declineOverdue declines requests that have begun without a decision.
func (s *Service) declineOverdue(ctx context.Context, business uuid.UUID) (int, error) {
	return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) {
		ids, err := overdueRequests(ctx, tx, dueSweep)
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		list, err := lockCourses(ctx, tx, uuid.Nil, ids, false)
		if err != nil {
			return 0, err
		}
		var over []ending
		ended := map[uuid.UUID]bool{}
		for _, id := range ids {
			b := list[id]
			if b.State != Requested || ended[id] {
				continue
			}
			for _, e := range declined(list, b, "") {
				over, ended[e.ID] = append(over, e), true
			}
		}
		_, err = s.cancelTx(ctx, tx, tenancy.System(business, tenancy.SurfaceJob), over)
		return len(ids), err
	})
}

// dueSweep is how many bookings of one business a round of CompleteDue ends at once.
const dueSweep = 200
