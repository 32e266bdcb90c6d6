package waitlist

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
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
	_, err = pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		id, found, err := entryOfPerson(ctx, tx, offering, occurrence, person, strings.TrimSpace(attendee))
		if err != nil || !found {
			return struct{}{}, err
		}
		return struct{}{}, s.leaveTx(ctx, tx, sc, id, "left")
	})
	return err
}

// LeaveBy is Leave by the token of an entry: one click, and nobody need be signed in. Not found for an
// unknown token.
func (s *Service) LeaveBy(ctx context.Context, sc tenancy.Scope, token string) (CustomerEntry, error) {
	at, found, err := s.locate(ctx, token)
	if err != nil || !found || at.BusinessID != sc.Tenant {
		return CustomerEntry{}, orElse(err, fault.Missing())
	}
	_, err = pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, s.leaveTx(ctx, tx, sc, at.ID, "left by the link")
	})
	if err != nil {
		return CustomerEntry{}, err
	}
	return s.customerEntry(ctx, sc.Tenant, at.ID)
}

// LeaveMine is Leave by the entry's id, whichever business it is in. Somebody else's is not found.
func (s *Service) LeaveMine(ctx context.Context, p tenancy.Principal, id uuid.UUID, surface tenancy.Surface) error {
	person, err := identity.PersonOf(p)
	if err != nil {
		return err
	}
	business, found, err := businessOfEntry(ctx, s.db, person, id)
	if err != nil || !found {
		return orElse(err, fault.Missing())
	}
	sc := tenancy.Visitor(p, business, surface)
	_, err = pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, s.leaveTx(ctx, tx, sc, id, "left")
	})
	return err
}

// leaveTx takes an entry off its list and has the next one asked in the same transaction.
func (s *Service) leaveTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, why string) error {
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
