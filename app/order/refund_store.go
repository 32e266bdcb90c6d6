package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing"
)

// lockSold locks the orders with payments of bookings at the desk, then their payments by card, each in the order of
// their ids, and reads the amounts paid for each booking: by card of all lines of their orders, and the standing
// amounts of the manual payments; and which bookings a plan pays.
func lockSold(
	ctx context.Context, tx *pg.Tx, bookings []uuid.UUID,
) (sold map[uuid.UUID][]soldLine, manual []manualPaidRow, planned []uuid.UUID, err error) {
	var orders, payments []uuid.UUID
	b := tx.Batch()
	pg.QueueAll(b, &planned, `select distinct x.booking_id from order_lines x
		where x.business_id = $1 and x.booking_id = any($2) and x.grant_id is not null`, tx.Business(), bookings)
	pg.QueueAll(b, &orders, `select o.id from orders o where o.business_id = $1 and o.id in (
			select x.order_id from order_lines x where x.business_id = $1 and x.booking_id = any($2)
				and exists (select from tender_parts a join order_tenders t on t.business_id = $1 and t.id = a.tender_id
					and t.kind <> 'card' and t.state = 'captured'
					where a.business_id = $1 and a.line_id = x.id))
		order by o.id for no key update`, tx.Business(), bookings)
	pg.QueueAll(b, &payments, `select p.id from payments p
		where p.business_id = $1 and p.outcome = 'fulfilled' and p.order_id in (
			select x.order_id from order_lines x where x.business_id = $1 and x.booking_id = any($2))
		order by p.id for update`, tx.Business(), bookings)
	if err := b.Send(ctx); err != nil || len(orders)+len(payments) == 0 {
		return nil, nil, planned, err
	}
	var rows []soldRow
	b = tx.Batch()
	if len(payments) > 0 {
		pg.QueueAll(b, &rows, soldSelect+`
		where p.business_id = $1 and p.id = any($2) order by o.id, x.position`, tx.Business(), payments)
	}
	if len(orders) > 0 {
		pg.QueueAll(b, &manual, `select * from (
				select t.id as tender_id, t.kind as method, o.customer_id, x.id as line_id, x.booking_id, x.non_refundable_amount,
					sum(a.amount - `+billing.RefundedPartSQL("$1", "a")+`)::bigint as amount
				from order_lines x
				join tender_parts a on a.business_id = $1 and a.line_id = x.id
				join order_tenders t on t.business_id = $1 and t.id = a.tender_id and t.kind <> 'card' and t.state = 'captured'
				join orders o on o.business_id = $1 and o.id = x.order_id
				where x.business_id = $1 and x.booking_id = any($2)
				group by t.id, t.kind, o.customer_id, x.id, x.booking_id, x.non_refundable_amount
			) stands
			where amount > 0 order by tender_id, line_id`, tx.Business(), bookings)
	}
	err = b.Send(ctx)
	return shares(rows), manual, planned, err
}

