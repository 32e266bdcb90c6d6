package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Leave removes the signed-in person from the waitlist of a date, for an attendee; also with an open offer, whose
// seats go to the next entry. Without an entry it changes nothing. Errors: identity.ErrSignIn, ErrKeyRefused;
// ErrHasSeat when the entry became a booking; not found for a date that the offering does not have.
func (s *Service) Leave(ctx context.Context, sc tenancy.Scope, offering, occurrence uuid.UUID, attendee string) error {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		id, found, err := entryOfPerson(ctx, tx, offering, occurrence, person, names.Clean(attendee))
		if err != nil || !found {
			return err
		}
		return leave(ctx, tx, sc, id, "left")
	})
}

// LeaveBy is Leave by the token of an entry: one click, without signing in. Not found for an unknown token.
func (s *Service) LeaveBy(ctx context.Context, sc tenancy.Scope, token string) (CustomerEntry, error) {
	return s.answer(ctx, sc, token, func(tx *pg.Tx, entry uuid.UUID) error {
		return leave(ctx, tx, sc, entry, "left by the link")
	})
}

// LeaveMine is Leave by the entry's id, in any business. Another person's entry is not found.
func (s *Service) LeaveMine(ctx context.Context, p tenancy.Principal, id uuid.UUID, surface tenancy.Surface) error {
	person, err := identity.PersonOf(p)
	if err != nil {
		return err
	}
	business, err := businessOfEntry(ctx, s.db, person, id)
	if err != nil {
		return err
	}
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		return leave(ctx, tx, tenancy.Visitor(p, business, surface), id, "left")
	})
}

// leave removes an entry from its list and offers its seats to the next one in the same transaction.
func leave(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, why string) error {
	r, w, err := beginList(ctx, tx, sc, id)
	if err != nil {
		return err
	}
	switch {
	case w.State == Promoted:
		return ErrHasSeat.With("bookingId", w.BookingID.String())
	case !w.State.OnList():
		return nil
	}
	if err := r.end(ctx, r.sc, TransitionLeave, why, id); err != nil {
		return err
	}
	return r.goOn(ctx)
}
