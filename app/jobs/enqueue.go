package jobs

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"foyer/app/pg"
)

// schema is where River's tables live (package migrate makes them).
const schema = "river"

// maxAttempts bounds the tries of one job: River's backoff of attempt^4 seconds makes ten of them about seven hours.
const maxAttempts = 10

// Args is the argument struct of one kind of job: ids and small facts, encoded as JSON. Kind names it for ever.
type Args interface{ Kind() string }

// inserter writes jobs on the caller's connection; it needs no pool of its own.
var inserter = sync.OnceValues(func() (*river.Client[pgx.Tx], error) {
	return river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: schema})
})

// EnqueueTx puts a job into the outbox. It runs after the transaction commits, at once if a worker is free.
func EnqueueTx(ctx context.Context, tx *pg.Tx, args Args) error {
	client, err := inserter()
	if err != nil {
		return err
	}
	t, err := tx.PgxTx(ctx)
	if err != nil {
		return err
	}
	_, err = client.InsertTx(ctx, t, args, &river.InsertOpts{MaxAttempts: maxAttempts})
	return err
}
