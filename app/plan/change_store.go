package plan

import (
	"maps"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// soldAsSQL is what a membership keeps of a plan p of the business @business, without its terms of renewal. part says
// whether its first period is a part of one, an expression.
func soldAsSQL(part string) string {
	return `jsonb_build_object('benefits', ` + benefitsSQL("@business") + `, 'validity', jsonb_build_object('Count',
				coalesce(p.valid_count, 0), 'Unit', coalesce(p.valid_unit, ''), 'FromFirstUse', p.from_first_use),
				'freeze', coalesce(p.freeze, '{}'), 'price', p.price_amount, 'part', ` + part + `)`
}

// renewalSQL is Renewal of a plan p, with a number of periods at the introductory price, an expression.
func renewalSQL(introPeriods string) string {
	return `jsonb_build_object('introAmount', case when ` + introPeriods + ` > 0 then p.intro_amount else 0 end,
					'introPeriods', ` + introPeriods + `, 'minPeriods', p.min_periods, 'ends', p.ends,
					'noticeDays', p.notice_days, 'billingDay', p.billing_day, 'downgradePeriods', p.downgrade_periods)`
}

// voidChangesIn queues that changes of memberships that are open are void.
func voidChangesIn(b *pg.Batch, tx *pg.Tx, memberships []uuid.UUID) {
	pg.QueueExec(b, `update plan_changes set state = 'void', version = version + 1, updated_at = $3
		where business_id = $1 and membership_id = any($2) and state in ('coming', 'due')`,
		tx.Business(), memberships, tx.Now())
}

// changedMost bounds the grants of a change: of two periods.
const changedMost = 8 * BenefitsMax

// applyIn queues open changes h, by a condition, whose memberships are locked. In the period in which a change begins,
// and in later ones, its benefits take the place of the present ones: what those have left of their value is theirs,
// and the price of the change. args are those of the condition.
func applyIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, condition string, args pg.Named) {
	open := `select h.*, m.location_id, k.number from plan_changes h
			join memberships m on m.business_id = @business and m.id = h.membership_id
			join cycles k on k.business_id = @business and k.id = h.cycle_id
			where h.business_id = @business and h.state in ('coming', 'due') and m.state = 'active' and (` + condition + `)`
	with := func(more ...pg.Named) pg.Named {
		out := pg.Named{"business": tx.Business(), "now": tx.Now()}
		for _, from := range append(more, args) {
			maps.Copy(out, from)
		}
		return out
	}
	// A plan with periods of another length begins with a period, which then has the new length.
	pg.QueueExec(b, `with open as (`+open+`), longer as (
			update cycles c set ends_on = `+endSQL("c.starts_on", "(h.sold #>> '{validity,Count}')::int",
		"h.sold #>> '{validity,Unit}'")+`, updated_at = @now
			from open h where c.business_id = @business and c.id = h.cycle_id and c.state = 'coming' and exists (
				select from memberships m where m.business_id = @business and m.id = h.membership_id
				and m.sold -> 'validity' <> h.sold -> 'validity')
			returning c.membership_id, c.number, c.starts_on
		)
		update memberships m set anchor_on = l.starts_on, anchor_number = l.number
		from longer l where m.business_id = @business and m.id = l.membership_id`, with())
	gone := pg.NewIDs(changedMost)
	actor := pg.Named{"actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name}
	periods := `select h.id as change_id, h.membership_id, h.location_id, h.sold, h.allowances, h.order_line_id, c.id,
				c.starts_on, c.ends_on, c.id = h.cycle_id as first
			from open h join cycles c on c.business_id = @business and c.membership_id = h.membership_id
				and c.number >= h.number and c.state <> 'void'`
	pg.QueueExec(b, `with open as (`+open+`), before as (
			select g.id, g.balance, g.unused_amount, p.location_id, row_number() over (order by g.id) as n
			from (`+periods+`) p join grants g on g.business_id = @business and g.cycle_id = p.id and not g.carried
				and g.replaced_at is null
		), replaced as (
			update grants g set balance = 0, unused_amount = 0, value_amount = g.value_amount - x.unused_amount,
				amount = coalesce(g.amount, 0), replaced_at = @now
			from before x where g.business_id = @business and g.id = x.id
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
			actor_id, actor_name, created_at)
		select (@gone_ids::uuid[])[n], @business, id, location_id, 'changed', -balance, 0, unused_amount, @actor_kind,
			@actor::uuid, @actor_name, @now
		from before where balance > 0 or unused_amount > 0`, with(pg.Named{"gone_ids": gone}, actor))
	pg.QueueExec(b, `with open as (`+open+`), benefits as (
			select p.*, e.position::int as benefit, e.benefit ->> 'credits' is null as unlimited,
				case when e.benefit ->> 'credits' is null then 0 else greatest(0, case when p.first
					then (p.allowances ->> (e.position - 1)::int)::int else (e.benefit ->> 'credits')::int end - coalesce(u.used, 0))
				end as credits,
				coalesce((select sum(d.amount) from redemptions d join grants g on g.business_id = @business
					and g.id = d.grant_id and g.cycle_id = p.id
					where d.business_id = @business and d.id = any(@gone_ids)), 0)
				+ case when p.first then coalesce((select `+worthSQL+` from order_lines x
					join orders o on o.business_id = @business and o.id = x.order_id
					where x.business_id = @business and x.id = p.order_line_id), 0) else 0 end as worth,
				row_number() over (order by p.id, e.position) as n
			from (`+periods+`) p
			cross join lateral jsonb_array_elements(p.sold -> 'benefits') with ordinality as e (benefit, position)
			left join lateral (select y.used from (`+usedSQL("@business", "p.id")+`) y where y.benefit = e.position) u on true
		), weighed as (
			select x.*, sum(x.credits) over (partition by x.id order by x.benefit) as so_far,
				sum(x.credits) over (partition by x.id) as every, bool_or(x.unlimited) over (partition by x.id) as any_number,
				row_number() over (partition by x.id order by not x.unlimited, x.benefit) as rank
			from benefits x
		), shared as (
			select y.*, (case when y.any_number or y.every = 0 then case when y.rank = 1 then y.worth else 0 end
				else round(y.worth * y.so_far::numeric / y.every)
					- round(y.worth * (y.so_far - y.credits)::numeric / y.every) end)::bigint as share
			from weighed y
		), granted as (
			insert into grants (id, business_id, membership_id, benefit, amount, balance, value_amount, unused_amount,
				deferred_account, income_account, cycle_id, starts_on, ends_on, created_at)
			select (@grant_ids::uuid[])[n], @business, membership_id, benefit,
				case when not unlimited then "credits" end, "credits", share, share, 'deferred.membership', 'income.membership', id,
				starts_on, ends_on, @now from shared
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
			actor_id, actor_name, created_at)
		select (@note_ids::uuid[])[n], @business, (@grant_ids::uuid[])[n], location_id, 'granted', "credits", "credits", 0,
			@actor_kind, @actor::uuid, @actor_name, @now
		from shared`, with(pg.Named{
		"gone_ids": gone, "grant_ids": pg.NewIDs(changedMost), "note_ids": pg.NewIDs(changedMost),
	}, actor))
	pg.QueueExec(b, `with open as (`+open+`), priced as (
			update cycles c set price_amount = (h.sold ->> 'price')::bigint, version = c.version + 1, updated_at = @now
			from open h where c.business_id = @business and c.membership_id = h.membership_id and c.state = 'coming'
		), changed as (
			update memberships m set plan_id = h.to_plan_id, name = h.name, sold = h.sold, uses = m.uses + 1,
				version = m.version + 1, updated_at = @now,
				consent_text = case when h.consent_text <> '' then h.consent_text
					when h.to_amount > h.from_amount then '' else m.consent_text end,
				consented_at = case when h.consent_text <> '' then h.created_at
					when h.to_amount > h.from_amount then null else m.consented_at end
			from open h where m.business_id = @business and m.id = h.membership_id
		)
		update plan_changes h set state = 'done', version = h.version + 1, updated_at = @now
		from open x where h.business_id = @business and h.id = x.id`, with())
}
