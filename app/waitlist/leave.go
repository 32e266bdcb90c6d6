package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Leave takes the signed-in person off the waitlist of a date, for an attendee; also while a seat is on offer to
// them, which then goes to the next. Who does not wait there has left already. Errors: identity.ErrSignIn, ErrKeyRefused;
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

// LeaveBy is Leave by the token of an entry: one click, and nobody need be signed in. Not found for an
// unknown token.
func (s *Service) LeaveBy(ctx context.Context, sc tenancy.Scope, token string) (CustomerEntry, error) {
	return s.answer(ctx, sc, token, func(tx *pg.Tx, entry uuid.UUID) error {
		return leave(ctx, tx, sc, entry, "left by the link")
	})
}

// LeaveMine is Leave by the entry's id, whichever business it is in. Somebody else's is not found.
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

// leave takes an entry off its list and has the next one asked in the same transaction.
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
