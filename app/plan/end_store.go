package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// earlyEndSQL is the early end of a membership m of the business $1 that waits for the payment of its fee.
const earlyEndSQL = `(select jsonb_build_object('id', f.id, 'endsOn', f.ends_on, 'amount', f.amount,
				'failed', coalesce(o.charge_failed, ''), 'orderId', o.id)
			from plan_fees f join order_lines z on z.business_id = $1 and z.id = f.order_line_id
			join orders o on o.business_id = $1 and o.id = z.order_id
			where f.business_id = $1 and f.membership_id = m.id and f.kind = 'end' and f.state = 'due')`

// endingOnSQL is the first day that a membership m does not pay for, because it ends then or waits for the payment of
// an early end; null without one.
const endingOnSQL = `least(m.ends_on, (select f.ends_on from plan_fees f where f.business_id = m.business_id
		and f.membership_id = m.id and f.kind = 'end' and f.state = 'due'))`

// selectEnds reads the early ends of the business $1 that wait for their payment at the time $3, as periods.
const selectEnds = `select f.id, f.membership_id, m.plan_id, m.customer_id, m.location_id, m.name,
		m.currency, l.zone, 0 as number, f.starts_on, f.ends_on, f.amount, f.state, m.state = 'active' as active,
		false as changing, null::uuid as change_order_id, null::uuid as end_order_id, true as fee, m.consented_at,
		x.order_id, coalesce(o.charge_failed, '') as failed,
		0 as tries, null::timestamptz as tried_at, null::timestamptz as first_tried_at,
		null::jsonb as fees, true as late, '{}'::jsonb as terms, l.language, t.id as tax_rate_id, coalesce(t.name, '') as tax_name,
		coalesce(t.ppm, 0)::bigint as tax_ppm
	from plan_fees f join memberships m on m.business_id = $1 and m.id = f.membership_id
	join locations l on l.business_id = $1 and l.id = m.location_id
	join plans p on p.business_id = $1 and p.id = m.plan_id
	left join tax_rates t on t.business_id = $1 and t.id = p.tax_rate_id
	left join order_lines x on x.business_id = $1 and x.id = f.order_line_id
	left join orders o on o.business_id = $1 and o.id = x.order_id
	where f.business_id = $1 and f.kind = 'end' and f.state = 'due'
		and f.ends_on > ($3::timestamptz at time zone l.zone)::date`

// taxOf is the tax of a plan now, and the language of the location that sold a membership of it.
type taxOf struct {
	ID       *uuid.UUID
	Name     string
	PPM      int64 `db:"ppm"`
	Language string
}

func taxOfPlan(ctx context.Context, r pg.Reader, m Membership) (taxOf, error) {
	return pg.One[taxOf](ctx, r, `select t.id, coalesce(t.name, '') as name, coalesce(t.ppm, 0)::bigint as ppm, l.language
		from plans p join locations l on l.business_id = $1 and l.id = $3
		left join tax_rates t on t.business_id = $1 and t.id = p.tax_rate_id
		where p.business_id = $1 and p.id = $2`, r.Business(), m.PlanID, m.LocationID)
}

// Tax returns the tax of an item of an order; nil: untaxed.
func (t taxOf) Tax() *order.Tax {
	if t.ID == nil {
		return nil
	}
	return &order.Tax{RateID: *t.ID, Name: t.Name, PPM: t.PPM}
}

