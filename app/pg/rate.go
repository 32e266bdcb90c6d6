package pg

import (
	"context"
	"time"
)

// Hits is the answer of a rate window.
type Hits struct {
	Allowed bool
	ResetAt time.Time // end of the window
}

// Hit counts one call in the bucket's fixed window and tells whether it is still within max. A window starts with the
// bucket's first call, so that no burst straddles two. All processes share the count.
func (db *DB) Hit(ctx context.Context, bucket string, max int, window time.Duration) (Hits, error) {
	now := db.clock.Now()
	var start time.Time
	var n int
	err := db.pool.QueryRow(ctx, `insert into rate_windows as w (bucket, starts_at, hits) values ($1, $2, 1)
		on conflict (bucket) do update set
			hits = case when w.starts_at > $3 then w.hits + 1 else 1 end,
			starts_at = case when w.starts_at > $3 then w.starts_at else excluded.starts_at end
		returning starts_at, hits`, bucket, now, now.Add(-window)).Scan(&start, &n)
	if err != nil {
		return Hits{}, failed(err)
	}
	return Hits{Allowed: n <= max, ResetAt: start.Add(window)}, nil
}

// CountTx counts one call in a bucket whose window began at from, in the caller's transaction, and returns how many there are.
func CountTx(ctx context.Context, tx *Tx, bucket string, from time.Time) (int, error) {
	return One[int](ctx, tx, `insert into rate_windows (bucket, starts_at, hits) values ($1, $2, 1)
		on conflict (bucket) do update set hits = rate_windows.hits + 1
		returning hits`, bucket, from)
}

// UncountTx takes one call back out of a bucket.
func UncountTx(ctx context.Context, tx *Tx, bucket string) error {
	_, err := tx.Exec(ctx, "update rate_windows set hits = hits - 1 where bucket = $1", bucket)
	return err
}

// Counted is how many calls a bucket has counted.
func Counted(ctx context.Context, r Reader, bucket string) (int, error) {
	n, _, err := Find[int](ctx, r, "select hits from rate_windows where bucket = $1", bucket)
	return n, err
}

// DropOldWindows forgets windows that began more than two days ago.
func (db *DB) DropOldWindows(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, "delete from rate_windows where starts_at < $1", db.clock.Now().Add(-48*time.Hour))
	return err
}
