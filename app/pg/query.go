package pg

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/ent"
)

// Reader is what a store function reads through: a *Tx inside a verb, a *View outside.
type Reader interface {
	// Ent is an ent client bound to this transaction or view.
	Ent() *ent.Client
	// Now is the time of the transaction, or of the view's making.
	Now() time.Time
	// Business is the tenant all statements act for.
	Business() uuid.UUID
	// Batch starts an empty batch of statements for one round trip.
	Batch() *Batch
	query(ctx context.Context, sql string, args []any) (pgx.Rows, error)
}

// ErrNoRow says that One found nothing.
var ErrNoRow = errors.New("pg: no row")

// All returns every row of the query. T is a struct whose db tags or names match the columns, or a scalar.
func All[T any](ctx context.Context, r Reader, sql string, args ...any) ([]T, error) {
	rows, err := r.query(ctx, sql, args)
	if err != nil {
		return nil, failed(err)
	}
	list, err := collect[T](rows)
	return list, failed(err)
}

// One returns the only row of the query, or ErrNoRow.
func One[T any](ctx context.Context, r Reader, sql string, args ...any) (T, error) {
	rows, err := r.query(ctx, sql, args)
	if err != nil {
		var zero T
		return zero, failed(err)
	}
	v, err := one[T](rows)
	return v, failed(err)
}

func one[T any](rows pgx.Rows) (T, error) {
	list, err := collect[T](rows)
	if err == nil && len(list) == 0 {
		err = ErrNoRow
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return list[0], nil
}
