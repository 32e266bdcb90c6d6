package plan

import "foyer/app/declare"

// checks are the data checks of plans.
var checks = []declare.Check{
	{
		Name: "plan_credits", Title: "Credits of plans",
		About: "The credits that are left are the sum of their changes, and each change follows the one before it.",
		SQL: `select 'grants', g.id, coalesce(t.credits, 0) || ' by its changes', g.balance::text
			from grants g
			left join (select grant_id, sum(credits)::int as credits from redemptions where business_id = $1 group by 1) t
				on t.grant_id = g.id
			where g.business_id = $1 and g.balance <> coalesce(t.credits, 0)`,
	},
	{
		Name: "plan_uses", Title: "Bookings by plan",
		About: "Each booking that a plan pays for has used the credits of its sale, once.",
		SQL: `select 'order_lines', x.id, case o.state when 'fulfilled'
			then x.credits || ' credits of ' || x.grant_id else 'none' end,
				coalesce(-d.credits || ' credits of ' || d.grant_id, 'none')
			from order_lines x join orders o on o.business_id = $1 and o.id = x.order_id
			left join redemptions d on d.business_id = $1 and d.order_line_id = x.id and d.kind = 'used'
			where x.business_id = $1 and x.grant_id is not null and case o.state when 'fulfilled'
				then d.id is null or d.credits <> -x.credits or d.grant_id <> x.grant_id else d.id is not null end
			union all
			select 'redemptions', d.id, 'a booking of a plan', 'none'
			from redemptions d join order_lines x on x.business_id = $1 and x.id = d.order_line_id
			where d.business_id = $1 and d.kind in ('used', 'returned')
				and (x.grant_id is distinct from d.grant_id or x.booking_id is distinct from d.booking_id)
			union all
			select 'redemptions', d.id, 'as many as were used', d.credits || ' returned'
			from redemptions d
			left join redemptions u on u.business_id = $1 and u.order_line_id = d.order_line_id and u.kind = 'used'
			where d.business_id = $1 and d.kind = 'returned' and d.credits is distinct from -u.credits`,
	},
	{
		Name: "plan_periods", Title: "Billing periods",
		About: "Each membership has its periods one after the other, those that are paid by a sale, and while it renews " +
			"one that is to be paid.",
		SQL: `select 'cycles', c.id, case c.state when 'paid' then 'a sale' else 'an order that waits for its payment' end,
				coalesce(o.state, 'none')
			from cycles c
			left join order_lines x on x.business_id = $1 and x.id = c.order_line_id
			left join orders o on o.business_id = $1 and o.id = x.order_id
			where c.business_id = $1 and (c.state = 'paid' and o.state is distinct from 'fulfilled'
				or c.state = 'due' and o.state is distinct from 'open')
			union all
			select 'cycles', c.id, 'after the period before it', 'number ' || c.number || ' from ' || c.starts_on
			from (select c.*, lag(c.ends_on) over w as before, row_number() over w as n from cycles c
				where c.business_id = $1 and c.state <> 'void' window w as (partition by c.membership_id order by c.number)) c
			where c.n <> c.number or c.before <> c.starts_on and c.starts_on - c.before <> coalesce((
				select sum(least(f.ends_on, c.starts_on) - greatest(f.starts_on, c.before)) from freezes f
				where f.business_id = $1 and f.membership_id = c.membership_id and f.canceled_at is null
					and f.starts_on < c.starts_on and f.ends_on > c.before), 0)
			union all
			select 'memberships', m.id, case when m.ends_on is null then '1' else 'at most 1' end || ' period to be paid',
				count(c.id)::text
			from memberships m
			left join cycles c on c.business_id = $1 and c.membership_id = m.id and c.state in ('coming', 'due')
			where m.business_id = $1 and m.kind = 'membership'
			group by m.id, m.state, m.ends_on
			having count(c.id) > case when m.state = 'active' then 1 else 0 end
				or m.state = 'active' and m.ends_on is null and count(c.id) <> 1`,
	},
	{
		Name: "plan_values", Title: "Values of plans",
		About: "The price of a plan is what is not used, what its bookings used, and what was earned. " +
			"One that has ended has no credits and no value.",
		SQL: `select 'grants', g.id, g.value_amount::text, g.unused_amount + coalesce(t.amount, 0) || ' by its changes'
			from grants g
			left join (select grant_id, sum(case kind when 'used' then amount when 'earned' then amount when 'expired'
			then amount
					when 'returned' then -amount else 0 end)::bigint as amount
				from redemptions where business_id = $1 group by 1) t on t.grant_id = g.id
			where g.business_id = $1 and g.value_amount <> g.unused_amount + coalesce(t.amount, 0)
			union all
			select 'memberships', m.id, 'all is earned or refunded of a plan that is ' || m.state,
				g.balance || ' credits and ' || g.unused_amount || ' unused'
			from memberships m join grants g on g.business_id = $1 and g.membership_id = m.id
			where m.business_id = $1 and m.state <> 'active' and (g.balance > 0 or g.unused_amount > 0)`,
	},
	{
		Name: "plans_booked", Title: "Plans in the books",
		About: "What is not earned of the prices of plans is what the deferred accounts of the books say.",
		SQL: `with known as (
				select e.source_kind, e.source_id, e.event from ledger_entries e
				where e.business_id = $1 and e.source_kind in ('payment', 'refund', 'manual_payment', 'redemption')
					and e.event in ('sale', 'refund', 'failed')
			), worth as (
				select m.currency, g.deferred_account as code, g.unused_amount as amount
				from grants g join memberships m on m.business_id = $1 and m.id = g.membership_id where g.business_id = $1
				union all
				select m.currency, g.deferred_account, u.amount from unearned_uses u
				join grants g on g.business_id = $1 and g.id = u.grant_id
				join memberships m on m.business_id = $1 and m.id = g.membership_id where u.business_id = $1
				union all
				select m.currency, g.deferred_account, d.amount from redemptions d
				join grants g on g.business_id = $1 and g.id = d.grant_id
				join memberships m on m.business_id = $1 and m.id = g.membership_id
				where d.business_id = $1 and d.kind = 'refunded'
					and not exists (select from redemptions u where u.business_id = $1 and u.refund_id = d.refund_id
						and u.grant_id = d.grant_id and u.kind = 'restored')
					and not exists (select from known k where k.source_kind in ('refund', 'manual_payment')
						and k.source_id = d.refund_id::text and k.event = 'refund')
				union all
				select a.currency, a.code, -p.amount from ledger_entries e
				join ledger_postings p on p.business_id = $1 and p.entry_id = e.id
				join ledger_accounts a on a.business_id = $1 and a.id = p.account_id and a.code like 'deferred.%'
				where e.business_id = $1 and e.source_kind = 'redemption' and e.event = 'refund'
					and not exists (select from known k where k.source_id = e.source_id
						and (k.source_kind = 'refund' and k.event = 'refund' or k.source_kind = 'redemption' and k.event = 'failed'))
				union all
				select t.currency, a.account, case when p.outcome = 'refunded' then a.amount else -a.amount end
				from payments p
				join order_tenders t on t.business_id = $1 and t.order_id = p.order_id and t.kind = 'card'
				join tender_parts a on a.business_id = $1 and a.tender_id = t.id and a.account like 'deferred.%'
				cross join lateral (select exists (select from known k where k.source_kind = 'payment'
					and k.source_id = p.id::text and k.event = 'sale') as sold) x
				where p.business_id = $1 and (p.outcome = 'fulfilled' and not x.sold or p.outcome = 'refunded' and x.sold
					and not exists (select from refunds r join known k on k.source_kind = 'refund' and k.source_id = r.id::text
						and k.event = 'refund' where r.business_id = $1 and r.payment_id = p.id))
			), posted as (
				select a.currency, a.code, -sum(p.amount)::bigint as amount
				from ledger_accounts a join ledger_postings p on p.business_id = $1 and p.account_id = a.id
				where a.business_id = $1 and a.code like 'deferred.%' group by 1, 2
			)
			select 'businesses', $1::uuid, coalesce(w.amount, 0) || ' ' || coalesce(w.currency, k.currency) || ' of plans',
				coalesce(k.amount, 0) || ' ' || coalesce(k.code, w.code)
			from (select currency, code, sum(amount)::bigint as amount from worth group by 1, 2) w
			full join posted k on k.currency = w.currency and k.code = w.code
			where coalesce(w.amount, 0) <> coalesce(k.amount, 0)`,
	},
}
