package pg

import (
	"context"
	"time"
)

// Batches calls do until a batch is not full: fewer than most. Each batch is a transaction of its own, so that a long
// sweep does not block others, and a killed one has finished some batches and changed nothing of the others.
func Batches(most int, do func() (int, error)) error {
	for {
		if n, err := do(); err != nil || n < most {
			return err
		}
	}
}

// dropAtOnce is the number of rows that one statement of Tidy deletes.
const dropAtOnce = 1000

// Tidy is the sweep pg.tidy: it deletes answers, quotes and windows of rate limits after their retention. It can run
// in several processes at once.
func (db *DB) Tidy(ctx context.Context) error {
	for _, drop := range []func(context.Context) (int, error){db.dropReplays, db.dropQuotes, db.dropWindows} {
		if err := Batches(dropAtOnce, func() (int, error) { return drop(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

// drop runs a statement that deletes at most $2 rows older than age, and returns the number deleted.
func (db *DB) drop(ctx context.Context, sql string, age time.Duration) (int, error) {
	tag, err := db.Pool().Exec(ctx, sql, db.clock.Now().Add(-age), dropAtOnce)
	return int(tag.RowsAffected()), err
}
