package sales

import (
	"context"

	"foyer/app/pg"
	"foyer/billing"
)

// where is what a refund needs to know besides the payment.
type where struct {
	RefundCapAmount int64 // of the location
	Today           bool  // the payment was taken today on its wall clock
	lines           []lineRow
}

// readWhere reads it of a payment that is locked.
func readWhere(ctx context.Context, tx *pg.Tx, p billing.Payment) (where, error) {
	var w where
	var known bool
	taken := p.CreatedAt
	if !p.SucceededAt.IsZero() {
		taken = p.SucceededAt
	}
	b := tx.Batch()
	pg.QueueOne(b, &w, &known, `select l.refund_cap_amount, $3::timestamptz >= date_trunc('day', $4::timestamptz at time zone l.zone) at time zone l.zone as today
		from locations l where l.business_id = $1 and l.id = $2`, tx.Business(), p.LocationID, taken, tx.Now())
	lines := queueLines(b, tx, p.OrderID)
	err := b.Send(ctx)
	w.lines = *lines
	return w, err
}
