package booking

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// dueSweep is how many bookings of one business a round of CompleteDue ends at once.
const dueSweep = 200

// CompleteDue is the sweep booking.complete. Guests who were there and whose session is over have completed it; a request
// whose time has come without an answer is declined, so that nobody's money is kept for nothing. Those who were neither
// marked as there nor as missing stay confirmed: who came is the studio's word. It can run in several processes at once.
func (s *Service) CompleteDue(ctx context.Context) error {
	var failed error
	var key *uuid.UUID
	for {
		businesses, err := businessesAfter(ctx, s.db, key, dueSweep)
		if err != nil || len(businesses) == 0 {
			return errors.Join(failed, err)
		}
		for _, b := range businesses {
			failed = errors.Join(failed, s.completeAll(ctx, b)) // the others' shall not wait for this one's
		}
		key = &businesses[len(businesses)-1]
	}
}

func (s *Service) completeAll(ctx context.Context, business uuid.UUID) error {
	for _, round := range []func(context.Context, uuid.UUID) (int, error){s.complete, s.declineOverdue} {
		for {
			n, err := round(ctx, business)
			if err != nil {
				return err
			}
			if n < dueSweep {
				break
			}
		}
	}
	return nil
}

func (s *Service) complete(ctx context.Context, business uuid.UUID) (int, error) {
	return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) {
		ids, err := finished(ctx, tx, dueSweep)
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		if err := completeBookings(ctx, tx, ids); err != nil {
			return 0, err
		}
		steps := make([]step, len(ids))
		for i, id := range ids {
			steps[i] = step{id, CheckedIn}
		}
		return len(ids), record(ctx, tx, tenancy.System(business, tenancy.SurfaceJob), MoveComplete, "", steps)
	})
}
