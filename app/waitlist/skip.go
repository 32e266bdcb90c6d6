package waitlist

import (
	"context"

	"foyer/app/tenancy"
)

// Skip skips an entry: it withdraws an open offer and offers the seats to the next entry. Once all entries had an
// offer the entry waits at its position again. Skipping again changes nothing. It needs booking.manage at the
// location, or for the caller's own occurrence. Errors: not found; ErrHasSeat; ErrNotWaiting with details.state.
func (s *Service) Skip(ctx context.Context, sc tenancy.Scope, in EntryInput) (StudioEntry, error) {
	return s.managed(ctx, sc, in, func(r *listRound, w Entry) error {
		switch w.State {
		case Expired, Skipped:
			return nil
		case Waiting, Offered:
			return r.end(ctx, r.sc, TransitionSkip, in.because("passed over by the studio"), w.ID)
		}
		return w.notWaiting()
	})
}

// Remove removes an entry from the list; the seats of an open offer go to the next entry. An entry that is not on the
// list any more stays as it is. It needs booking.manage at the location, or for the caller's own occurrence. Errors:
// not found; ErrHasSeat.
func (s *Service) Remove(ctx context.Context, sc tenancy.Scope, in EntryInput) error {
	_, err := s.managed(ctx, sc, in, func(r *listRound, w Entry) error {
		switch {
		case w.State == Promoted:
			return w.notWaiting()
		case !w.State.OnList():
			return nil
		}
		return r.end(ctx, r.sc, TransitionLeave, in.because("removed by the studio"), w.ID)
	})
	return err
}
