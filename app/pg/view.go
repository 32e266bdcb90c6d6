package pg

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/ent"
)

const setBusiness = "select set_config('app.business_id', $1, true)"

// setBusinessKept is setBusiness for a view with generic plans, and for one that sends a hot statement.
var setBusinessKept = Hot(setBusiness + keepPlans)

// View reads as one business. Each statement is one round trip and its own implicit transaction: set_config and the
// statement share one Sync, so the setting ends with them. For several reads in one trip, use Batch.
type View struct {
	db       *DB
	business uuid.UUID
	now      time.Time
	set      string // the statement that sets the business, before every other
	client   *ent.Client
}

// View returns a view of one business's rows. With uuid.Nil it is a view of the tables without a tenant only.
func (db *DB) View(business uuid.UUID) *View {
	return &View{db: db, business: business, now: db.clock.Now(), set: setBusiness}
}

// Kept returns the same view with generic plans, for statements that have one good plan for all arguments: a
// connection plans them once. Otherwise Postgres plans a list anew at each call, because it estimates a known limit
// as cheaper than an unknown one, and the planning costs more than the list.
func (v *View) Kept() *View {
	return &View{db: v.db, business: v.business, now: v.now, set: setBusinessKept}
}

// Ent returns a read-only ent client: a write through it fails.
func (v *View) Ent() *ent.Client {
	if v.client == nil {
		v.client = ent.NewClient(ent.Driver(&entDriver{r: v}))
	}
	return v.client
}

// Now returns the time of the view's creation.
func (v *View) Now() time.Time { return v.now }

// Business returns the tenant of the view.
func (v *View) Business() uuid.UUID { return v.business }

func (v *View) query(ctx context.Context, sql string, args []any) (pgx.Rows, error) {
	if v.business == uuid.Nil {
		return v.db.Pool().Query(ctx, sql, args...)
	}
	set := v.set
	if hot[sql] {
		set = setBusinessKept
	}
	b := &pgx.Batch{}
	b.Queue(set, v.business.String())
	b.Queue(sql, args...)
	return lastOf(v.db.Pool().SendBatch(ctx, b), 1)
}

// lastOf skips the first n answers of a batch and returns the rows of the next; closing them closes the batch.
func lastOf(br pgx.BatchResults, n int) (pgx.Rows, error) {
	for range n {
		if _, err := br.Exec(); err != nil {
			_ = br.Close() // the first error is the one to return
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

// batchRows closes its batch together with itself, and so frees the connection.
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

// Batch collects statements that go to the server together: one round trip. Those of a view are reads with one
// setting of the business. Those of a transaction run one after the other, each on the data committed when it begins,
// so that a read after a lock sees the changes of the lock's previous holder.
type Batch struct {
	db *DB
	tx *Tx // nil for a view's
	b  pgx.Batch
	// answered is the number of successful statements: the next one is the failed one.
	answered int
}

// Batch starts an empty batch.
func (v *View) Batch() *Batch {
	b := &Batch{db: v.db}
	if v.business != uuid.Nil {
		QueueExec(b, v.set, v.business.String())
	}
	return b
}

// Batch starts an empty batch.
func (tx *Tx) Batch() *Batch { return &Batch{db: tx.db, tx: tx} }

// QueueExec adds a statement and ignores its rows.
func QueueExec(b *Batch, sql string, args ...any) {
	b.b.Queue(sql, args...).Exec(func(_ pgxTag) error {
		b.answered++
		return nil
	})
}

// QueueAll adds a query. Send puts its rows into dst.
func QueueAll[T any](b *Batch, dst *[]T, sql string, args ...any) {
	b.b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*dst, err = collect[T](rows)
		return b.counted(err)
	})
}

// QueueOne adds a query. Send puts its only row into dst and sets found to whether there was one.
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

// Send runs the batch, and begins its transaction if need be; an empty one is no trip. It returns the first error; no
// later statement has run.
func (b *Batch) Send(ctx context.Context) error {
	if b.b.Len() == 0 {
		return nil
	}
	if b.tx == nil {
		b.keepPlans()
		return failed(b.which(b.db.Pool().SendBatch(ctx, &b.b).Close()))
	}
	return b.send(ctx)
}

// send is Send of a transaction's batch, also of one that only begins it.
func (b *Batch) send(ctx context.Context) error {
	if b.tx.conn == nil {
		if err := b.open(ctx); err != nil {
			return err
		}
	}
	return failed(b.which(b.tx.conn.SendBatch(ctx, &b.b).Close()))
}

// open takes a connection for the transaction. The transaction begins with the statements of the batch.
func (b *Batch) open(ctx context.Context) error {
	if b.tx.done {
		return errDone
	}
	if err := b.before("begin"); err != nil {
		return err
	}
	conn, err := b.tx.db.Pool().Acquire(ctx)
	b.tx.conn = conn
	return failed(err)
}

// before puts the first statements of every transaction before the batch: the business and the actor, then the
// claims.
func (b *Batch) before(begin ...string) error {
	statements := b.b.QueuedQueries
	for _, sql := range begin {
		QueueExec(b, sql)
	}
	if b.tx.business != uuid.Nil {
		actor, err := b.tx.actor()
		if err != nil {
			return err
		}
		QueueExec(b, b.tx.setter(anyHot(statements)), b.tx.business.String(), actor)
	}
	for _, c := range b.tx.bounds.claims {
		b.tx.claimIn(b, c)
	}
	n := len(statements)
	b.b.QueuedQueries = slices.Concat(b.b.QueuedQueries[n:], statements)
	return nil
}

// keepPlans makes the batch of a view run on generic plans if one of its statements is hot.
func (b *Batch) keepPlans() {
	list := b.b.QueuedQueries
	if len(list) > 0 && list[0].SQL == setBusiness && anyHot(list) {
		list[0].SQL = setBusinessKept
	}
}

func anyHot(list []*pgx.QueuedQuery) bool {
	return slices.ContainsFunc(list, func(q *pgx.QueuedQuery) bool { return hot[q.SQL] })
}

// which adds the beginning of the failed statement to the error, as the caller of a batch has not written each of its
// statements.
func (b *Batch) which(err error) error {
	if err == nil || b.answered >= len(b.b.QueuedQueries) {
		return err
	}
	begins, _, _ := strings.Cut(strings.TrimSpace(b.b.QueuedQueries[b.answered].SQL), "\n")
	return fmt.Errorf("%q: %w", begins, err)
}
