package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// lagMost is how long a job may wait that nothing speaks against. Tries after a failure are planned for later and do
// not wait.
const lagMost = 2 * time.Minute

// lag is how long the oldest job of a queue waits.
type lag struct {
	Queue   string
	Seconds float64
}

// CheckLag returns an error with the names of the queues if jobs wait longer than they should: no worker runs, or it
// cannot keep up. It checks every queue that has jobs, including queues of other versions.
func CheckLag(ctx context.Context, db *pg.DB) error {
	late, err := pg.All[lag](ctx, db.View(uuid.Nil), `select queue, extract(epoch from now() - min(scheduled_at))::float8 as seconds
		from river.river_job where state = 'available' group by queue
		having min(scheduled_at) < now() - $1 * interval '1 second' order by queue`, lagMost.Seconds())
	for _, l := range late {
		waits := time.Duration(l.Seconds * float64(time.Second)).Round(time.Second)
		err = errors.Join(err, fmt.Errorf("jobs: the oldest job of queue %s has waited for %s", l.Queue, waits))
	}
	return err
}