// BillEndTx writes an early end whose fee a line of an open order pays.
func BillEndTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, e EarlyEnding, line uuid.UUID) error {
	today := civil.LocalDate(tx.Now(), civil.ZoneOrUTC(e.m.Zone))
	_, err := tx.Exec(ctx, `insert into plan_fees (id, business_id, membership_id, kind, amount, state, order_line_id,
			starts_on, ends_on, actor_kind, actor_id, actor_name, version, created_at, updated_at)
		values (@id, @business, @membership, 'end', @amount, 'due', @line, @today, @ends, @actor_kind, @actor, @actor_name,
			1, @now, @now)`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "membership": e.m.ID, "amount": e.Amount, "line": line, "today": today,
		"ends": e.EndsOn, "actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
	return err
}

// EndDueOf reports whether an early end whose fee an order pays waits for its payment, and is to come, under the lock
// of its membership.
func EndDueOf(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) (due bool, err error) {
	var found bool
	b := tx.Batch()
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = $1 and m.id in (
			select f.membership_id from plan_fees f join order_lines x on x.business_id = $1 and x.id = f.order_line_id
			where f.business_id = $1 and x.order_id = $2)
		order by m.id for no key update`, tx.Business(), orderID)
	pg.QueueOne(b, &due, &found, `select exists (`+selectEnds+` and x.order_id = $2)`, tx.Business(), orderID, tx.Now())
	return due, b.Send(ctx)
}

// EndedEarlyTx mails the customer whose membership has its end because an order has paid the fee of that.
func EndedEarlyTx(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) error {
	ids, err := pg.All[uuid.UUID](ctx, tx, `select f.membership_id from plan_fees f
		join order_lines x on x.business_id = $1 and x.id = f.order_line_id
		where f.business_id = $1 and x.order_id = $2 and f.kind = 'end' and f.state = 'paid'
		order by 1`, tx.Business(), orderID)
	if err != nil || len(ids) == 0 {
		return err
	}
	list := make([]jobs.Args, len(ids))
	for i, id := range ids {
		list[i] = ReminderJob{tx.Business(), id, CanceledFor}
	}
	return jobs.EnqueueAllTx(ctx, tx, list)
}

// VoidEndTx voids an early end of a locked membership whose fee was not paid in time. Its order, Period.EndOrderID,
// is the caller's to give up.
func VoidEndTx(ctx context.Context, tx *pg.Tx, membership uuid.UUID) error {
	b := tx.Batch()
	voidEndsIn(b, tx, []uuid.UUID{membership})
	return b.Send(ctx)
}

// voidEndsIn queues that early ends of memberships that wait for their payment are void.
func voidEndsIn(b *pg.Batch, tx *pg.Tx, memberships []uuid.UUID) {
	pg.QueueExec(b, `update plan_fees set state = 'void', version = version + 1, updated_at = $3
		where business_id = $1 and membership_id = any($2) and kind = 'end' and state = 'due'`,
		tx.Business(), memberships, tx.Now())
}

// payEndsIn queues that lines pay the fees of early ends: their memberships end then.
func payEndsIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, lines []uuid.UUID) {
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = @business and m.id in (
			select f.membership_id from plan_fees f where f.business_id = @business and f.order_line_id = any(@lines))
		order by m.id for no key update`, pg.Named{"business": tx.Business(), "lines": lines})
	endAtIn(b, tx, by, `m.id in (select f.membership_id from plan_fees f where f.business_id = @business
			and f.kind = 'end' and f.state = 'due' and f.order_line_id = any(@lines))`, pg.Named{"lines": lines, "ends": nil})
	pg.QueueExec(b, `update plan_fees set state = 'paid', version = version + 1, updated_at = $3
		where business_id = $1 and order_line_id = any($2) and kind = 'end' and state = 'due'`,
		tx.Business(), lines, tx.Now())
}

// endAtIn queues that locked memberships m, by a condition, are canceled for an end, @ends, or that of their early end:
// what is not paid of them does not come.
func endAtIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, condition string, args pg.Named) {
	args["business"], args["now"], args["note_ids"] = tx.Business(), tx.Now(), pg.NewIDs(changedMost)
	args["actor_kind"], args["actor"], args["actor_name"] = by.Kind, pg.OrNull(by.ID), by.Name
	pg.QueueExec(b, `with ends as (
			select m.id, m.location_id, coalesce(@ends::date, (select f.ends_on from plan_fees f where f.business_id = @business
				and f.membership_id = m.id and f.kind = 'end' and f.state = 'due')) as ends_on
			from memberships m where m.business_id = @business and m.state = 'active' and (`+condition+`)
		), canceled as (
			update memberships m set ends_on = e.ends_on, canceled_at = @now, uses = m.uses + 1, version = m.version + 1,
				updated_at = @now
			from ends e where m.business_id = @business and m.id = e.id
		), void as (
			update cycles c set state = 'void', version = c.version + 1, updated_at = @now
			from ends e where c.business_id = @business and c.membership_id = e.id and c.state in ('coming', 'due')
			returning c.id, e.location_id
		), gone as (
			select g.id, g.balance, v.location_id, row_number() over (order by g.id) as n
			from void v join grants g on g.business_id = @business and g.cycle_id = v.id and g.balance > 0
		), taken as (
			update grants g set balance = 0 from gone where g.business_id = @business and g.id = gone.id
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
			actor_id, actor_name, created_at)
		select (@note_ids::uuid[])[n], @business, id, location_id, 'ended', -balance, 0, 0, @actor_kind, @actor::uuid,
			@actor_name, @now
		from gone`, args)
}
