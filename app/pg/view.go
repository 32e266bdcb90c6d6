package pg

import (
	"context"
	"fmt"
	"strings"
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

// Batch collects statements that go to the server together: one round trip. Those of a view are reads with one snapshot of
// the business setting. Those of a transaction run one after the other, each on what was committed when it begins, so
// that a read behind a lock sees what the lock was waited for.
type Batch struct {
	db *DB
	tx *Tx // nil for a view's
	b  pgx.Batch
	// answered is how many statements had a good answer: the next one is the one that failed.
	answered int
}

// Batch starts an empty batch.
func (v *View) Batch() *Batch {
	b := &Batch{db: v.db}
	if v.business != uuid.Nil {
		QueueExec(b, setBusiness, v.business.String())
	}
	return b
}

// Batch starts an empty batch.
func (tx *Tx) Batch() *Batch { return &Batch{db: tx.db, tx: tx} }

// QueueExec adds a statement whose rows, if any, nobody wants.
func QueueExec(b *Batch, sql string, args ...any) {
	b.b.Queue(sql, args...).Exec(func(_ pgxTag) error {
		b.answered++
		return nil
	})
}

// QueueAll adds a query whose rows are put into dst by Send.
func QueueAll[T any](b *Batch, dst *[]T, sql string, args ...any) {
	b.b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*dst, err = collect[T](rows)
		return b.counted(err)
	})
}

// QueueOne adds a query whose only row is put into dst by Send; found tells whether there was one.
func QueueOne[T any](b *Batch, dst *T, found *bool, sql string, args ...any) {
	b.b.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		v, err := one[T](rows)
		if err == ErrNoRow {
			*found = false
			return b.counted(nil)
		}
		*dst, *found = v, err == nil
		return b.counted(err)
	})
}

func (b *Batch) counted(err error) error {
	if err == nil {
		b.answered++
	}
	return err
}

// Send runs the batch. Its first error is the one that is told, and nothing after it has been run.
func (b *Batch) Send(ctx context.Context) error {
	if b.tx == nil {
		return failed(b.which(b.db.pool.SendBatch(ctx, &b.b).Close()))
	}
	conn, err := b.tx.Conn(ctx)
	if err != nil {
		return err
	}
	return failed(b.which(conn.SendBatch(ctx, &b.b).Close()))
}

// which says how the statement begins that failed: who sends a batch has not written each of its statements.
func (b *Batch) which(err error) error {
	if err == nil || b.answered >= len(b.b.QueuedQueries) {
		return err
	}
	begins, _, _ := strings.Cut(strings.TrimSpace(b.b.QueuedQueries[b.answered].SQL), "\n")
	return fmt.Errorf("%q: %w", begins, err)
}
