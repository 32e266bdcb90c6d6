package fees

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// PastWaiver is when a customer was forgiven a fee for cancelling late.
type PastWaiver struct {
	CustomerID uuid.UUID
	At         time.Time
}

// forgivenDays is the longest window of the rules: what was forgiven before that counts nowhere any more.
const forgivenDays = 366

// QueueForgiven queues the reading of when customers were forgiven a fee for cancelling late, as far as it can count still. customers
// is the statement that lists their ids; $1 in it is the business, $2 is value.
func QueueForgiven(b *pg.Batch, r pg.Reader, into *[]PastWaiver, customers string, value any) {
	pg.QueueAll(b, into, forgivenSelect(customers), r.Business(), value, forgivenFrom(r.Now()))
}

// forgivenSelect reads what the customers of a statement were forgiven after $3, for cancelling late.
func forgivenSelect(customers string) string {
	return `select x.customer_id, x.created_at as at from fees x where x.business_id = $1 and x.customer_id in (` + customers + `)
		and x.kind = '` + string(LateCancel) + `' and x.state = '` + string(Forgiven) + `' and x.created_at > $3`
}

// ForgivenFor lists when a person was forgiven a fee for cancelling late in a business, as far as it can count still.
func ForgivenFor(ctx context.Context, r pg.Reader, person uuid.UUID) ([]time.Time, error) {
	rows, err := pg.All[PastWaiver](ctx, r, forgivenSelect(`select c.id from customers c where c.business_id = $1 and c.person_id = $2`),
		r.Business(), person, forgivenFrom(r.Now()))
	return TimesOf(rows), err
}

// TimesOf are the times alone.
func TimesOf(list []PastWaiver) []time.Time {
	out := make([]time.Time, len(list))
	for i, f := range list {
		out[i] = f.At
	}
	return out
}

func forgivenFrom(now time.Time) time.Time { return now.AddDate(0, 0, -forgivenDays) }
