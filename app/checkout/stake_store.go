package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/billing"
)

// soldSelect reads the lines of orders o with the card payment p of each. Of one that is disputed nothing is left to give back: the
// customer's bank has the money, or takes it.
var soldSelect = `select o.id as order_id, x.id as line_id, x.booking_id, k.group_id, p.id as payment_id, o.customer_id, o.tax_mode, o.service_fee_amount,
			x.listed_amount, x.discount_amount, x.tax_amount, coalesce(back.paid, 0)::bigint as taken_amount, case when ` + billing.DisputedSQL("$1", "p.id") + ` then 0
				else greatest(0, p.amount - coalesce((select sum(r.amount) from refunds r
					where r.business_id = $1 and r.payment_id = p.id and r.state not in ('failed', 'canceled')), 0)) end::bigint as "left"
		from payments p
		join orders o on o.business_id = $1 and o.id = p.order_id
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		join bookings k on k.business_id = $1 and k.id = x.booking_id
		` + takenBeside("$1")

// owedRow is what is to be paid at the studio for a line of an order.
type owedRow struct {
	BookingID uuid.UUID
	GroupID   *uuid.UUID // of the booking
	Amount    int64
}

func readStakes(ctx context.Context, v *pg.View, orders, customers []uuid.UUID) (sold soldRows, owed []owedRow, past []penalty.PastForgiven, err error) {
	b := v.Batch()
	if len(orders) > 0 {
		pg.QueueAll(b, &owed, `select x.booking_id, k.group_id, `+lineDue+` - coalesce(back.paid, 0) as amount
		from orders o
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		join bookings k on k.business_id = $1 and k.id = x.booking_id
		`+takenBeside("$1")+`
		where o.business_id = $1 and o.id = any($2) and o.state = 'settled' and o.due_amount > 0`, v.Business(), orders)
		pg.QueueAll(b, (*[]soldRow)(&sold), soldSelect+`
		where p.business_id = $1 and p.order_id = any($2) and p.status = 'succeeded' and p.outcome = 'settled'
		order by o.id, x.position`, v.Business(), orders)
	}
	if len(customers) > 0 {
		penalty.QueueForgiven(b, v, &past, "select unnest($2::uuid[])", customers)
	}
	return sold, owed, past, b.Send(ctx)
}
