package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// CompleteDue is the sweep booking.complete. It completes checked-in bookings of ended occurrences, and declines
// requests that have begun without a decision, so that no payment stays authorized for nothing. Bookings without an
// attendance mark stay confirmed: attendance is for the studio to record. It can run in several processes at once.
func (s *Service) CompleteDue(ctx context.Context) error {
	return s.db.EachOf(ctx, "select business_id from app.due_bookings($3, $1, $2)", s.completeAll, s.db.Clock().Now())
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
		return len(ids), record(ctx, tx, tenancy.System(business, tenancy.SurfaceJob), TransitionComplete, "", leavingAll(ids, CheckedIn))
	})
}
