package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// DeclineInput says no to a request.
type DeclineInput struct {
	BookingID uuid.UUID
	Reason    string // told to the customer; may be empty
}

// Validate trims the input and checks it.
func (in *DeclineInput) Validate() error {
	var c fault.Checks
	in.Reason = checkWords(&c, "body.reason", in.Reason)
	return c.Err()
}

// Decline says no to a request: all of what was paid for it goes back. It needs booking.manage at the booking's location,
// or for the caller's own sessions. Errors: Validation; not found; ErrState.
func (s *Service) Decline(ctx context.Context, sc tenancy.Scope, in DeclineInput) (Did[Decided], error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return Did[Decided]{}, err
	}
	if err := in.Validate(); err != nil {
		return Did[Decided]{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Did[Decided], error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return Did[Decided]{}, err
		}
		b, err := lockBooking(ctx, tx, sc.Person(), in.BookingID)
		if err != nil {
			return Did[Decided]{}, err
		}
		if err := mayDecide(sc, b, false); err != nil {
			return Did[Decided]{}, err
		}
		done, err := s.cancelTx(ctx, tx, sc, []ending{declined(b, in.Reason)})
		if err != nil {
			return Did[Decided]{}, err
		}
		return did(ctx, tx, sc, b.ID, Decided{
			BookingID: b.ID, State: Declined, StartsAt: b.StartsAt, BackAmount: done[0].BackAmount, Overridden: []string{}, Mail: true,
		})
	})
}

// declined is how a request ends that the studio does not take.
func declined(b subject, words string) ending {
	return ending{subject: b, Consequence: Consequence{Move: MoveDecline, PriceBack: true, Whole: true}, words: words}
}

// declineOverdue says no to requests whose time has come without an answer.
func (s *Service) declineOverdue(ctx context.Context, business uuid.UUID) (int, error) {
	return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) {
		ids, err := overdueRequests(ctx, tx, dueSweep)
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		list, err := lockBookings(ctx, tx, uuid.Nil, ids, false)
		if err != nil {
			return 0, err
		}
		var over []ending
		for _, id := range ids {
			if b := list[id]; b.State == Requested {
				over = append(over, declined(b, ""))
			}
		}
		_, err = s.cancelTx(ctx, tx, tenancy.System(business, tenancy.SurfaceJob), over)
		return len(ids), err
	})
}
