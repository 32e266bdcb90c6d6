package pg

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/ent"
)

const setBusiness = "select set_config('app.business_id', $1, true)"

// View reads as one business. Each statement is one round trip and its own implicit transaction: set_config and the
// statement share one Sync, so the setting lives and dies with them. For several reads in one trip, use Batch.
type View struct {
	db       *DB
	business uuid.UUID
	now      time.Time
	client   *ent.Client
}

// View returns a view of one business's rows; uuid.Nil sees the tables without a tenant only.
func (db *DB) View(business uuid.UUID) *View {
	return &View{db: db, business: business, now: db.clock.Now()}
}

// Ent is a read-only ent client: a write through it fails.
func (v *View) Ent() *ent.Client {
	if v.client == nil {
		v.client = ent.NewClient(ent.Driver(&entDriver{r: v}))
	}
	return v.client
}

// Now is when the view was made.
func (v *View) Now() time.Time { return v.now }

// Business is the tenant the view reads as.
func (v *View) Business() uuid.UUID { return v.business }

func (v *View) query(ctx context.Context, sql string, args []any) (pgx.Rows, error) {
	if v.business == uuid.Nil {
		return v.db.pool.Query(ctx, sql, args...)
	}
	b := &pgx.Batch{}
	b.Queue(setBusiness, v.business.String())
	b.Queue(sql, args...)
	return lastOf(v.db.pool.SendBatch(ctx, b), 1)
}

// lastOf skips the first n answers of a batch and returns the rows of the next; closing them closes the batch.
func lastOf(br pgx.BatchResults, n int) (pgx.Rows, error) {
	for range n {
		if _, err := br.Exec(); err != nil {
			_ = br.Close() // the first error is the one to tell
			return nil, err
		}
	}
	rows, err := br.Query()
	if err != nil {
		_ = br.Close()
		return nil, err
	}
	return &batchRows{Rows: rows, batch: br}, nil
}

// batchRows closes its batch with itself, which frees the connection.
type batchRows struct {
	pgx.Rows
	batch pgx.BatchResults
	err   error
	done  bool
}

func (r *batchRows) Close() {
	r.Rows.Close()
	if !r.done {
		r.done = true
		r.err = r.batch.Close()
	}
}

func (r *batchRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}
