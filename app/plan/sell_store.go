package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// lockBuyers queues the locks of the customers of orders at the desk: of lines of them.
func lockBuyers(b *pg.Batch, tx *pg.Tx, items []*order.CartItem) {
	var lines []uuid.UUID
	for _, it := range items {
		if it.AtDesk {
			lines = append(lines, it.ID)
		}
	}
	if len(lines) > 0 {
		pg.QueueExec(b, `select from customers where business_id = $1 and id in (
				select o.customer_id from order_lines x join orders o on o.business_id = $1 and o.id = x.order_id
				where x.business_id = $1 and x.id = any($2))
			order by id for no key update`, tx.Business(), lines)
	}
}

// issueIn queues that lines of an order give its customer their plans: a membership each, with the plan as it is now,
// and a grant for each benefit; a membership that renews has its first billing period, and the next one to book into.
// Lines that pay a later period do that. The price without tax is spread over the grants: all of it on an unlimited
// one, else in proportion to their credits.
func issueIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, sale order.Sale) {
	lines := make([]uuid.UUID, len(sale.Lines))
	for i, l := range sale.Lines {
		lines[i] = l.LineID
	}
	payPeriodsIn(b, tx, lines)
	payChangesIn(b, tx, by, lines)
	pg.QueueExec(b, `with sold as (
			select x.id as line_id, (@ids::uuid[])[row_number() over (order by x.id)] as id, p.id as plan_id,
				o.customer_id, o.location_id, coalesce(i.consent_text, '') as consent_text, i.consented_at,
				`+worthSQL+` as worth
			from order_lines x join orders o on o.business_id = @business and o.id = x.order_id
			join plans p on p.business_id = @business and p.id = x.subject_id
			left join cart_items i on i.business_id = @business and i.id = x.cart_item_id
			where x.business_id = @business and x.id = any(@lines) and not `+paysPeriodSQL+`
		), `+issuedSQL, issuing(tx, by, len(lines), pg.Named{"lines": lines}))
	comeIn(b, tx, by, `m.order_line_id = any(@lines) or m.id in (
			select c.membership_id from cycles c where c.business_id = @business and c.order_line_id = any(@lines))`,
		len(lines), pg.Named{"lines": lines})
}

// worthSQL is the price of a line x of an order o without tax.
const worthSQL = `x.listed_amount - x.discount_amount - case when o.tax_mode = 'inclusive' then x.tax_amount else 0 end`

// paysPeriodSQL is the condition for a line x to pay a later billing period, or a change of a membership.
const paysPeriodSQL = `(exists (select from cycles c where c.business_id = x.business_id and c.order_line_id = x.id)
	or exists (select from plan_changes h where h.business_id = x.business_id and h.order_line_id = x.id))`

// issuing adds the arguments of issuedSQL for so many memberships.
func issuing(tx *pg.Tx, by tenancy.Actor, n int, args pg.Named) pg.Named {
	args["business"], args["now"], args["ids"] = tx.Business(), tx.Now(), pg.NewIDs(n)
	args["grant_ids"], args["note_ids"] = pg.NewIDs(n*BenefitsMax), pg.NewIDs(n*BenefitsMax)
	args["cycle_ids"] = pg.NewIDs(n)
	args["actor_kind"], args["actor"], args["actor_name"] = by.Kind, pg.OrNull(by.ID), by.Name
	return args
}

