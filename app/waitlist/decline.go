package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Decline declines an offer, by the token of the entry, without signing in. The seats are offered to the next entry
// in the same transaction. Declining again changes nothing.
//
// Errors:
//   - not found for an unknown token
//   - ErrHasSeat when it was accepted
//   - ErrOfferExpired after the deadline
//   - ErrNoOffer with details.state when there is none
func (s *Service) Decline(ctx context.Context, sc tenancy.Scope, token string) (CustomerEntry, error) {
	return s.answer(ctx, sc, token, func(tx *pg.Tx, entry uuid.UUID) error {
		r, w, err := beginList(ctx, tx, sc, entry)
		if err != nil || w.State == Declined {
			return err
		}
		if !w.Open(tx.Now()) {
			return w.noOffer()
		}
		if err := r.end(ctx, r.sc, TransitionDecline, "declined", w.ID); err != nil {
			return err
		}
		return r.goOn(ctx)
	})
}

// noOffer returns the error for an entry without an open offer.
func (w Entry) noOffer() error {
	switch w.State {
	case Promoted:
		return ErrHasSeat.With("bookingId", w.BookingID.String())
	case Offered, Expired:
		return ErrOfferExpired
	}
	return ErrNoOffer.With("state", string(w.State))
}
