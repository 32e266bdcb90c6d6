package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fees"
	"foyer/app/pg"
	"foyer/billing"
)

// soldSelect reads the lines of orders o with the card payment p of each. A disputed one has nothing refundable: the
// customer's bank has withdrawn the money, or is about to.
var soldSelect = `select o.id as order_id, x.id as line_id, x.booking_id, k.group_id, p.id as payment_id, p.currency,
			o.customer_id, coalesce((select t.service_fee_amount from order_tenders t
				where t.business_id = $1 and t.order_id = o.id and t.kind = 'card'), 0) as service_fee_amount,
			x.non_refundable_amount, (` + lineByCard + `)::bigint as card_amount, case when ` + billing.DisputedSQL("$1", "p.id") + ` then 0
				else greatest(0, p.amount - ` + billing.RefundedSQL("$1", "p.id") + `) end::bigint as refundable,
					p.status = 'authorized' as authorized
		from payments p
		join orders o on o.business_id = $1 and o.id = p.order_id
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		left join bookings k on k.business_id = $1 and k.id = x.booking_id
		` + PaidBesideSQL("$1")

// lineRow is the amount of a line of an order that is due at the studio, or was paid there or with credit and not
// refunded.
type lineRow struct {
	BookingID           uuid.UUID
	GroupID             *uuid.UUID // of the booking
	Amount              int64
	NonRefundableAmount int64 // of the line: not refunded if its customer cancels in time
}

// costBasisInput are bookings with their orders, the groups of the courses among them, and the customers with a grace
// rule.
type costBasisInput struct{ bookings, courses, orders, customers []uuid.UUID }

// costBasisRows are their amounts.
type costBasisRows struct {
	sold      soldRows
	due, paid []lineRow
	plans     []planRow
	past      []fees.PastWaiver
}

// planRow is the plan that paid for a booking.
type planRow struct {
	BookingID uuid.UUID
	Plan      string
	Credits   int
}

func readCostBases(ctx context.Context, v *pg.View, of costBasisInput) (out costBasisRows, err error) {
	const these = `select unnest($2::uuid[]) union select g.id from bookings g where g.business_id = $1 and g.group_id = any($3)`
	b := v.Batch()
	pg.QueueAll(b, &out.paid, `select x.booking_id, k.group_id, back.stands as amount, x.non_refundable_amount
		from order_lines x
		join bookings k on k.business_id = $1 and k.id = x.booking_id
		`+PaidBesideSQL("$1")+`
		where x.business_id = $1 and back.stands > 0 and x.booking_id in (`+these+`)`,
		v.Business(), of.bookings, of.courses)
	pg.QueueAll(b, (*[]soldRow)(&out.sold), soldSelect+`
		where p.business_id = $1 and p.outcome = 'fulfilled' and p.order_id in (
			select y.order_id from order_lines y where y.business_id = $1 and y.booking_id in (`+these+`))
		order by o.id, x.position`, v.Business(), of.bookings, of.courses)
	pg.QueueAll(b, &out.plans, `select x.booking_id, m.name as plan, x.credits
		from order_lines x
		join orders o on o.business_id = $1 and o.id = x.order_id and o.state = 'fulfilled'
		join grants g on g.business_id = $1 and g.id = x.grant_id
		join memberships m on m.business_id = $1 and m.id = g.membership_id
		where x.business_id = $1 and x.booking_id = any($2)`, v.Business(), of.bookings)
	if len(of.orders) > 0 {
		pg.QueueAll(b, &out.due, `select x.booking_id, k.group_id, `+LineUnpaidSQL+` as amount, x.non_refundable_amount
		from orders o
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		join bookings k on k.business_id = $1 and k.id = x.booking_id
		`+PaidBesideSQL("$1")+`
		where o.business_id = $1 and o.id = any($2) and o.state = 'fulfilled'`, v.Business(), of.orders)
	}
	if len(of.customers) > 0 {
		fees.QueueGrace(b, v, &out.past, "select unnest($2::uuid[])", of.customers)
	}
	return out, b.Send(ctx)
}