// issuedSQL writes memberships, of a table sold with line_id, id, plan_id, customer_id, location_id, consent_text,
// consented_at and worth.
var issuedSQL = `starting as (
		select s.*, p.kind, p.valid_count, p.valid_unit, d.today, part.is as part,
			case when p.kind = 'membership' then (@cycle_ids::uuid[])[row_number() over (order by s.id)] end as cycle_id,
			case when part.is then (date_trunc('month', d.today::timestamp) + make_interval(days => p.billing_day - 1,
					months => (extract(day from d.today) > p.billing_day)::int))::date
				when p.kind = 'membership' then ` + endSQL("d.today", "p.valid_count", "p.valid_unit") + ` end as first_ends_on
		from sold s join plans p on p.business_id = @business and p.id = s.plan_id
		join locations l on l.business_id = @business and l.id = s.location_id
		cross join lateral (select (@now::timestamptz at time zone l.zone)::date as today) d
		cross join lateral (select p.billing_day > 0 and extract(day from d.today) <> p.billing_day as "is") part
	), made as (
		insert into memberships (id, business_id, customer_id, plan_id, location_id, order_line_id, name, kind, currency,
			state, sold, starts_on, ends_on, anchor_on, anchor_number, consent_text, consented_at, actor_kind, actor_id,
			actor_name, version, created_at, updated_at)
		select s.id, @business, s.customer_id, p.id, s.location_id, s.line_id, p.name, p.kind, p.currency, 'active',
			` + soldAsSQL("s.part") + ` || case when p.kind = 'membership'
				then jsonb_build_object('renewal', ` + renewalSQL("p.intro_periods") + `) else '{}' end,
			s.today,
			case when p.kind = 'membership' then
					case when p.ends then ` + endSQL("case when s.part then s.first_ends_on else s.today end",
	"(p.valid_count * p.min_periods)", "p.valid_unit") + ` end
				when p.valid_count is not null and not p.from_first_use then
				` + endSQL("s.today", "p.valid_count", "p.valid_unit") + ` end,
			case when s.part then s.first_ends_on else s.today end, case when s.part then 2 else 1 end, s.consent_text,
			s.consented_at, @actor_kind, @actor::uuid, @actor_name, 1, @now, @now
		from starting s join plans p on p.business_id = @business and p.id = s.plan_id
	), opened as (
		insert into cycles (id, business_id, membership_id, number, starts_on, ends_on, price_amount, state, order_line_id,
			version, created_at, updated_at)
		select s.cycle_id, @business, s.id, 1, s.today, s.first_ends_on,
			x.listed_amount, 'paid', s.line_id, 1, @now, @now
		from starting s join order_lines x on x.business_id = @business and x.id = s.line_id where s.cycle_id is not null
	), weighed as (
		select s.id as membership_id, s.location_id, s.worth, e.position, e.credits, s.kind, s.cycle_id,
			case when s.cycle_id is not null then s.today end as starts_on,
			s.first_ends_on as ends_on,
			row_number() over (order by s.id, e.position) as n,
			sum(e.credits) over (partition by s.id order by e.position) as so_far,
			sum(e.credits) over (partition by s.id) as every,
			row_number() over (partition by s.id order by e.credits is not null, e.position) as rank,
			bool_or(e.credits is null) over (partition by s.id) as unlimited
		from starting s
		join plan_benefits e on e.business_id = @business and e.plan_id = s.plan_id
	), granted as (
		insert into grants (id, business_id, membership_id, benefit, amount, balance, value_amount, unused_amount,
			deferred_account, income_account, cycle_id, starts_on, ends_on, created_at)
		select (@grant_ids::uuid[])[w.n], @business, w.membership_id, w.position, w.credits, coalesce(w.credits, 0), w.share,
			w.share, case when w.kind in ('pass', 'membership') then 'deferred.membership' else 'deferred.pack' end,
			case when w.kind in ('pass', 'membership') then 'income.membership' else 'income.pack' end,
			w.cycle_id, w.starts_on, w.ends_on, @now
		from (select w.*, ` + shareSQL + ` as share from weighed w) w
	)
	insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
	actor_id,
		actor_name, created_at)
	select (@note_ids::uuid[])[w.n], @business, (@grant_ids::uuid[])[w.n], w.location_id, 'granted', coalesce(w.credits,
	0),
		coalesce(w.credits, 0), 0, @actor_kind, @actor::uuid, @actor_name, @now
	from weighed w`

// shareSQL is the part of worth of a grant w: all of it of the first unlimited one, else in proportion to the credits;
// without any credits, all of it of the first one.
const shareSQL = `case when w.unlimited or w.every = 0 then case when w.rank = 1 then w.worth else 0 end
	else (round(w.worth * w.so_far::numeric / w.every)
		- round(w.worth * (w.so_far - w.credits)::numeric / w.every))::bigint end`

// compTx gives a customer a complimentary plan, and returns the id of its membership. The plan is locked.
func compTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, plan, customer, location uuid.UUID) (uuid.UUID, error) {
	args := issuing(tx, by, 1, pg.Named{"plan": plan, "customer": customer, "location": location})
	_, err := tx.Exec(ctx, `with sold as (
			select null::uuid as line_id, (@ids::uuid[])[1] as id, @plan::uuid as plan_id, @customer::uuid as customer_id,
				@location::uuid as location_id, '' as consent_text, null::timestamptz as consented_at, 0::bigint as worth
		), `+issuedSQL, args)
	return args["ids"].([]uuid.UUID)[0], err
}
