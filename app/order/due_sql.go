package order

import (
	"foyer/app/money"
	"foyer/billing"
)

// DueColumns are the amounts due of booking b, in minor units of its currency, as columns due (to be paid at the
// studio) and fees_due of a statement that has DueJoins behind the booking: the amounts of Money for each booking,
// and of a course with all its dates summed up. Its $1 is the business.
const DueColumns = `owed.due, ` + feesDue + ` as fees_due`

const feesDue = `coalesce((select sum(p.amount) from fees p where p.business_id = $1 and p.booking_id = b.id and p.state = 'due'), 0)::bigint`

// DueJoins are the joins of DueColumns besides the booking.
var DueJoins = DueJoinsOf("$1")

// DueJoinsOf gives for each booking b of a business, an expression, owed.due and owed.taken: the amount still to be
// paid at the studio, and the amount paid there and not refunded; owed.unsold is the part of due that is in no order
// yet, without tax. A booking that a plan pays has nothing due, also on a dearer date. Due is the unpaid part of its
// lines that was to be paid there, and its price as far as it exceeds the sale: all of it for a booking made at the
// desk. After a deposit it is the balance. A line keeps its tax, the remaining amount is taxed as it is sold today. A
// cancelled booking has no price due; a course only if none of its dates stands. A refund does not make a price due
// again; a void manual payment does.
func DueJoinsOf(business string) string {
	return `
		cross join lateral (
			select case when not stands.yes then 0
				else sold.unpaid + rest.amount + case l.tax_mode when 'exclusive' then ` + money.RateSQL("rest.amount", "coalesce(r.ppm, 0)") + ` else 0 end
				end::bigint as due, sold.taken,
				case when stands.yes then rest.amount else 0 end as unsold
			from offerings f
			join locations l on l.business_id = ` + business + ` and l.id = f.location_id
			left join tax_rates r on r.business_id = ` + business + ` and r.id = f.tax_rate_id
			cross join lateral (
				select coalesce(sum(x.listed_amount), 0)::bigint as listed, coalesce(sum(back.stands), 0)::bigint as taken,
					coalesce(sum(` + LineUnpaidSQL + `), 0)::bigint as unpaid,
					coalesce(bool_or(x.grant_id is not null), false) as planned
				from order_lines x
				join orders o on o.business_id = ` + business + ` and o.id = x.order_id and o.state = 'fulfilled'
				` + PaidBesideSQL(business) + `
				where x.business_id = ` + business + ` and x.booking_id = b.id and x.of_line_id is null
			) sold
			cross join lateral (
				select case when sold.planned or b.order_id is not null and ` + InCourseSQL + ` then 0 else greatest(0,
				b.price_amount - sold.listed) end as amount
			) rest
			cross join lateral (
				select case when ` + InCourseSQL + ` then exists (select from bookings g where g.business_id = ` + business + ` and g.group_id = b.group_id
					and g.state in ` + DueStatesSQL + `) else b.state in ` + DueStatesSQL + ` end as yes
			) stands
			where f.business_id = ` + business + ` and f.id = b.offering_id
		) owed`
}

// PaidBesideSQL gives for each line x back.card, the amount of it that the card of its order pays, back.paid, the
// amount paid for it otherwise, at the desk, with credit or later by a saved card, back.later, the part of that that
// the card paid, and back.stands, the amount paid at the desk or with credit and not refunded.
func PaidBesideSQL(business string) string {
	return `left join lateral (
		select coalesce(sum(a.amount) filter (where t.kind <> 'card'), 0)::bigint + max(l.paid) as paid, max(l.paid) as later,
			coalesce(sum(a.amount) filter (where t.kind = 'card'), 0)::bigint as card,
			sum(a.amount - ` + billing.RefundedPartSQL(business, "a") + `) filter (where t.kind <> 'card')::bigint as stands
		from (select coalesce(sum(` + LaterDueSQL + `), 0)::bigint as paid from order_lines y
			join orders q on q.business_id = ` + business + ` and q.id = y.order_id and q.state = 'fulfilled'
			where y.business_id = ` + business + ` and y.of_line_id = x.id) l
		left join (tender_parts a join order_tenders t on t.business_id = ` + business + ` and t.id = a.tender_id
				and (t.kind = 'card' or t.state = 'captured'))
			on a.business_id = ` + business + ` and a.line_id = x.id
	) back on true`
}

// LaterDueSQL is LineDueSQL of a line y of an order q.
const LaterDueSQL = `y.listed_amount - y.discount_amount + case q.tax_mode when 'exclusive' then y.tax_amount else 0 end`

// InCourseSQL reports whether a booking b of an offering f is a date of a course.
const InCourseSQL = `(f.enrolment = 'series' and b.group_id is not null)`

// DiscountsSQL is an expression of the discounts of an order, as JSON of []Discounted.
func DiscountsSQL(business, order string) string {
	return `(select jsonb_agg(u order by u.position) from order_discounts u where u.business_id = ` + business + ` and u.order_id = ` + order + `)`
}
