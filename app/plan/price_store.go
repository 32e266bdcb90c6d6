package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// repricedSQL is the condition for a membership m to get a new price, an expression, as a member of its plan now: one
// that has an end keeps its price.
func repricedSQL(amount string) string {
	return `m.kind = 'membership' and m.state = 'active' and m.ends_on is null
		and ` + rules.PriceSQL("m.sold", "'infinity'::date") + ` <> ` + amount
}

// pricedAt counts the members of a plan who would get a new price, at each location that is not archived or has some.
func pricedAt(ctx context.Context, r pg.Reader, plan uuid.UUID, amount int64) ([]priced, error) {
	return pg.All[priced](ctx, r, `select l.country, l.region, ($4::timestamptz at time zone l.zone)::date as today,
			count(x.id)::int as members, count(x.id) filter (where x.price < $3)::int as raised,
			count(x.id) filter (where x.email = '')::int as unmailed, coalesce(min(x.price), 0)::bigint as least,
			coalesce(max(x.price), 0)::bigint as most
		from locations l left join (
			select m.id, m.location_id, c.email, `+rules.PriceSQL("m.sold", "'infinity'::date")+` as price
			from memberships m join customers c on c.business_id = $1 and c.id = m.customer_id
			where m.business_id = $1 and m.plan_id = $2 and `+repricedSQL("$3::bigint")+`) x on x.location_id = l.id
		where l.business_id = $1 and (l.archived_at is null or x.id is not null)
		group by l.id, l.country, l.region, l.zone`, r.Business(), plan, amount, r.Now())
}

// toRepriceSQL is the condition for a membership m to get the new price h of its plan, and not to have it yet.
var toRepriceSQL = `m.created_at <= h.created_at and ` + repricedSQL("h.price_amount")

// selectPrices reads new prices h of the business $1 at the time $2. One is done when its day has come at any location.
var selectPrices = `select h.id, h.plan_id, h.price_amount, h.starts_on, h.actor_name, h.created_at,
		case when h.state = 'coming' and h.starts_on <= d.today then 'done' else h.state end as state,
		(select count(*) from memberships m where m.business_id = $1 and m.plan_id = h.plan_id and m.state = 'active'
			and (m.sold -> 'prices' @> jsonb_build_array(jsonb_build_object('id', h.id))
				or h.state = 'coming' and ` + toRepriceSQL + `))::int as members
	from price_changes h
	cross join lateral (select max(($2::timestamptz at time zone l.zone)::date) as today from locations l
		where l.business_id = $1) d
	where h.business_id = $1`

func pricesOf(ctx context.Context, r pg.Reader, plan uuid.UUID) ([]PriceChange, error) {
	return pg.All[PriceChange](ctx, r, selectPrices+` and h.plan_id = $3 order by h.created_at desc, h.id desc limit 200`,
		r.Business(), r.Now(), plan)
}

func priceOf(ctx context.Context, r pg.Reader, plan, id uuid.UUID) (PriceChange, error) {
	return pg.Found(pg.One[PriceChange](ctx, r, selectPrices+` and h.plan_id = $3 and h.id = $4`,
		r.Business(), r.Now(), plan, id))
}

// comingPrice returns the new price of a locked plan that is to come; found is false without one. One whose day has
// come makes room for the next.
func comingPrice(ctx context.Context, tx *pg.Tx, plan uuid.UUID) (c PriceChange, found bool, err error) {
	c, found, err = pg.Find[PriceChange](ctx, tx, selectPrices+` and h.plan_id = $3 and h.state = 'coming'`,
		tx.Business(), tx.Now(), plan)
	if err != nil || !found || c.State == PriceComing {
		return c, found, err
	}
	return PriceChange{}, false, setPriceState(ctx, tx, c.ID, PriceDone)
}

func setPriceState(ctx context.Context, tx *pg.Tx, id uuid.UUID, s PriceState) error {
	_, err := tx.Exec(ctx, `update price_changes set state = $3, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), id, string(s), tx.Now())
	return err
}

func insertPrice(ctx context.Context, tx *pg.Tx, by tenancy.Actor, in PriceInput) (uuid.UUID, error) {
	id := pg.NewID()
	_, err := tx.Exec(ctx, `insert into price_changes (id, business_id, plan_id, price_amount, starts_on, state, actor_kind,
			actor_id, actor_name, version, created_at, updated_at)
		values (@id, @business, @plan, @amount, @on, 'coming', @actor_kind, @actor, @actor_name, 1, @now, @now)`, pg.Named{
		"id": id, "business": tx.Business(), "plan": in.PlanID, "amount": in.PriceAmount, "on": in.StartsOn,
		"actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
	return id, err
}

// repriceIn queues that the billing periods of locked memberships that nobody was asked to pay have the price of the
// days on which they begin. Those with the introductory price keep it.
func repriceIn(b *pg.Batch, tx *pg.Tx, memberships []uuid.UUID) {
	pg.QueueExec(b, `update cycles c set price_amount = x.price, version = c.version + 1, updated_at = $3
		from (select k.id, `+rules.PriceSQL("m.sold", "k.starts_on")+` as price
			from memberships m join cycles k on k.business_id = $1 and k.membership_id = m.id and k.state = 'coming'
			where m.business_id = $1 and m.id = any($2) and k.number - coalesce((m.sold ->> 'part')::bool, false)::int
				> coalesce((m.sold #>> '{renewal,introPeriods}')::int, 0)) x
		where c.business_id = $1 and c.id = x.id and c.price_amount <> x.price`, tx.Business(), memberships, tx.Now())
}
