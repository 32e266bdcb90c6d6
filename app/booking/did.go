package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Did is a booking after a verb, with what the verb did: E is the same in a rehearsal and in the real thing, the booking
// is as it would be or is.
type Did[E any] struct {
	Booking StudioBooking
	Done    E
}

// Effects is what the verb did: pg.Effective.
func (d Did[E]) Effects() any { return d.Done }

// DidMine is Did for the booking's own customer.
type DidMine[E any] struct {
	Booking CustomerBooking
	Done    E
}

// Effects is what the verb did: pg.Effective.
func (d DidMine[E]) Effects() any { return d.Done }

// manage runs a verb of the studio in one transaction, for somebody who holds booking.manage somewhere: do looks where, and
// says which booking the answer shows. words is what in says for the audit log.
func manage[E any](ctx context.Context, s *Service, sc tenancy.Scope, in interface{ Validate() error }, words *string,
	do func(tx *pg.Tx) (uuid.UUID, E, error),
) (Did[E], error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return Did[E]{}, err
	}
	if err := in.Validate(); err != nil {
		return Did[E]{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Did[E], error) {
		if err := tx.Because(ctx, *words); err != nil {
			return Did[E]{}, err
		}
		id, done, err := do(tx)
		if err != nil {
			return Did[E]{}, err
		}
		return did(ctx, tx, sc, id, done)
	})
}

func did[E any](ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, done E) (Did[E], error) {
	b, err := find(ctx, tx, sc.Person(), id)
	return Did[E]{b.StudioBooking, done}, err
}

func didMine[E any](ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, done E) (DidMine[E], error) {
	b, err := myOne(ctx, tx, sc.Person(), id)
	return DidMine[E]{b, done}, err
}
