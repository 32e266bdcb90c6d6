package apptest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// jamTime is the limit for a jam to form: it fails the test and is otherwise not waited for.
const jamTime = time.Minute

// Jam runs a race for the one row that where selects. The row is locked until so many transactions wait for it, and
// only then is the first of them served: none of these has seen what another one writes, however busy the machine is.
// No more than a quarter of the connections can wait, as all racers are of one business.
func (w *World) Jam(t testing.TB, many int, race func(), table, where string, args ...any) {
	t.Helper()
	w.superuser(t, func(c *pgx.Conn) error {
		tx, err := c.Begin(t.Context())
		if err != nil {
			return err
		}
		n, err := tx.Exec(t.Context(), "select from "+table+" where "+where+" for no key update", args...)
		if err != nil || n.RowsAffected() != 1 {
			return errors.Join(fmt.Errorf("a jam at %d rows of %s", n.RowsAffected(), table), err, tx.Rollback(t.Context()))
		}
		over := make(chan struct{})
		var gate sync.WaitGroup
		gate.Go(func() { err = errors.Join(jammed(t.Context(), tx, many, table, over), tx.Rollback(t.Context())) })
		defer gate.Wait() // also if the race ends the test
		race()
		close(over)
		gate.Wait()
		return err
	})
}

// jammed waits until so many transactions wait for the row of a table that another one has locked. The first of them
// waits for its end, and the others for their turn at the row.
func jammed(ctx context.Context, holder pgx.Tx, many int, table string, over <-chan struct{}) error {
	late := time.After(jamTime)
	for ended := false; ; {
		var waiting int
		err := holder.QueryRow(ctx, `select count(*) from pg_locks l where not l.granted and (
				l.locktype = 'transactionid' and pg_backend_pid() = any(pg_blocking_pids(l.pid))
				or l.locktype = 'tuple' and l.relation = $1::text::regclass
					and l.database = (select oid from pg_database where datname = current_database()))`, table).Scan(&waiting)
		switch {
		case err != nil || waiting >= many:
			return err
		case ended:
			return fmt.Errorf("%d of %d wait for %s", waiting, many, table)
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-over:
			ended = true
		case <-late:
			ended = true
		}
	}
}
