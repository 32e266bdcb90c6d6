package bench

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
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
