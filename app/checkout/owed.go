package checkout

// OwedOf is what somebody who has booking b owes for it, in minor units of its currency, as columns due (to be paid at the studio) and
// fees_due of a statement that has OwedBeside behind the booking: what Money says of each booking, and of a course with all its dates
// summed up. Its $1 is the business.
const OwedOf = `case when ` + inCourse + ` and not exists (select from bookings g where g.business_id = $1 and g.group_id = b.group_id and g.state in ` + owing + `)
			or not (` + inCourse + `) and b.state not in ` + owing + ` then 0
		when b.order_id is null then b.price_amount
		else coalesce(case when o.due_amount > 0 then ` + lineDue + ` end, 0)
			+ case when ` + inCourse + ` then 0 else greatest(0, b.price_amount - coalesce(x.listed_amount, b.price_amount)) end
		end::bigint as due,
		coalesce((select sum(p.amount) from penalties p where p.business_id = $1 and p.booking_id = b.id and p.state = 'due'), 0)::bigint as fees_due`

// OwedBeside is what OwedOf reads besides the booking.
const OwedBeside = `
		join offerings f on f.business_id = $1 and f.id = b.offering_id
		left join orders o on o.business_id = $1 and o.id = b.order_id and o.state in ('settled', 'refunded')
		left join order_lines x on x.business_id = $1 and x.order_id = o.id and x.booking_id = b.id`

const inCourse = `(f.enrolment = 'series' and b.group_id is not null)`
