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
// and a grant for each benefit. The price without tax is spread over the grants: all of it on an unlimited one, else in
// proportion to their credits.
func issueIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, sale order.Sale) {
	lines := make([]uuid.UUID, len(sale.Lines))
	for i, l := range sale.Lines {
		lines[i] = l.LineID
	}
	pg.QueueExec(b, `with sold as (
			select x.id as line_id, (@ids::uuid[])[row_number() over (order by x.id)] as id, p.id as plan_id,
				o.customer_id, o.location_id, x.listed_amount - x.discount_amount
					- case when o.tax_mode = 'inclusive' then x.tax_amount else 0 end as worth
			from order_lines x join orders o on o.business_id = @business and o.id = x.order_id
			join plans p on p.business_id = @business and p.id = x.subject_id
			where x.business_id = @business and x.id = any(@lines)
		), `+issuedSQL, issuing(tx, by, len(lines), pg.Named{"lines": lines}))
}

// issuing adds the arguments of issuedSQL for so many memberships.
func issuing(tx *pg.Tx, by tenancy.Actor, n int, args pg.Named) pg.Named {
	args["business"], args["now"], args["ids"] = tx.Business(), tx.Now(), pg.NewIDs(n)
	args["grant_ids"], args["note_ids"] = pg.NewIDs(n*BenefitsMax), pg.NewIDs(n*BenefitsMax)
	args["actor_kind"], args["actor"], args["actor_name"] = by.Kind, pg.OrNull(by.ID), by.Name
	return args
}

// issuedSQL writes memberships, of a table sold with line_id, id, plan_id, customer_id, location_id and worth.
var issuedSQL = `made as (
		insert into memberships (id, business_id, customer_id, plan_id, location_id, order_line_id, name, kind, currency,
			state, sold, starts_on, ends_on, actor_kind, actor_id, actor_name, version, created_at, updated_at)
		select s.id, @business, s.customer_id, p.id, s.location_id, s.line_id, p.name, p.kind, p.currency, 'active',
			jsonb_build_object('benefits', ` + benefitsSQL("@business") + `, 'validity', jsonb_build_object('Count',
				coalesce(p.valid_count, 0), 'Unit', coalesce(p.valid_unit, ''), 'FromFirstUse', p.from_first_use)),
			(@now::timestamptz at time zone l.zone)::date,
			case when p.valid_count is not null and not p.from_first_use then
				` + endSQL("(@now::timestamptz at time zone l.zone)::date", "p.valid_count", "p.valid_unit") + ` end,
			@actor_kind, @actor::uuid, @actor_name, 1, @now, @now
		from sold s join plans p on p.business_id = @business and p.id = s.plan_id
		join locations l on l.business_id = @business and l.id = s.location_id
	), weighed as (
		select s.id as membership_id, s.location_id, s.worth, e.position, e.credits, p.kind,
			row_number() over (order by s.id, e.position) as n,
			sum(e.credits) over (partition by s.id order by e.position) as so_far,
			sum(e.credits) over (partition by s.id) as every,
			row_number() over (partition by s.id order by e.credits is not null, e.position) as rank,
			bool_or(e.credits is null) over (partition by s.id) as unlimited
		from sold s join plans p on p.business_id = @business and p.id = s.plan_id
		join plan_benefits e on e.business_id = @business and e.plan_id = p.id
	), granted as (
		insert into grants (id, business_id, membership_id, benefit, amount, balance, value_amount, unused_amount,
			deferred_account, income_account, created_at)
		select (@grant_ids::uuid[])[w.n], @business, w.membership_id, w.position, w.credits, coalesce(w.credits, 0), w.share,
			w.share, case w.kind when 'pass' then 'deferred.membership' else 'deferred.pack' end,
			case w.kind when 'pass' then 'income.membership' else 'income.pack' end, @now
		from (select w.*, case when w.unlimited then case when w.rank = 1 then w.worth else 0 end
			else (round(w.worth * w.so_far::numeric / w.every)
				- round(w.worth * (w.so_far - w.credits)::numeric / w.every))::bigint
			end as share from weighed w) w
	)
	insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
	actor_id,
		actor_name, created_at)
	select (@note_ids::uuid[])[w.n], @business, (@grant_ids::uuid[])[w.n], w.location_id, 'granted', coalesce(w.credits,
	0),
		coalesce(w.credits, 0), 0, @actor_kind, @actor::uuid, @actor_name, @now
	from weighed w`

// compTx gives a customer a complimentary plan, and returns the id of its membership. The plan is locked.
func compTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, plan, customer, location uuid.UUID) (uuid.UUID, error) {
	args := issuing(tx, by, 1, pg.Named{"plan": plan, "customer": customer, "location": location})
	_, err := tx.Exec(ctx, `with sold as (
			select null::uuid as line_id, (@ids::uuid[])[1] as id, @plan::uuid as plan_id, @customer::uuid as customer_id,
				@location::uuid as location_id, 0::bigint as worth
		), `+issuedSQL, args)
	return args["ids"].([]uuid.UUID)[0], err
}
