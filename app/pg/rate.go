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

// Hit counts one call in the bucket's current fixed window and tells whether it is still within max. All processes
// share the count.
func (db *DB) Hit(ctx context.Context, bucket string, max int, window time.Duration) (Hits, error) {
	now := db.clock.Now()
	start := now.Truncate(window)
	var n int
	err := db.pool.QueryRow(ctx, `insert into rate_windows (bucket, starts_at, hits) values ($1, $2, 1)
		on conflict (bucket, starts_at) do update set hits = rate_windows.hits + 1 returning hits`, bucket, start).Scan(&n)
	if err != nil {
		return Hits{}, err
	}
	return Hits{Allowed: n <= max, ResetAt: start.Add(window)}, nil
}

// DropOldWindows forgets windows that began more than two days ago.
func (db *DB) DropOldWindows(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, "delete from rate_windows where starts_at < $1", db.clock.Now().Add(-48*time.Hour))
	return err
}
