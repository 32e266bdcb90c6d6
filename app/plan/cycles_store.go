package plan

import (
	"strconv"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// A membership that renews has a row of cycles for each billing period: those that are paid, and after them one to
// come, with grants that have no value yet. So a class of the next period can be booked before that is paid. When an
// order is made for a period it is due, and once that is fulfilled it is paid: its grants have the value of its line,
// and the next one is to come.

// payPeriodsIn queues that lines pay the billing periods that they were made for. The value is spread over the grants
// of the period, and so over the credits that are not used yet.
func payPeriodsIn(b *pg.Batch, tx *pg.Tx, lines []uuid.UUID) {
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = @business and m.id in (
			select c.membership_id from cycles c where c.business_id = @business and c.order_line_id = any(@lines))
		order by m.id for no key update`, pg.Named{"business": tx.Business(), "lines": lines})
	pg.QueueExec(b, `with paid as (
			update cycles c set state = 'paid', version = c.version + 1, updated_at = @now
			from order_lines x join orders o on o.business_id = @business and o.id = x.order_id
			where c.business_id = @business and c.order_line_id = any(@lines) and c.state = 'due'
				and x.business_id = @business and x.id = c.order_line_id
			returning c.id, c.membership_id, `+worthSQL+` as worth
		), weighed as (
			select g.id, p.worth, g.amount as credits,
				sum(g.amount) over (partition by p.id order by g.benefit) as so_far,
				sum(g.amount) over (partition by p.id) as every,
				row_number() over (partition by p.id order by g.amount is not null, g.benefit) as rank,
				bool_or(g.amount is null) over (partition by p.id) as unlimited
			from paid p join grants g on g.business_id = @business and g.cycle_id = p.id and not g.carried
				and g.replaced_at is null
		), valued as (
			update grants g set value_amount = value_amount + w.share, unused_amount = unused_amount + w.share
			from (select w.*, `+shareSQL+` as share from weighed w) w where g.business_id = @business and g.id = w.id
		)
		update memberships m set uses = m.uses + 1, updated_at = @now
		where m.business_id = @business and m.id in (select membership_id from paid)`, pg.Named{
		"business": tx.Business(), "lines": lines, "now": tx.Now(),
	})
}

// payChangesIn queues that lines pay the changes of plan that they were made for.
func payChangesIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, lines []uuid.UUID) {
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = @business and m.id in (
			select h.membership_id from plan_changes h where h.business_id = @business and h.order_line_id = any(@lines))
		order by m.id for no key update`, pg.Named{"business": tx.Business(), "lines": lines})
	applyIn(b, tx, by, `h.state = 'due' and h.order_line_id = any(@lines)`, pg.Named{"lines": lines})
}

// nextSQL is the first day of the period that is so many after the next one of a membership m, after its last one. The
// periods are counted from its anchor, so that they do not drift: 31 January, 28 February, 31 March.
func nextSQL(after int) string {
	return endSQL("m.anchor_on", "((last.number + "+strconv.Itoa(1+after)+" - m.anchor_number) * s.count)", "s.unit")
}

// comeIn queues that memberships m, by a condition, have a next billing period, with its grants: those that renew, are
// active, and have none that is not paid. args are those of the condition; there are at most n memberships.
func comeIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, condition string, n int, args pg.Named) {
	args = issuing(tx, by, n, args)
	delete(args, "ids")
	pg.QueueExec(b, `with next as (
			select m.id as membership_id, m.location_id, m.sold, last.number + 1 as number,
				`+nextSQL(0)+` as starts_on, `+nextSQL(1)+` as ends_on,
				case when last.number - s.part < s.intro_periods then s.intro_amount else s.price end as price,
				(@cycle_ids::uuid[])[row_number() over (order by m.id)] as id
			from memberships m
			cross join lateral (select max(c.number) as number, bool_and(c.state = 'paid') as paid from cycles c
				where c.business_id = @business and c.membership_id = m.id) last
			cross join lateral (select (m.sold #>> '{validity,Count}')::int as count, m.sold #>> '{validity,Unit}' as unit,
				(m.sold ->> 'price')::bigint as price, (m.sold #>> '{renewal,introAmount}')::bigint as intro_amount,
				(m.sold #>> '{renewal,introPeriods}')::int as intro_periods,
				coalesce((m.sold ->> 'part')::bool, false)::int as part) s
			where m.business_id = @business and m.kind = 'membership' and m.state = 'active' and last.paid
				and (`+condition+`)
				and (m.ends_on is null or `+nextSQL(0)+` < m.ends_on)
		), made as (
			insert into cycles (id, business_id, membership_id, number, starts_on, ends_on, price_amount, state, version,
				created_at, updated_at)
			select id, @business, membership_id, number, starts_on, ends_on, price, 'coming', 1, @now, @now from next
		), benefits as (
			select n.*, e.position, (e.benefit ->> 'credits')::int as credits, row_number() over (order by n.id, e.position) as n
			from next n, jsonb_array_elements(n.sold -> 'benefits') with ordinality as e (benefit, position)
		), granted as (
			insert into grants (id, business_id, membership_id, benefit, amount, balance, value_amount, unused_amount,
				deferred_account, income_account, cycle_id, starts_on, ends_on, created_at)
			select (@grant_ids::uuid[])[n], @business, membership_id, position, "credits", coalesce(credits, 0), 0, 0,
				'deferred.membership', 'income.membership', id, starts_on, ends_on, @now from benefits
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
			actor_id, actor_name, created_at)
		select (@note_ids::uuid[])[n], @business, (@grant_ids::uuid[])[n], location_id, 'granted', coalesce(credits, 0),
			coalesce(credits, 0), 0, @actor_kind, @actor::uuid, @actor_name, @now
		from benefits`, args)
}
