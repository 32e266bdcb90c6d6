package pg

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Hits is the state of a rate window after a call.
type Hits struct {
	Allowed bool
	ResetAt time.Time // end of the window
}

// Window is the time in which the calls of a bucket are counted. It starts with the bucket's first call, so that no
// burst spans two, and has a fixed length. All processes share the count.
type Window struct {
	Bucket string
	Most   int // calls in one window
	Length time.Duration
}

// Hit counts one call in the bucket's window and reports whether it is within max.
func (db *DB) Hit(ctx context.Context, bucket string, max int, window time.Duration) (h Hits, err error) {
	b := db.View(uuid.Nil).Batch()
	QueueHit(b, Window{bucket, max, window}, &h)
	return h, b.Send(ctx)
}

var hitSQL = Hot(`insert into rate_windows as w (bucket, starts_at, hits) values ($1, $2, 1)
	on conflict (bucket) do update set
		hits = case when w.starts_at > $3 then w.hits + 1 else 1 end,
		starts_at = case when w.starts_at > $3 then w.starts_at else excluded.starts_at end
	returning starts_at, hits`)

// QueueHit adds Hit to a view's batch. Add it last: the callers of one bucket wait for each other from here to the
// end of the batch.
func QueueHit(b *Batch, w Window, h *Hits) {
	now := b.db.clock.Now()
	b.b.Queue(hitSQL, w.Bucket, now, now.Add(-w.Length)).QueryRow(func(row pgx.Row) error {
		var start time.Time
		var n int
		err := row.Scan(&start, &n)
		*h = Hits{Allowed: n <= w.Most, ResetAt: start.Add(w.Length)}
		return b.counted(err)
	})
}

// Read reads a window without counting a call: Allowed reports whether another one is within Most.
func (w Window) Read(ctx context.Context, db *DB) (Hits, error) {
	now := db.clock.Now()
	row, found, err := Find[struct {
		StartsAt time.Time
		Hits     int
	}](ctx, db.View(uuid.Nil), `select starts_at, hits from rate_windows where bucket = $1 and starts_at > $2`,
		w.Bucket, now.Add(-w.Length))
	return Hits{Allowed: !found || row.Hits < w.Most, ResetAt: row.StartsAt.Add(w.Length)}, err
}

// CountTx counts one call in a bucket with a window that began at from, in the caller's transaction, and returns the
// count.
func CountTx(ctx context.Context, tx *Tx, bucket string, from time.Time) (int, error) {
	return One[int](ctx, tx, `insert into rate_windows (bucket, starts_at, hits) values ($1, $2, 1)
		on conflict (bucket) do update set hits = rate_windows.hits + 1
		returning hits`, bucket, from)
}

// UncountTx removes one call from the count of a bucket.
func UncountTx(ctx context.Context, tx *Tx, bucket string) error {
	_, err := tx.Exec(ctx, "update rate_windows set hits = hits - 1 where bucket = $1", bucket)
	return err
}

// Counted returns the count of a bucket.
func Counted(ctx context.Context, r Reader, bucket string) (int, error) {
	n, _, err := Find[int](ctx, r, "select hits from rate_windows where bucket = $1", bucket)
	return n, err
}

// windowsKept is the retention of a window from its beginning. None is longer than a day.
const windowsKept = 48 * time.Hour

// dropWindows deletes windows that began windowsKept ago.
func (db *DB) dropWindows(ctx context.Context) (int, error) {
	return db.drop(ctx, `delete from rate_windows where bucket in
		(select bucket from rate_windows where starts_at < $1 order by starts_at limit $2 for update skip locked)`, windowsKept)
}