// authorizedOrders returns the orders of bookings with an authorized payment.
func authorizedOrders(ctx context.Context, r pg.Reader, bookings []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select distinct b.order_id from bookings b
		join payments p on p.business_id = $1 and p.order_id = b.order_id and `+billing.AuthorizedSQL("p")+`
		where b.business_id = $1 and b.id = any($2)`, r.Business(), bookings)
}

// DueStatesSQL are the states of bookings whose price is due as long as it is not paid.
const DueStatesSQL = `('confirmed', 'checked_in', 'no_show', 'completed')`

// LineDueSQL is LineDue of a line x of an order o.
const LineDueSQL = `x.listed_amount - x.discount_amount + case o.tax_mode when 'exclusive' then x.tax_amount else 0 end`

// LineUnpaidSQL is the unpaid amount of a line x of an order o that is fulfilled, with PaidBesideSQL.
const LineUnpaidSQL = LineDueSQL + ` - coalesce(back.card, 0) - coalesce(back.paid, 0)`

// lineByCard is the amount of a line x on the card of its order, if it has one, with PaidBesideSQL.
const lineByCard = `coalesce(back.card, 0)`

// OrderTotalSQL is the total of an order, with its service fee. Order is the name of its table in the statement.
func OrderTotalSQL(order string) string {
	return order + `.total_amount + coalesce((select t.service_fee_amount from order_tenders t
		where t.business_id = ` + order + `.business_id and t.order_id = ` + order + `.id and t.kind = 'card'), 0)`
}

// courseMoney sums up what moneyOf reads over the bookings of a course.
func courseMoney(ctx context.Context, r pg.Reader, group uuid.UUID) (Money, error) {
	return pg.One[Money](ctx, r, `with b as (
			select * from bookings where business_id = $1 and group_id = $2
		), p as (
			select p.* from payments p where p.business_id = $1 and p.outcome = 'fulfilled'
				and p.order_id in (select x.order_id from order_lines x where x.business_id = $1
					and x.booking_id in (select id from b))
		)
		select coalesce((select sum(`+lineByCard+`)
				from p join orders o on o.business_id = $1 and o.id = p.order_id
				join order_lines x on x.business_id = $1 and x.order_id = o.id and x.booking_id in (select id from b)
				`+PaidBesideSQL("$1")+`), 0)::bigint as paid,
			coalesce((select sum(`+OrderTotalSQL("o")+`)
				from orders o where o.business_id = $1 and o.id in (select order_id from b)
				and o.state in ('fulfilled', 'refunded')), 0)::bigint as order_total,
			coalesce((select sum(r.amount) from refunds r where r.business_id = $1 and r.payment_id in (select id from p)
				and `+billing.CountsSQL("r")+`), 0)::bigint as order_refunded,
			coalesce((select sum(owed.due) from b`+DueJoins+`), 0)::bigint as due,
			coalesce((select sum(owed.taken) from b`+DueJoins+`), 0)::bigint as paid_at_studio,
			coalesce((select sum(f.amount) from fees f where f.business_id = $1 and f.booking_id in (select id from b)
				and f.state = 'due'), 0)::bigint as fees_due`, r.Business(), group)
}

// moneyOf reads the amounts paid for a booking, the refunds of its order, and the fees that are due.
func moneyOf(ctx context.Context, r pg.Reader, booking uuid.UUID) (Money, error) {
	return pg.One[Money](ctx, r, `select `+moneyColumns+moneyFrom+` and b.id = $2`, r.Business(), booking)
}

// SeatMoney is the Money of a booking of a date.
type SeatMoney struct {
	BookingID uuid.UUID
	Money
}

// moneyAt is moneyOf for all bookings of a date, except those of a course: these are read as a whole.
func moneyAt(ctx context.Context, r pg.Reader, occurrence uuid.UUID) ([]SeatMoney, error) {
	return pg.All[SeatMoney](ctx, r, `select b.id as booking_id, `+moneyColumns+moneyFrom+` and b.occurrence_id = $2`+outsideCourses,
		r.Business(), occurrence)
}

// moneyOfAll is moneyAt for a list of bookings.
func moneyOfAll(ctx context.Context, r pg.Reader, bookings []uuid.UUID) ([]SeatMoney, error) {
	return pg.All[SeatMoney](ctx, r, `select b.id as booking_id, `+moneyColumns+moneyFrom+` and b.id = any($2)`+outsideCourses,
		r.Business(), bookings)
}

// outsideCourses leaves out bookings b of a course.
const outsideCourses = `
			and not exists (select from offerings f
				where f.business_id = b.business_id and f.id = b.offering_id and f.enrolment = 'series')`

// moneyColumns and moneyFrom are the columns of Money of bookings b.
var moneyColumns = `coalesce(case when p.id is null then 0 else ` + lineByCard + ` end, 0) + later.paid as paid,
			coalesce(` + OrderTotalSQL("o") + `, 0) as order_total,
			` + billing.RefundedSQL("b.business_id", "p.id") + `::bigint + later.refunded as order_refunded,
			owed.due, owed.taken as paid_at_studio, ` + feesDue + ` as fees_due`

var moneyFrom = `
		from bookings b
		left join orders o on o.business_id = b.business_id and o.id = b.order_id and o.state in ('fulfilled', 'refunded')
		left join order_lines x on x.business_id = b.business_id and x.order_id = o.id and x.booking_id = b.id
		left join payments p on p.business_id = b.business_id and p.order_id = o.id and p.outcome = 'fulfilled'
		` + PaidBesideSQL("$1") + DueJoins + `
		cross join lateral (
			select coalesce(sum(each.paid), 0)::bigint as paid, coalesce(sum(each.refunded), 0)::bigint as refunded
			from (select sum(` + LaterDueSQL + `) as paid, ` + billing.RefundedSQL("$1", "k.id") + ` as refunded
				from order_lines y
				join orders q on q.business_id = $1 and q.id = y.order_id and q.state = 'fulfilled' and q.cart_id is null
				join payments k on k.business_id = $1 and k.order_id = q.id and k.outcome = 'fulfilled'
				where y.business_id = $1 and y.booking_id = b.id
				group by k.business_id, k.id) each
		) later
		where b.business_id = $1`
