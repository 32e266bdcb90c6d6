package integrity

// bookChecks are about the ledger: every transaction is in it, once, and with its amount. Those that the sweeps still
// fetch from the processor (due_at) may come later.
var bookChecks = []check{
	{"entries", `select 'ledger_entries', e.id, e.size || ' postings that add up to 0', count(p.entry_id) || ' that add up to ' || coalesce(sum(p.amount), 0)
		from ledger_entries e left join ledger_postings p on p.business_id = e.business_id and p.entry_id = e.id
		where e.business_id = $1 group by e.id, e.size having count(p.entry_id) <> e.size or coalesce(sum(p.amount), 0) <> 0`},

	{"sales_booked", booked + `
		select 'payments', p.id, 'a sale of ' || p.amount, coalesce(b.amount::text, 'none')
		from payments p left join booked b on b.source_kind = 'payment' and b.event = 'sale' and b.source_id = p.id::text
		where p.business_id = $1 and p.status = 'succeeded' and (p.due_at is null or p.balance_transaction is not null)
			and b.amount is distinct from p.amount
		union all
		select 'ledger_entries', b.id, 'a payment of ' || b.amount, 'none'
		from booked b left join payments p on p.business_id = $1 and p.id::text = b.source_id and p.status = 'succeeded'
		where b.source_kind = 'payment' and p.id is null`},

	{"refunds_booked", booked + `
		select 'refunds', r.id, r.amount || ' that left', coalesce(-b.amount || '', 'none')
		from refunds r join payments p on p.business_id = $1 and p.id = r.payment_id and p.status = 'succeeded'
		left join booked b on b.source_kind = 'refund' and b.event = 'refund' and b.source_id = r.id::text
		where r.business_id = $1 and (r.balance_transaction is not null or r.state = 'succeeded' and r.due_at is null)
			and case r.destination when 'account_credit' then b.credit else b.amount end is distinct from -r.amount
		union all
		select 'refunds', r.id, case when r.state in ('failed', 'canceled') then r.amount || ' that came again' else 'nothing that came again' end,
			coalesce(b.amount::text, 'none')
		from refunds r left join booked b on b.source_kind = 'refund' and b.event = 'failed' and b.source_id = r.id::text
		where r.business_id = $1 and b.amount is distinct from
			case when r.state in ('failed', 'canceled') and r.balance_transaction is not null then r.amount end`},

	{"fees_booked", booked + `
		select 'payments', p.id, p.processor_fee || ' of it for the processor', coalesce(b.fees, 0)::text
		from payments p left join booked b on b.source_kind = 'balance' and b.source_id = p.balance_transaction
		where p.business_id = $1 and p.balance_transaction is not null and coalesce(b.fees, 0) <> p.processor_fee`},

	{"tenders_booked", booked + `, due as (
			select 'order_tenders' as record, id, 'sale' as event, kind as method, amount
			from order_tenders where business_id = $1 and kind <> 'card' and captured_at is not null
			union all
			select 'refunds', g.id, g.kind, case g.destination when 'account_credit' then 'account_credit' else t.kind end,
				-g.amount
			from refunds g join order_tenders t on t.business_id = $1 and t.id = g.tender_id where g.business_id = $1
		)
		select due.record, due.id, due.event || ' ' || due.amount || ' by ' || due.method,
			coalesce(b.event || ' ' || coalesce(b.cash, b.elsewhere, b.credit, b.gift, 0), 'none')
		from due left join booked b on b.source_kind = 'manual_payment' and b.source_id = due.id::text and b.event = due.event
		where case due.method when 'cash' then b.cash when 'account_credit' then b.credit
			when 'gift_card' then b.gift else b.elsewhere end is distinct from due.amount`},

	// Income is in the account of the revenue category of one of the order's lines, or in that of the kind of one without.
	{"income_booked", `with posted as (
			select e.id, a.code, a.revenue_category_id, coalesce(p.order_id, t.order_id, q.order_id) as order_id
			from ledger_accounts a
			join ledger_postings g on g.business_id = $1 and g.account_id = a.id
			join ledger_entries e on e.business_id = $1 and e.id = g.entry_id
			left join payments p on p.business_id = $1 and e.source_kind = 'payment' and p.id::text = e.source_id
			left join refunds r on r.business_id = $1 and e.source_kind in ('refund', 'manual_payment')
				and r.id::text = e.source_id
			left join order_tenders t on t.business_id = $1 and t.id = case
				when r.id is not null then r.tender_id when e.source_kind = 'manual_payment' then e.source_id::uuid end
			left join payments q on q.business_id = $1 and q.id = r.payment_id
			where a.business_id = $1
				and (a.revenue_category_id is not null
					or a.code in ('income.class', 'income.session', 'income.space', 'income.product'))
		)
		select 'ledger_entries', i.id, 'income of a line of order ' || i.order_id, i.code
		from posted i
		where exists (select from order_lines l where l.business_id = $1 and l.order_id = i.order_id)
			and not exists (select from order_lines l where l.business_id = $1 and l.order_id = i.order_id
				and l.income_account = i.code)`},

	// Cash between a drawer and the studio's own account, differences of counts, and settlements of other payments.
	{"till_booked", booked + `, due as (
			select 'drawers' as record, d.id, 'drawer' as kind, 'transfer' as event, d.float_amount - d.found_amount as cash, null::bigint as elsewhere
			from drawers d where d.business_id = $1
			union all
			select 'drawers', d.id, 'drawer', 'counted', d.counted_amount - d.expected_amount, null from drawers d where d.business_id = $1
			union all
			select 'drawers', d.id, 'drawer', 'banked', d.left_amount - d.counted_amount, null from drawers d where d.business_id = $1
			union all
			select 'drawer_transactions', m.id, 'drawer', 'transfer', case m.kind when 'pay_in' then m.amount else -m.amount end, null from drawer_transactions m where m.business_id = $1
			union all
			select 'settlements', s.id, 'settlement', 'banked', null, -s.amount - s.fee_amount from settlements s where s.business_id = $1
		)
		select due.record, due.id, due.event || ' ' || coalesce(due.cash, due.elsewhere, 0), coalesce(b.event || ' ' || coalesce(b.cash, b.elsewhere), 'none')
		from due left join booked b on b.source_kind = due.kind and b.source_id = due.id::text and b.event = due.event
		where nullif(due.cash, 0) is distinct from b.cash or due.elsewhere is distinct from b.elsewhere`},

	// Account credit is the sum of its transactions, every transaction with its cause, and all of it is in the books.
	{"credits", `with moved as (
			select customer_id, currency, sum(amount)::bigint as amount from credit_transactions where business_id = $1 group by customer_id, currency
		)
		select 'customers', coalesce(m.customer_id, c.customer_id), coalesce(m.amount, 0) || ' ' || coalesce(m.currency, c.currency) || ' of credit', coalesce(c.balance, 0)::text
		from moved m full join (select * from credits where business_id = $1) c on c.customer_id = m.customer_id and c.currency = m.currency
		where coalesce(m.amount, 0) <> coalesce(c.balance, 0)
		union all
		select 'order_tenders', t.id, t.amount || ' of credit moved', coalesce(m.amount::text, 'none')
		from order_tenders t left join credit_transactions m on m.business_id = $1 and m.tender_id = t.id
		where t.business_id = $1 and m.amount is distinct from
			case when t.kind = 'account_credit' and t.captured_at is not null then -t.amount end
		union all
		select 'refunds', r.id, r.amount || ' of credit moved', coalesce(m.amount::text, 'none')
		from refunds r left join credit_transactions m on m.business_id = $1 and m.refund_id = r.id
		left join order_tenders t on t.business_id = $1 and t.id = r.tender_id
		where r.business_id = $1 and m.amount is distinct from
			case when r.destination = 'account_credit' or t.kind = 'account_credit' then r.amount end`},

	{"credits_booked", booked + `
		select 'credit_transactions', m.id, m.kind || ' ' || m.amount, coalesce(-b.credit || '', 'none')
		from credit_transactions m left join booked b on b.source_kind = 'credit' and b.source_id = m.id::text
		where m.business_id = $1 and m.kind in ('granted', 'removed') and -b.credit is distinct from m.amount
		union all
		select 'ledger_accounts', a.id, coalesce(c.balance, 0) || ' ' || a.currency || ' of credit', coalesce(-p.amount, 0)::text
		from ledger_accounts a
		left join lateral (select sum(p.amount)::bigint as amount from ledger_postings p where p.business_id = $1 and p.account_id = a.id) p on true
		left join lateral (select sum(c.balance)::bigint as balance from credits c where c.business_id = $1 and c.currency = a.currency) c on true
		where a.business_id = $1 and a.code = 'stored_value.credit' and coalesce(c.balance, 0) <> coalesce(-p.amount, 0)`},

	// A gift card has paid what its tenders say, and has what was refunded of them.
	{"gift_cards_spent", `select 'order_tenders', t.id,
			case when t.captured_at is null then 'nothing' else t.amount::text end || ' of a gift card spent',
			coalesce(-m.amount || '', 'none')
		from order_tenders t left join gift_card_transactions m on m.business_id = $1 and m.tender_id = t.id
			and m.gift_card_id = t.source_id
		where t.business_id = $1 and t.kind = 'gift_card'
			and -m.amount is distinct from case when t.captured_at is not null then t.amount end
		union all
		select 'refunds', r.id,
			case r.destination when 'original' then r.amount::text else 'nothing' end || ' refunded to a gift card',
			coalesce(m.amount::text, 'none')
		from refunds r join order_tenders t on t.business_id = $1 and t.id = r.tender_id and t.kind = 'gift_card'
		left join gift_card_transactions m on m.business_id = $1 and m.refund_id = r.id and m.kind = 'refunded'
		where r.business_id = $1 and m.amount is distinct from case r.destination when 'original' then r.amount end`},

	// What gift cards are worth is in the books. A refund of a purchase is off the card when it is requested, and in the
	// books when the money has left; a purchase that the studio has yet to approve is the other way around.
	{"gift_cards_booked", `with known as (
				select e.source_kind, e.source_id, e.event from ledger_entries e
				where e.business_id = $1 and e.source_kind in ('payment', 'refund', 'manual_payment', 'gift_card')
					and e.event in ('sale', 'refund', 'failed')
			), worth as (
				select currency, balance as amount from gift_cards where business_id = $1
				union all
				select g.currency, -t.amount from gift_card_transactions t
				join gift_cards g on g.business_id = $1 and g.id = t.gift_card_id
				where t.business_id = $1 and t.kind = 'returned'
					and not exists (select from gift_card_transactions u where u.business_id = $1 and u.refund_id = t.refund_id
						and u.gift_card_id = t.gift_card_id and u.kind = 'restored')
					and not exists (select from known k where k.source_kind in ('refund', 'manual_payment')
						and k.source_id = t.refund_id::text and k.event = 'refund')
				union all
				select a.currency, -p.amount from ledger_entries e
				join ledger_postings p on p.business_id = $1 and p.entry_id = e.id
				join ledger_accounts a on a.business_id = $1 and a.id = p.account_id and a.code = 'stored_value.gift'
				where e.business_id = $1 and e.source_kind = 'gift_card' and e.event = 'refund'
					and not exists (select from known k where k.source_id = e.source_id
						and (k.source_kind = 'refund' and k.event = 'refund' or k.source_kind = 'gift_card' and k.event = 'failed'))
				union all
				select t.currency, case when p.outcome = 'refunded' then a.amount else -a.amount end
				from payments p
				join order_tenders t on t.business_id = $1 and t.order_id = p.order_id and t.kind = 'card'
				join tender_parts a on a.business_id = $1 and a.tender_id = t.id and a.account = 'stored_value.gift'
				cross join lateral (select exists (select from known k where k.source_kind = 'payment'
					and k.source_id = p.id::text and k.event = 'sale') as sold) x
				where p.business_id = $1 and (p.outcome = 'fulfilled' and not x.sold or p.outcome = 'refunded' and x.sold
					and not exists (select from refunds r join known k on k.source_kind = 'refund' and k.source_id = r.id::text
						and k.event = 'refund' where r.business_id = $1 and r.payment_id = p.id))
			), posted as (
				select a.currency, -sum(p.amount)::bigint as amount
				from ledger_accounts a join ledger_postings p on p.business_id = $1 and p.account_id = a.id
				where a.business_id = $1 and a.code = 'stored_value.gift' group by a.currency
			)
			select 'businesses', $1::uuid, coalesce(w.amount, 0) || ' ' || coalesce(w.currency, k.currency) || ' of gift cards',
				coalesce(k.amount, 0)::text
			from (select currency, sum(amount)::bigint as amount from worth group by currency) w
			full join posted k on k.currency = w.currency
			where coalesce(w.amount, 0) <> coalesce(k.amount, 0)`},

	// The processor's balance equals the books and the stored transactions. For accounts that are still listed, at
	// the last reconciliation.
	{"reconciliation", `select 'reconciliations', o.id, o.balance + o.held || ' ' || o.currency || ' at the processor, ' || o.recorded || ' known', o.books || ' in the books'
		from reconciliations o join processor_listings l on l.business_id = $1 and l.env = o.env and l.account = o.account and l.due_at is not null
		where o.business_id = $1 and (o.difference <> 0 or o.recorded <> o.books)`},

	{"movements_booked", `select 'balance_transactions', id, net || ' ' || currency || ' in the books: ' || type, 'not there'
		from balance_transactions where business_id = $1 and state = 'unmatched'`},

	// A stored balance is the sum of the postings until then.
	{"snapshots", `with kept as (
			select account_id, date, balance, lag(date) over w as since, coalesce(lag(balance) over w, 0) as begun
			from ledger_snapshots where business_id = $1 window w as (partition by account_id order by date)
		)
		select 'ledger_accounts', k.account_id, k.begun + p.amount || ' on ' || k.date, k.balance || ' kept'
		from kept k, lateral (select coalesce(sum(p.amount), 0) as amount from ledger_postings p where p.business_id = $1
			and p.account_id = k.account_id and p.local_date > coalesce(k.since, '-infinity') and p.local_date <= k.date) p
		where k.balance <> k.begun + p.amount`},
}

// booked are the entries of the business, with the effect of each on the processor's balance and on its fees.
const booked = `with booked as (
		select e.id, e.source_kind, e.source_id, e.event, sum(p.amount) filter (where a.code = 'clearing.processor')::bigint as amount,
			coalesce(sum(p.amount) filter (where a.code = 'expense.processor_fees'), 0)::bigint as fees,
			sum(p.amount) filter (where a.code = 'asset.cash_on_hand')::bigint as cash,
			sum(p.amount) filter (where a.code = 'clearing.trx')::bigint as elsewhere,
			sum(p.amount) filter (where a.code = 'stored_value.credit')::bigint as credit,
			sum(p.amount) filter (where a.code = 'stored_value.gift')::bigint as gift
		from ledger_entries e
		join ledger_postings p on p.business_id = e.business_id and p.entry_id = e.id
		join ledger_accounts a on a.business_id = e.business_id and a.id = p.account_id
		where e.business_id = $1 group by e.id, e.source_kind, e.source_id, e.event
	)`
