package waitlist

import (
	"context"

	"foyer/app/booking"
	"foyer/app/tenancy"
)

// Offer offers seats to an entry now, in any position and any mode of the list, for the usual time. With Override the
// date gets more seats. An entry with an open offer keeps it as it is.
//
// It needs booking.manage at the location, or for the caller's own occurrence; Override also needs booking.override.
//
// Errors:
//   - Validation on reason
//   - not found
//   - ErrHasSeat
//   - ErrNotWaiting with details.state
//   - ErrClosed with details.at
//   - ErrStarted, ErrCancelled, ErrFull with details.occurrenceId
func (s *Service) Offer(ctx context.Context, sc tenancy.Scope, in EntryInput) (StudioEntry, error) {
	return s.managed(ctx, sc, in, func(r *listRound, w Entry) error {
		if err := r.ahead(); err != nil || w.State == Offered {
			return err
		}
		if until := r.d.asksUntil(); !r.tx.Now().Before(until) {
			return ErrClosed.With("at", until)
		}
		if err := r.backToWaiting(ctx, w); err != nil {
			return err
		}
		if err := r.makeRoom(ctx, in, w.Party, true); err != nil {
			return err
		}
		ok, err := r.offer(ctx, w.ID, w.Party, in.because("asked by the studio"))
		if err == nil && !ok {
			err = booking.At(booking.ErrFull, r.d.ID)
		}
		return err
	})
}
