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

// paidLines are the lines that a manual payment has paid.
type paidLines struct {
	fees   []uuid.UUID
	shared bool // another payment, not void, has paid a part of one of the fees
	goods  bool // it has paid goods
}

// paidOf reads the lines that a manual payment has paid. Other manual payments of its order may have paid other fees.
func paidOf(ctx context.Context, tx *pg.Tx, payment uuid.UUID) (out paidLines, err error) {
	rows, err := pg.All[struct {
		FeeID  *uuid.UUID
		Goods  bool
		Shared bool
	}](ctx, tx, `select l.fee_id, bool_or(l.booking_id is null and l.fee_id is null) as goods,
			bool_or(l.fee_id is not null and exists (select from tender_parts i
				join order_tenders t on t.business_id = $1 and t.id = i.tender_id and t.state = 'captured' and t.id <> $2
				where i.business_id = $1 and i.line_id = l.id)) as shared
		from tender_parts a join order_lines l on l.business_id = $1 and l.id = a.line_id
		where a.business_id = $1 and a.tender_id = $2 group by l.fee_id`, tx.Business(), payment)
	for _, r := range rows {
		if r.FeeID != nil {
			out.fees = append(out.fees, *r.FeeID)
		}
		out.shared, out.goods = out.shared || r.Shared, out.goods || r.Goods
	}
	return out, err
}

// capturedOf returns the payments of an order that were captured, in the order of their refunds: by card, then at the
// desk, then from what the customer had with the studio.
func capturedOf(ctx context.Context, tx *pg.Tx, order uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from (
			select p.id, 0 as turn, p.created_at from payments p
			where p.business_id = $1 and p.order_id = $2 and p.outcome = 'fulfilled'
			union all
			select t.id, case when t.kind in ('cash', 'other') then 1 else 2 end, t.created_at from order_tenders t
			where t.business_id = $1 and t.order_id = $2 and t.kind <> 'card' and t.state = 'captured'
		) x order by turn, created_at, id`, tx.Business(), order)
}
