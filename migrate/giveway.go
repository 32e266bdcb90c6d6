package migrate

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib" // database/sql, which goose needs
	"github.com/pressly/goose/v3"
)

// lockTime is how long a migration waits for a table that somebody works on. All who come later wait behind it, so it is short; and
// it is shorter than the second after which Postgres looks for deadlocks and ends one of those in it, so that it is always the migration
// that gives way, and never a request.
const lockTime = "500ms"

// A migration that gave way lets the others through and tries again, for so long: a backup of a large database may take as much.
const (
	wayPause = time.Second
	wayMost  = 5 * time.Minute
)

// open opens a database for migrations. A file that says NO TRANSACTION, because it builds an index concurrently, must set
// lock_timeout to 0 itself: that waits for everybody without being in anybody's way.
func open(ownerURL string) (*sql.DB, error) {
	c, err := pgx.ParseConfig(ownerURL)
	if err != nil {
		return nil, err
	}
	c.RuntimeParams["lock_timeout"] = lockTime
	return stdlib.OpenDB(*c), nil
}

// givingWay calls up until no migration meets anybody, and returns what was applied in all. say hears of it once.
func givingWay(ctx context.Context, up func(context.Context) ([]*goose.MigrationResult, error), say func(string)) (applied []*goose.MigrationResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, wayMost)
	defer cancel()
	for tries := 0; ; tries++ {
		now, err := up(ctx)
		var partial *goose.PartialError
		if errors.As(err, &partial) {
			now = partial.Applied
		}
		applied = append(applied, now...)
		if !isInUse(err) {
			return applied, err
		}
		if tries == 0 {
			say("somebody works on a table that a migration wants; it lets them and tries again, for up to " + wayMost.String())
		}
		select {
		case <-ctx.Done():
			return applied, err
		case <-time.After(wayPause):
		}
	}
}

// isInUse tells whether a migration failed because somebody holds what it wants: 55P03 after lockTime, 40P01 in a deadlock.
func isInUse(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && (pe.Code == "55P03" || pe.Code == "40P01")
}
