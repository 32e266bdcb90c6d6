package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing"
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

// lockManualPayment locks the order of a payment at the desk, under which it is refunded, and reads its parts and its
// refundable amounts.
func lockManualPayment(ctx context.Context, tx *pg.Tx, order, id uuid.UUID) (t billing.ManualPayment, left []billing.Part, err error) {
	if _, err := tx.Exec(ctx, `select id from orders where business_id = $1 and id = $2 for no key update`, tx.Business(), order); err != nil {
		return billing.ManualPayment{}, nil, err
	}
	return billing.ManualPaymentTx(ctx, tx, id)
}

// soldAtDesk reports whether an order is paid at the desk, so that its amounts can be due again.
func soldAtDesk(ctx context.Context, tx *pg.Tx, order uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select due_amount > 0 from orders where business_id = $1 and id = $2`, tx.Business(), order)
}

// feesOf returns the fees that a manual payment has paid, and whether another one, not void, has paid a part of one
// of them. Other manual payments of its order may have paid other fees.
func feesOf(ctx context.Context, tx *pg.Tx, taking uuid.UUID) (fees []uuid.UUID, shared bool, err error) {
	rows, err := pg.All[struct {
		FeeID  uuid.UUID
		Shared bool
	}](ctx, tx, `select l.fee_id, bool_or(exists (select from manual_payment_parts i join manual_payments t on t.business_id = $1 and t.id = i.manual_payment_id
				and t.kind = 'received' and t.id <> $2
			where i.business_id = $1 and i.line_id = l.id
				and not exists (select from manual_payments v where v.business_id = $1 and v.of_id = t.id and v.kind = 'void'))) as shared
		from manual_payment_parts a join order_lines l on l.business_id = $1 and l.id = a.line_id
		where a.business_id = $1 and a.manual_payment_id = $2 and l.fee_id is not null group by l.fee_id`, tx.Business(), taking)
	for _, r := range rows {
		fees, shared = append(fees, r.FeeID), shared || r.Shared
	}
	return fees, shared, err
}
