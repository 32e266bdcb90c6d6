package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
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

func did[E any](ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, done E) (Did[E], error) {
	e, _, err := find(ctx, tx, sc.Person(), id)
	return Did[E]{e, done}, err
}

func didMine[E any](ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, done E) (DidMine[E], error) {
	list, err := visits(ctx, tx, sc.Person(), []uuid.UUID{id})
	if err == nil && len(list) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return DidMine[E]{}, err
	}
	return DidMine[E]{list[0], done}, nil
}
