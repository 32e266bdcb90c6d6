package pg

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Batch collects statements that go to the server together: one round trip. Those of a view are reads with one snapshot of
// the business setting. Those of a transaction run one after the other, each on what was committed when it begins, so
// that a read behind a lock sees what the lock was waited for.
type Batch struct {
	db *DB
	tx *Tx // nil for a view's
	b  pgx.Batch
}

// Batch starts an empty batch.
func (v *View) Batch() *Batch {
	b := &Batch{db: v.db}
	if v.business != uuid.Nil {
		b.b.Queue(setBusiness, v.business.String()).Exec(func(_ pgxTag) error { return nil })
	}
	return b
}

// Batch starts an empty batch.
func (tx *Tx) Batch() *Batch { return &Batch{db: tx.db, tx: tx} }

// QueueExec adds a statement whose rows, if any, nobody wants.
func QueueExec(b *Batch, sql string, args ...any) {
	b.b.Queue(sql, args...).Exec(func(_ pgxTag) error { return nil })
}

// QueueAll adds a query whose rows are put into dst by Send.
func QueueAll[T any](b *Batch, dst *[]T, sql string, args ...any) {
	b.b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*dst, err = collect[T](rows)
		return err
	})
}

// QueueOne adds a query whose only row is put into dst by Send; found tells whether there was one.
func QueueOne[T any](b *Batch, dst *T, found *bool, sql string, args ...any) {
	b.b.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		v, err := one[T](rows)
		if err == ErrNoRow {
			*found = false
			return nil
		}
		*dst, *found = v, err == nil
		return err
	})
}

// Send runs the batch. Its first error is the one that is told, and nothing after it has been run.
func (b *Batch) Send(ctx context.Context) error {
	if b.tx == nil {
		return b.db.pool.SendBatch(ctx, &b.b).Close()
	}
	conn, err := b.tx.Conn(ctx)
	if err != nil {
		return err
	}
	return conn.SendBatch(ctx, &b.b).Close()
}
