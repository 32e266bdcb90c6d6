package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// where is the location's data for a refund.
type where struct {
	CustomerID      uuid.UUID
	RefundCapAmount int64 // of the location
	Today           bool  // the payment was made today on its wall clock
	lines           []lineRow
}

// readWhere reads it for a locked payment, of an order at a location, made at a time.
func readWhere(ctx context.Context, tx *pg.Tx, location, order uuid.UUID, taken time.Time) (where, error) {
	var w where
	var known bool
	b := tx.Batch()
	pg.QueueOne(b, &w, &known, `select o.customer_id, l.refund_cap_amount, $3::timestamptz >= date_trunc('day', $4::timestamptz at time zone l.zone) at time zone l.zone as today
		from locations l join orders o on o.business_id = $1 and o.id = $5
		where l.business_id = $1 and l.id = $2`, tx.Business(), location, taken, tx.Now(), order)
	lines := queueLines(b, tx, order)
	err := b.Send(ctx)
	w.lines = *lines
	return w, err
}

// feesOf returns the fees that a manual payment has paid, and whether another one, not void, has paid a part of one
// of them. Other manual payments of its order may have paid other fees.
func feesOf(ctx context.Context, tx *pg.Tx, payment uuid.UUID) (fees []uuid.UUID, shared bool, err error) {
	rows, err := pg.All[struct {
		FeeID  uuid.UUID
		Shared bool
	}](ctx, tx, `select l.fee_id, bool_or(exists (select from tender_parts i
			join order_tenders t on t.business_id = $1 and t.id = i.tender_id and t.state = 'captured' and t.id <> $2
			where i.business_id = $1 and i.line_id = l.id)) as shared
		from tender_parts a join order_lines l on l.business_id = $1 and l.id = a.line_id
		where a.business_id = $1 and a.tender_id = $2 and l.fee_id is not null group by l.fee_id`, tx.Business(), payment)
	for _, r := range rows {
		fees, shared = append(fees, r.FeeID), shared || r.Shared
	}
	return fees, shared, err
}
