package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Did is a booking after a verb, with the verb's effects. E is the same in a dry run and in a real call; the booking
// is as it would be or is.
type Did[E any] struct {
	Booking StudioBooking
	Done    E
}

// Effects returns the effects of the verb, for pg.Effective.
func (d Did[E]) Effects() any { return d.Done }

// DidMine is Did for the booking's own customer.
type DidMine[E any] struct {
	Booking CustomerBooking
	Done    E
}

// Effects returns the effects of the verb, for pg.Effective.
func (d DidMine[E]) Effects() any { return d.Done }

// staff runs a verb of the studio in one transaction, for a caller with f at some location; do checks the location.
// check validates the input, and words is its reason for the audit log; each is nil without one.
func staff[T any](ctx context.Context, s *Service, sc tenancy.Scope, f tenancy.Feature, check func() error, words *string,
	do func(tx *pg.Tx) (T, error),
) (T, error) {
	err := policy.RequireAny(sc, f)
	if err == nil && check != nil {
		err = check()
	}
	if err != nil {
		return *new(T), err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (T, error) {
		if words != nil {
			if err := tx.Because(ctx, *words); err != nil {
				return *new(T), err
			}
		}
		return do(tx)
	})
}

// change is staff for a verb on one booking. It returns the booking after the change.
func (s *Service) change(ctx context.Context, sc tenancy.Scope, f tenancy.Feature, id uuid.UUID, check func() error, words *string,
	do func(tx *pg.Tx) error,
) (StudioBooking, error) {
	return staff(ctx, s, sc, f, check, words, func(tx *pg.Tx) (StudioBooking, error) {
		if err := do(tx); err != nil {
			return StudioBooking{}, err
		}
		b, err := find(ctx, tx, sc.Person(), id)
		return b.StudioBooking, err
	})
}

// manage is staff for a verb with a dry run: do returns the booking to show and the effects.
func manage[E any](ctx context.Context, s *Service, sc tenancy.Scope, check func() error, words *string,
	do func(tx *pg.Tx) (uuid.UUID, E, error),
) (Did[E], error) {
	return staff(ctx, s, sc, policy.BookingManage, check, words, func(tx *pg.Tx) (Did[E], error) {
		id, done, err := do(tx)
		if err != nil {
			return Did[E]{}, err
		}
		b, err := find(ctx, tx, sc.Person(), id)
		return Did[E]{b.StudioBooking, done}, err
	})
}

// own is manage for a booking of the signed-in person: do has their scope in the booking's business.
func own[E any](ctx context.Context, s *Service, sc tenancy.Scope, id uuid.UUID, do func(tx *pg.Tx, sc tenancy.Scope) (E, error)) (DidMine[E], error) {
	sc, err := s.myScope(ctx, sc, id)
	if err != nil {
		return DidMine[E]{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (DidMine[E], error) {
		done, err := do(tx, sc)
		if err != nil {
			return DidMine[E]{}, err
		}
		b, err := myOne(ctx, tx, sc.Person(), id)
		return DidMine[E]{b, done}, err
	})
}
