package waitlist

import (
	"context"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Decline says no to an offer, by the token of the entry; nobody need be signed in. The seats go to the next in line
// in the same transaction. Saying no again changes nothing. Errors: not found for an unknown token; ErrHasSeat when it was
// accepted; ErrOfferOver when it ran out; ErrNoOffer with details.state when there is none.
func (s *Service) Decline(ctx context.Context, sc tenancy.Scope, token string) (CustomerEntry, error) {
	at, found, err := s.locate(ctx, token)
	if err != nil || !found || at.BusinessID != sc.Tenant {
		return CustomerEntry{}, orElse(err, fault.Missing())
	}
	_, err = pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		r, w, err := beginList(ctx, tx, sc, at.ID)
		if err != nil || w.State == Declined {
			return struct{}{}, err
		}
		if !w.Open(tx.Now()) {
			return struct{}{}, w.noOffer()
		}
		if err := r.end(ctx, r.sc, TransitionDecline, "declined", w.ID); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, r.goOn(ctx)
	})
	if err != nil {
		return CustomerEntry{}, err
	}
	return s.customerEntry(ctx, sc.Tenant, at.ID)
}

// noOffer says why an entry without an open offer cannot be answered.
func (w Entry) noOffer() error {
	switch w.State {
	case Promoted:
		return ErrHasSeat.With("bookingId", w.BookingID.String())
	case Offered, Expired:
		return ErrOfferOver
	}
	return ErrNoOffer.With("state", string(w.State))
}
