package integrity

import (
	"strconv"
	"strings"

	"foyer/app/money"
)

// feeSQL is the platform's fee of a payment: its share of the amount, rounded half up to a step of the currency.
var feeSQL = `floor((amount::numeric * fee_ppm + 500000 * ` + stepSQL + `) / (1000000 * ` + stepSQL + `)) * ` + stepSQL

// stepSQL is money.Currency.Step of the currency of a row.
var stepSQL = func() string {
	var b strings.Builder
	b.WriteString("case")
	for _, i := range money.Currencies() {
		if i.ChargeMultiple > 1 {
			b.WriteString(" when currency = '" + string(i.Code) + "' then " + strconv.FormatInt(i.ChargeMultiple, 10))
		}
	}
	return "(" + b.String() + " else 1 end)"
}()

// moneyChecks are about orders, payments and refunds. Failed refunds and those that were given up are not counted;
// after a failed one the studio refunds the customer in another way. Refunds made on the processor's own site refund
// no fee, and can come on top of refunds as credit.
var moneyChecks = []check{
	// The remaining tax of an order is that of its service fee: none without one, and less than all of it.
	{"order_lines", `select 'orders', o.id,
			coalesce(sum(l.listed_amount), 0) || ' and ' || coalesce(sum(l.tax_amount), 0) || ' of tax in ' || count(l.id) || ' lines',
			o.subtotal_amount || ' and ' || o.tax_amount || ' of tax'
		from orders o left join order_lines l on l.business_id = o.business_id and l.order_id = o.id
		where o.business_id = $1 group by o.id, o.subtotal_amount, o.tax_amount
		having count(l.id) = 0 or o.subtotal_amount <> sum(l.listed_amount)
			or o.tax_amount - sum(l.tax_amount) not between 0 and greatest(coalesce((select t.service_fee_amount
				from order_tenders t
				where t.business_id = $1 and t.order_id = o.id and t.kind = 'card'), 0) - 1, 0)`},

	// The discounts of an order equal the difference of its lines and its own amount, and no discount is in more
	// orders than allowed.
	{"discounts", `select 'orders', o.id, o.discount_amount || ' taken off', l.amount || ' off its lines, '
			|| u.amount || ' by discounts'
		from orders o
		cross join lateral (select coalesce(sum(discount_amount), 0) as amount from order_lines where business_id = $1 and order_id = o.id) l
		cross join lateral (select coalesce((select sum(amount) from order_discounts where business_id = $1
		and order_id = o.id), 0)
			+ coalesce((select sum(discount_amount) from order_lines where business_id = $1 and order_id = o.id
				and grant_id is not null), 0) as amount) u
		where o.business_id = $1 and (o.discount_amount <> l.amount or o.discount_amount <> u.amount)
		union all
		select 'discounts', d.id, 'at most ' || d.uses_max || ' orders', count(*) || ' orders'
		from discounts d join order_discounts u on u.business_id = $1 and u.discount_id = d.id
		join orders o on o.business_id = $1 and o.id = u.order_id and o.state = 'fulfilled'
		where d.business_id = $1 and d.uses_max > 0 group by d.id, d.uses_max having count(*) > d.uses_max`},

	// The parts of a line that tenders pay are no more than it comes to.
	{"line_paid", `select 'orders', o.id, 'at most ' || l.amount || ' of line ' || l.position, a.amount || ' paid'
		from orders o
		cross join lateral (select id, position,
				listed_amount - discount_amount + case o.tax_mode when 'exclusive' then tax_amount else 0 end as amount
			from order_lines where business_id = $1 and order_id = o.id) l
		cross join lateral (select sum(a.amount) as amount from tender_parts a
			join order_tenders t on t.business_id = $1 and t.id = a.tender_id and t.state <> 'void'
			where a.business_id = $1 and a.line_id = l.id) a
		where o.business_id = $1 and a.amount > l.amount`},

	// What was agreed with an order is as far as the order is, and its card has paid what it was to pay.
	{"order_paid", `select 'orders', o.id, coalesce(t.amount, 0) || ' paid by card',
			coalesce(p.amount, 0) || ' paid by card'
		from orders o
		left join (
			select order_id, sum(amount) as amount from payments
			where business_id = $1 and outcome = 'fulfilled' group by order_id
		) p on p.order_id = o.id
		left join order_tenders t on t.business_id = $1 and t.order_id = o.id and t.kind = 'card'
		where o.business_id = $1 and o.state = 'fulfilled' and coalesce(t.amount, 0) <> coalesce(p.amount, 0)
		union all
		select 'order_tenders', t.id, t.kind || ' of an order that is ' || o.state, t.state
		from orders o join order_tenders t on t.business_id = $1 and t.order_id = o.id and t.position > 0
		where o.business_id = $1 and t.state <> case o.state when 'fulfilled' then 'captured' when 'open'
			then case t.kind when 'card' then 'open' else 'authorized' end else 'void' end`},

	{"order_booked", `select 'orders', o.id, 'line ' || l.position || ' is booked with it', b.state || ' with ' || coalesce(b.order_id::text, 'no order')
		from orders o join order_lines l on l.business_id = o.business_id and l.order_id = o.id
		join bookings b on b.business_id = l.business_id and b.id = l.booking_id
		where o.business_id = $1 and o.state = 'fulfilled' and (b.state in ('held', 'expired') or o.cart_id is not null and b.order_id is distinct from o.id)
		union all
		select 'bookings', b.id, 'a settled order', coalesce(o.state, 'none')
		from bookings b left join orders o on o.business_id = b.business_id and o.id = b.order_id
		where b.business_id = $1 and b.state in ` + standing + ` and b.state <> 'held' and (b.hold_id is not null or b.order_id is not null)
			and coalesce(o.state, '') not in ('fulfilled', 'refunded')`},

	{"payments", `select 'payments', id, 'an outcome of money that was taken or held, and of no other', status || ' ' || coalesce(nullif(outcome, ''), 'without outcome')
		from payments where business_id = $1 and (status = 'succeeded' or authorized_at is not null) <> (outcome <> '')
		union all
		select 'orders', order_id, '1 payment at most', count(*)::text
		from payments where business_id = $1 and outcome <> '' group by order_id having count(*) > 1
		union all
		select 'payments', id, 'fee ' || ` + feeSQL + `, 'fee ' || fee_amount
		from payments where business_id = $1 and fee_amount <> ` + feeSQL},

	{"refunds", `select 'payments', p.id,
			case when p.outcome = 'refunded' then 'all of ' else 'at most ' end || p.amount || ' back, fee ' || p.fee_amount,
			r.amount || ' back, fee ' || r.fee
		from payments p, lateral (
			select coalesce(sum(amount) filter (where state not in ('failed', 'canceled')), 0) as amount,
				coalesce(sum(fee_amount + fee_later_amount) filter (where state not in ('failed', 'canceled')), 0) as fee,
				coalesce(sum(amount) filter (where state not in ('failed', 'canceled') and destination = 'original'), 0) as to_card,
				count(*) filter (where state = 'failed') as failed, count(*) filter (where reason = 'external') as external
			from refunds where business_id = $1 and payment_id = p.id
		) r
		where p.business_id = $1 and (r.amount > p.amount and r.external = 0 or r.to_card > p.amount or r.fee > p.fee_amount
			or p.outcome = 'refunded' and r.failed = 0 and (r.amount <> p.amount or r.external = 0 and r.fee <> p.fee_amount)
			or p.outcome = '' and r.amount > 0
			or p.outcome <> '' and p.status = 'canceled' and r.to_card <> p.amount)`},

	// A tender has its parts, and is not refunded twice; those of an order are no more than its total, with the service
	// fee. A refund at the studio is made of its tender's parts; a void one has its void.
	{"tenders", `select 'order_tenders', t.id, t.amount || ' in parts', coalesce(sum(a.amount), 0) || ' in parts'
		from order_tenders t left join tender_parts a on a.business_id = $1 and a.tender_id = t.id
		where t.business_id = $1 group by t.id, t.amount having t.amount <> coalesce(sum(a.amount), 0)
		union all
		select 'orders', o.id, 'at most ' || o.total_amount || ' paid', sum(t.amount - t.service_fee_amount)::text
		from orders o join order_tenders t on t.business_id = $1 and t.order_id = o.id and t.state <> 'void'
		where o.business_id = $1 group by o.id, o.total_amount having sum(t.amount - t.service_fee_amount) > o.total_amount
		union all
		select 'order_tenders', t.id, 'at most ' || t.amount || ' back', sum(g.amount)::text
		from order_tenders t join refunds g on g.business_id = $1 and g.tender_id = t.id
		where t.business_id = $1 group by t.id, t.amount having sum(g.amount) > t.amount
		union all
		select 'order_tenders', t.id, t.state || ', with ' || case t.state when 'void' then 'its void' else 'no void' end,
			count(g.id) || ' voids'
		from order_tenders t left join refunds g on g.business_id = $1 and g.tender_id = t.id and g.kind = 'void'
		where t.business_id = $1 and t.position = 0 group by t.id, t.state having count(g.id) <> case t.state when 'void'
			then 1 else 0 end
		union all
		select 'refunds', g.id, g.amount || ' in parts of its tender', coalesce(
			sum(least((p ->> 'amount')::bigint, a.amount)), 0)::text
		from refunds g
		left join jsonb_array_elements(g.parts) p on true
		left join tender_parts a on a.business_id = $1 and a.tender_id = g.tender_id
			and p ->> 'line' = a.line_id::text and p ->> 'account' = a.account
		where g.business_id = $1 and g.tender_id is not null group by g.id, g.amount
		having g.amount <> coalesce(sum(least((p ->> 'amount')::bigint, a.amount)), 0)`},

	// The expected amount of a drawer when it was counted is the sum of its transactions.
	{"drawers", `select 'drawers', d.id, d.float_amount + t.amount + m.amount || ' in it', d.expected_amount || ' in it'
		from drawers d
		cross join lateral (select (select coalesce(sum(amount), 0) from order_tenders where business_id = $1
			and drawer_id = d.id)
			- (select coalesce(sum(amount), 0) from refunds where business_id = $1 and drawer_id = d.id) as amount) t
		cross join lateral (select coalesce(sum(case kind when 'pay_in' then amount else -amount end), 0) as amount from drawer_transactions
			where business_id = $1 and drawer_id = d.id) m
		where d.business_id = $1 and d.expected_amount <> d.float_amount + t.amount + m.amount`},
}
