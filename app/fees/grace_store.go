package fees

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// PastWaiver is the time of a late-cancellation fee of a customer waived by the grace rule.
type PastWaiver struct {
	CustomerID uuid.UUID
	At         time.Time
}

// graceMostDays is the longest window of the rules: earlier waivers do not count anywhere any more.
const graceMostDays = 366

// QueueGrace queues the reading of the times of customers' late-cancellation fees waived by the grace rule, as far
// as they can count still. customers is the statement that lists their ids; $1 in it is the business, $2 is value.
func QueueGrace(b *pg.Batch, r pg.Reader, into *[]PastWaiver, customers string, value any) {
	pg.QueueAll(b, into, graceSelect(customers), r.Business(), value, graceFrom(r.Now()))
}

// graceSelect reads the late-cancellation fees of the customers of a statement that were waived by the grace rule
// after $3.
func graceSelect(customers string) string {
	return `select x.customer_id, x.created_at as at from fees x where x.business_id = $1 and x.customer_id in (` + customers + `)
		and x.kind = '` + string(LateCancel) + `' and x.state = '` + string(GraceWaived) + `' and x.created_at > $3`
}

// GraceUsedFor lists the times of a person's late-cancellation fees waived by the grace rule in a business, as far as
// they can count still.
func GraceUsedFor(ctx context.Context, r pg.Reader, person uuid.UUID) ([]time.Time, error) {
	rows, err := pg.All[PastWaiver](ctx, r, graceSelect(`select c.id from customers c where c.business_id = $1 and c.person_id = $2`),
		r.Business(), person, graceFrom(r.Now()))
	return TimesOf(rows), err
}

// TimesOf returns the times alone.
func TimesOf(list []PastWaiver) []time.Time {
	out := make([]time.Time, len(list))
	for i, f := range list {
		out[i] = f.At
	}
	return out
}

func graceFrom(now time.Time) time.Time { return now.AddDate(0, 0, -graceMostDays) }
