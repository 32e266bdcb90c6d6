package ledger

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// closeAfter is the time after midnight at which a day's books close, so that the fees of an evening's sales are
// included.
const closeAfter = 3 * time.Hour

const (
	closingsEvery = 10 * time.Minute // in real time
	closeMost     = 200              // in one round
)

// Closer closes days.
type Closer struct {
	db  *pg.DB
	log *slog.Logger
}

// NewCloser returns a Closer.
func NewCloser(db *pg.DB, log *slog.Logger) *Closer { return &Closer{db, log} }

// Register adds the sweep of this package to the worker's registry.
func (c *Closer) Register(r *jobs.Registry) {
	jobs.Sweep(r, "ledger.closings", closingsEvery, c.CloseDays)
}

// CloseDays is the sweep ledger.closings: for every location with a day that ended closeAfter ago, it closes the past
// days, and stores the balances that can no longer change. Several processes share the work. One location's failure
// does not stop the others.
func (c *Closer) CloseDays(ctx context.Context) error {
	return pg.Batches(closeMost, func() (int, error) {
		due, err := dueClosings(ctx, c.db)
		if err != nil {
			return 0, err
		}
		for _, d := range due {
			failed := pg.Do(ctx, c.db, d.BusinessID, func(tx *pg.Tx) error { return closeDay(ctx, tx, d.LocationID) })
			if failed != nil {
				err = errors.Join(err, failed)
				if ctx.Err() != nil { // the process ends, and the next round goes on
					return 0, err
				}
				c.log.Warn("could not close the books of a day", "business", d.BusinessID, "location", d.LocationID, "error", failed)
			}
		}
		return len(due), err
	})
}
