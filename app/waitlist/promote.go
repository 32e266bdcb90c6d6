package waitlist

import (
	"context"

	"foyer/app/booking"
	"foyer/app/tenancy"
)

// Promote books an entry now, in any position and any mode of the list, and notifies the customer. It occupies the
// seats on offer to the entry, else a seat of the storefront, else one of the front desk; with Override the date gets
// more seats.
//
// It needs booking.manage at the location, or for the caller's own occurrence; Override also needs booking.override.
//
// Errors:
//   - Validation on reason
//   - not found
//   - ErrHasSeat
//   - ErrNotWaiting with details.state
//   - ErrStarted, ErrCancelled, ErrDuplicate, ErrFull with details.occurrenceId
func (s *Service) Promote(ctx context.Context, sc tenancy.Scope, in EntryInput) (StudioEntry, error) {
	return s.managed(ctx, sc, in, func(r *listRound, w Entry) error {
		if err := r.ahead(); err != nil {
			return err
		}
		if w.State.OnList() {
			if err := booking.NoSeatYet(ctx, r.tx, w.CustomerID, w.Attendee, r.d.ID); err != nil {
				return err
			}
		}
		if err := r.backToWaiting(ctx, w); err != nil {
			return err
		}
		online := w.State == Offered || r.d.Spots() >= w.Party
		if !online {
			if err := r.makeRoom(ctx, in, w.Party, false); err != nil {
				return err
			}
		}
		ok, err := r.promote(ctx, w, online, in.because("booked by the studio"))
		if err == nil && !ok {
			err = booking.At(booking.ErrFull, r.d.ID)
		}
		return err
	})
}
