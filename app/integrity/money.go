package integrity

// moneyChecks are about orders, payments and refunds. Refunds that failed or were given up are not counted; what is owed
// after one that failed is the studio's to pay another way. What a studio gave back on the processor's own site gave nothing of the fee back.
var moneyChecks = []check{
	// The rest of an order's tax is that of its service fee: none without one, and less than all of it.
	{"order_lines", `select 'orders', o.id,
			coalesce(sum(l.listed_amount), 0) || ' and ' || coalesce(sum(l.tax_amount), 0) || ' of tax in ' || count(l.id) || ' lines',
			o.subtotal_amount || ' and ' || o.tax_amount || ' of tax'
		from orders o left join order_lines l on l.business_id = o.business_id and l.order_id = o.id
		where o.business_id = $1 group by o.id, o.subtotal_amount, o.tax_amount, o.service_fee_amount
		having count(l.id) = 0 or o.subtotal_amount <> sum(l.listed_amount)
			or o.tax_amount - sum(l.tax_amount) not between 0 and greatest(o.service_fee_amount - 1, 0)`},

	// What is due at the studio was not put on a card.
	{"order_paid", `select 'orders', o.id, o.total_amount - o.due_amount || ' paid', coalesce(p.amount, 0) || ' paid'
		from orders o left join (
			select order_id, sum(amount) as amount from payments
			where business_id = $1 and status = 'succeeded' and outcome = 'settled' group by order_id
		) p on p.order_id = o.id
		where o.business_id = $1 and o.state = 'settled' and o.total_amount - o.due_amount <> coalesce(p.amount, 0)`},

	{"order_booked", `select 'orders', o.id, 'line ' || l.position || ' is booked with it', b.state || ' with ' || coalesce(b.order_id::text, 'no order')
		from orders o join order_lines l on l.business_id = o.business_id and l.order_id = o.id
		join bookings b on b.business_id = l.business_id and b.id = l.booking_id
		where o.business_id = $1 and o.state = 'settled' and (b.state in ('held', 'expired') or b.order_id is distinct from o.id)
		union all
		select 'bookings', b.id, 'a settled order', coalesce(o.state, 'none')
		from bookings b left join orders o on o.business_id = b.business_id and o.id = b.order_id
		where b.business_id = $1 and b.state in ` + standing + ` and b.state <> 'held' and (b.hold_id is not null or b.order_id is not null)
			and coalesce(o.state, '') not in ('settled', 'refunded')`},

	{"payments", `select 'payments', id, 'an outcome of money that was taken, and of no other', status || ' ' || coalesce(nullif(outcome, ''), 'without outcome')
		from payments where business_id = $1 and (status = 'succeeded') <> (outcome <> '')
		union all
		select 'orders', order_id, '1 payment at most', count(*)::text
		from payments where business_id = $1 and status = 'succeeded' group by order_id having count(*) > 1
		union all
		select 'payments', id, 'fee ' || floor((amount::numeric * fee_ppm + 500000) / 1000000), 'fee ' || fee_amount
		from payments where business_id = $1 and fee_amount <> floor((amount::numeric * fee_ppm + 500000) / 1000000)`},

	{"refunds", `select 'payments', p.id,
			case when p.outcome = 'refunded' then 'all of ' else 'at most ' end || p.amount || ' back, fee ' || p.fee_amount,
			r.amount || ' back, fee ' || r.fee
		from payments p, lateral (
			select coalesce(sum(amount) filter (where state not in ('failed', 'canceled')), 0) as amount,
				coalesce(sum(fee_amount) filter (where state not in ('failed', 'canceled')), 0) as fee,
				count(*) filter (where state = 'failed') as failed, count(*) filter (where reason = 'external') as external
			from refunds where business_id = $1 and payment_id = p.id
		) r
		where p.business_id = $1 and (r.amount > p.amount or r.fee > p.fee_amount
			or p.outcome = 'refunded' and r.failed = 0 and (r.amount <> p.amount or r.external = 0 and r.fee <> p.fee_amount)
			or p.status <> 'succeeded' and r.amount > 0)`},
}
