package report

import (
	"context"

	"foyer/app/pg"
	"foyer/billing/ledger"
)

// renewingSQL selects the memberships that renew, with the day of their end if it has come. A refund ends a membership
// on its day; other ends have theirs, which of a canceled one can be later than its refund.
const renewingSQL = `select m.id, m.location_id, m.plan_id, m.currency, m.starts_on, l.zone, d.today,
		case when e.ended_on <= d.today then greatest(e.ended_on, m.starts_on) end as ended_on,
		case when m.state = 'canceled' or m.canceled_at is not null then 'canceled'
			when exists (select from cycles c where c.business_id = @business and c.membership_id = m.id and c.state = 'void'
				and c.starts_on < m.ends_on) then 'unpaid'
			else 'completed' end as why
	from memberships m join locations l on l.business_id = @business and l.id = m.location_id
	cross join lateral (select (@now::timestamptz at time zone l.zone)::date as today) d
	cross join lateral (select case when m.state = 'canceled' and (m.ends_on is null or m.canceled_at is not null
			or coalesce((m.sold #>> '{renewal,ends}')::bool, false))
		then least(m.ends_on, (select (max(r.created_at) at time zone l.zone)::date from redemptions r
			join grants g on g.business_id = @business and g.id = r.grant_id and g.membership_id = m.id
			where r.business_id = @business and r.kind = 'refunded'))
		else m.ends_on end as ended_on) e
	where m.business_id = @business and m.kind = 'membership' and (@everyone or m.location_id = any(@locations::uuid[]))
		and (@currency::varchar = '' or m.currency = @currency)`

// readMemberships reads the members and the payments of the months of a range, the prices of those who are members now,
// and names: most of each at most.
func readMemberships(ctx context.Context, v *pg.View, s ledger.Span, in Range, most int) (f memberships, err error) {
	where := func(more pg.Named) pg.Named {
		more["business"], more["now"] = v.Business(), v.Now()
		more["everyone"], more["locations"], more["currency"] = s.Everyone, s.Locations, string(s.Currency)
		return more
	}
	months := func() pg.Named { return where(pg.Named{"from": in.From, "to": in.To, "most": most}) }
	var places, plans []nameRow
	b := v.Batch()
	pg.QueueAll(b, &f.counts, `with renewing as (`+renewingSQL+`), months as (
			select d::date as first, (d + interval '1 month')::date as next
			from generate_series(@from::date::timestamp, @to::date, interval '1 month') d
		)
		select x.first as date, m.location_id, m.plan_id, m.currency,
			count(*) filter (where m.starts_on < x.first)::int as opening,
			count(*) filter (where m.starts_on >= x.first)::int as joined,
			count(*) filter (where m.ended_on < x.next and m.why = 'canceled')::int as canceled,
			count(*) filter (where m.ended_on < x.next and m.why = 'unpaid')::int as unpaid,
			count(*) filter (where m.ended_on < x.next and m.why = 'completed')::int as completed,
			0 as payments, 0::bigint as income
		from months x join renewing m on m.starts_on < x.next and x.first <= m.today
			and (m.ended_on is null or m.ended_on >= x.first)
		group by 1, 2, 3, 4 limit @most`, months())
	pg.QueueAll(b, &f.paid, `with renewing as (`+renewingSQL+`)
		select date_trunc('month', o.fulfilled_at at time zone m.zone)::date as date, m.location_id, m.plan_id, m.currency,
			0 as opening, 0 as joined, 0 as canceled, 0 as unpaid, 0 as completed,
			count(*)::int as payments, sum(c.price_amount)::bigint as income
		from cycles c join renewing m on m.id = c.membership_id
		join order_lines x on x.business_id = @business and x.id = c.order_line_id
		join orders o on o.business_id = @business and o.id = x.order_id
		where c.business_id = @business and c.state = 'paid' and o.fulfilled_at is not null
			and (o.fulfilled_at at time zone m.zone)::date between @from and @to
		group by 1, 2, 3, 4 limit @most`, months())
	pg.QueueAll(b, &f.prices, `with renewing as (`+renewingSQL+`)
		select m.plan_id, m.currency, coalesce((y.sold ->> 'price')::bigint, 0) as price,
			(y.sold #>> '{validity,Count}')::int as count, y.sold #>> '{validity,Unit}' as unit, count(*)::int as members
		from renewing m join memberships y on y.business_id = @business and y.id = m.id
		where y.state = 'active' and m.ended_on is null and exists (select from cycles c where c.business_id = @business
			and c.membership_id = m.id and c.state <> 'void' and c.starts_on <= m.today and c.ends_on > m.today)
		group by 1, 2, 3, 4, 5`, where(pg.Named{}))
	pg.QueueAll(b, &places, `select id, name from locations where business_id = $1`, v.Business())
	pg.QueueAll(b, &plans, `select id, name from plans where business_id = $1 and kind = 'membership'`, v.Business())
	err = b.Send(ctx)
	f.locations, f.plan = byID(places), byID(plans)
	return f, err
}
