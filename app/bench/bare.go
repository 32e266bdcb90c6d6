package bench

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/pg"
)

// bare is a pool for inserts into a table that has the constraints and indexes of claims and nothing else: no row-level
// security and no foreign keys.
type bare struct{ pool *pgxpool.Pool }

func (b *bench) openBare(ctx context.Context) (bare, error) {
	if _, err := b.super.Exec(ctx, `create table bench.bare_claims (like public.claims including all);
		grant insert, select on bench.bare_claims to foyer_app`); err != nil {
		return bare{}, err
	}
	config, err := pgxpool.ParseConfig(b.URL("foyer_app"))
	if err != nil {
		return bare{}, err
	}
	config.MaxConns = rushClients
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return bare{pool}, err
}

func (b bare) close() { b.pool.Close() }

// on inserts claims of a "member" or a "space".
func (b bare) on(resource string) *inserting {
	return &inserting{exec: b.exec, sql: insertBare(resource)}
}

// exec returns the SQLSTATE of what the server refuses.
func (b bare) exec(ctx context.Context, sql string, args ...any) (code string, err error) {
	_, err = b.pool.Exec(ctx, sql, args...)
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		code = pe.Code
	}
	return code, err
}

// inserting inserts what carts would want.
type inserting struct {
	exec func(ctx context.Context, sql string, args ...any) (code string, err error)
	sql  string
	used atomic.Int64
}

// one inserts, and tells whether it got the time. What ends in a deadlock is tried three times, as in the product.
func (i *inserting) one(ctx context.Context) (bool, error) {
	n := i.used.Add(1) - 1
	for range 3 {
		switch code, err := i.exec(ctx, i.sql, pg.NewID(), n/rushClients); code {
		case "":
			return err == nil, err
		case "23P01": // exclusion_violation: taken
			return false, nil
		case "40P01": // deadlock_detected
		default:
			return false, err
		}
	}
	return false, errVain
}

// insertBare is an insert about a "member" or a "space".
func insertBare(resource string) string {
	return strings.ReplaceAll(`insert into bench.bare_claims (id, business_id, occurrence_id, $resource_id, starts_at, ends_at, exclusive)
		values ($1, bench.rush(), $1, bench.rush_$resource($2), bench.rush_time($2), bench.rush_time($2) + interval '30 minutes', true)`,
		"$resource", resource)
}
