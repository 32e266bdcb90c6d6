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
		where o.business_id = $1 group by o.id, o.subtotal_amount, o.tax_amount, o.service_fee_amount
		having count(l.id) = 0 or o.subtotal_amount <> sum(l.listed_amount)
			or o.tax_amount - sum(l.tax_amount) not between 0 and greatest(o.service_fee_amount - 1, 0)`},

	// The discounts of an order equal the difference of its lines and its own amount, and no discount is in more
	// orders than allowed.
	{"discounts", `select 'orders', o.id, o.discount_amount || ' taken off', l.amount || ' off its lines, ' || u.amount || ' by discounts'
		from orders o
		cross join lateral (select coalesce(sum(discount_amount), 0) as amount from order_lines where business_id = $1 and order_id = o.id) l
		cross join lateral (select coalesce(sum(amount), 0) as amount from order_discounts where business_id = $1 and order_id = o.id) u
		where o.business_id = $1 and (o.discount_amount <> l.amount or o.discount_amount <> u.amount)
		union all
		select 'discounts', d.id, 'at most ' || d.uses_max || ' orders', count(*) || ' orders'
		from discounts d join order_discounts u on u.business_id = $1 and u.discount_id = d.id
		join orders o on o.business_id = $1 and o.id = u.order_id and o.state = 'fulfilled'
		where d.business_id = $1 and d.uses_max > 0 group by d.id, d.uses_max having count(*) > d.uses_max`},

	// If part of an order is due at the studio, its lines have the amounts paid at booking, and no other order's
	// lines do: all of the card payment but for the service fee, and all of the credit.
	{"deposits", `select 'orders', o.id, case when o.due_amount > 0 then o.total_amount - o.due_amount - o.credit_amount else 0 end || ' on the card, ' ||
				case when o.due_amount > 0 then o.credit_amount else 0 end || ' of credit',
			l.card || ' and the service fee on the card, ' || l.credit || ' of credit'
		from orders o
		cross join lateral (select coalesce(sum(card_amount), 0) as card, coalesce(sum(credit_amount), 0) as credit,
				coalesce(bool_or(card_amount + credit_amount > listed_amount - discount_amount + case o.tax_mode when 'exclusive' then tax_amount else 0 end), false) as more
			from order_lines where business_id = $1 and order_id = o.id) l
		where o.business_id = $1 and (l.more or case when o.due_amount > 0
			then l.card + o.service_fee_amount <> o.total_amount - o.due_amount - o.credit_amount or l.credit <> o.credit_amount
			else l.card + l.credit > 0 end)`},

	// The total of an order was paid by card or account credit, or is due at the studio.
	{"order_paid", `select 'orders', o.id, o.total_amount - o.due_amount - o.credit_amount || ' paid', coalesce(p.amount, 0) || ' paid'
		from orders o left join (
			select order_id, sum(amount) as amount from payments
			where business_id = $1 and outcome = 'fulfilled' group by order_id
		) p on p.order_id = o.id
		where o.business_id = $1 and o.state = 'fulfilled' and o.total_amount - o.due_amount - o.credit_amount <> coalesce(p.amount, 0)
		union all
		select 'orders', o.id, case o.state when 'fulfilled' then o.credit_amount else 0 end || ' of credit paid', coalesce(t.amount, 0) || ' of credit paid'
		from orders o left join (
			select order_id, sum(case kind when 'received' then amount else -amount end) as amount from manual_payments
			where business_id = $1 and method = 'credit' and kind in ('received', 'void') group by order_id
		) t on t.order_id = o.id
		where o.business_id = $1 and o.cart_id is not null and o.due_amount = 0
			and case o.state when 'fulfilled' then o.credit_amount else 0 end <> coalesce(t.amount, 0)`},

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

	// A manual payment has its parts, and is neither more than was due at the studio nor refunded twice.
	{"manual_payments", `select 'manual_payments', t.id, t.amount || ' in parts', coalesce(sum(a.amount), 0) || ' in parts'
		from manual_payments t left join manual_payment_parts a on a.business_id = $1 and a.manual_payment_id = t.id
		where t.business_id = $1 group by t.id, t.amount having t.amount <> coalesce(sum(a.amount), 0)
		union all
		select 'orders', o.id, 'at most ' || o.due_amount + o.credit_amount || ' taken at the desk, or of credit', sum(case t.kind when 'received' then t.amount when 'void' then -t.amount else 0 end)::text
		from orders o join manual_payments t on t.business_id = $1 and t.order_id = o.id
		where o.business_id = $1 group by o.id, o.due_amount, o.credit_amount
		having sum(case t.kind when 'received' then t.amount when 'void' then -t.amount else 0 end) > o.due_amount + o.credit_amount
		union all
		select 'manual_payments', t.id, 'at most ' || t.amount || ' back', sum(g.amount)::text
		from manual_payments t join manual_payments g on g.business_id = $1 and g.of_id = t.id
		where t.business_id = $1 group by t.id, t.amount having sum(g.amount) > t.amount`},

	// The expected amount of a drawer when it was counted is the sum of its transactions.
	{"drawers", `select 'drawers', d.id, d.float_amount + t.amount + m.amount || ' in it', d.expected_amount || ' in it'
		from drawers d
		cross join lateral (select coalesce(sum(case kind when 'received' then amount else -amount end), 0) as amount from manual_payments
			where business_id = $1 and drawer_id = d.id) t
		cross join lateral (select coalesce(sum(case kind when 'pay_in' then amount else -amount end), 0) as amount from drawer_transactions
			where business_id = $1 and drawer_id = d.id) m
		where d.business_id = $1 and d.expected_amount <> d.float_amount + t.amount + m.amount`},
}
