package plan

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Kinds of redemptions.
const (
	Granted  = "granted"
	Used     = "used"
	Returned = "returned"
	Adjusted = "adjusted"
	Expired  = "expired"
	Earned   = "earned" // of an unlimited grant, a part of its price
	Refunded = "refunded"
	Restored = "restored"
	Ended    = "ended"
	// CarriedOn: into the next billing period, with their part of the price.
	CarriedOn = "carried"
	Replaced  = "changed" // by a change of the plan: what is not used is that of its new benefits
)

// ReopenDays is how long a plan is open again that has ended, or was refunded, before a booking returned its credits.
const ReopenDays = 14

// Seen is a membership as it was read, for UseSeen.
type Seen struct {
	MembershipID uuid.UUID
	Uses         int
}

// UseIn queues that the lines of an order with a grant use it. Their memberships are locked, and what is left of the
// grants suffices: the database refuses more. A line whose booking has not begun is earned later: see EarnDue.
func UseIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, order uuid.UUID) {
	useIn(b, tx, by, order, nil)
}

// UseSeen is UseIn for memberships that are as they were read, without a lock; else the batch fails with pg.ErrUnmet.
func UseSeen(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, order uuid.UUID, seen []Seen) {
	if !underLock {
		seen = nil
	}
	useIn(b, tx, by, order, seen)
}

func useIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, order uuid.UUID, seen []Seen) {
	ids, uses := columnsOfSeen(seen)
	pg.QueueExec(b, useSQL, pg.Named{
		"business": tx.Business(), "order": order, "now": tx.Now(), "ids": pg.NewIDs(linesMax), "actor_kind": by.Kind,
		"actor": pg.OrNull(by.ID), "actor_name": by.Name, "seen": ids, "uses": uses,
	})
}

// columnsOfSeen returns memberships as columns; nil of none.
func columnsOfSeen(seen []Seen) (ids []uuid.UUID, uses []int) {
	for _, s := range seen {
		ids, uses = append(ids, s.MembershipID), append(uses, s.Uses)
	}
	return ids, uses
}

// ReserveTx notes that an order waits with these memberships, as they were read under their locks: whoever has chosen
// one before, without its lock, chooses again.
func ReserveTx(ctx context.Context, tx *pg.Tx, seen []Seen) error {
	if len(seen) == 0 {
		return nil
	}
	b := tx.Batch()
	stillIn(b, tx, seen)
	return b.Send(ctx)
}

// stillIn queues that these memberships change, and that the batch fails if one of them is not as it was read.
func stillIn(b *pg.Batch, tx *pg.Tx, seen []Seen) {
	ids, uses := columnsOfSeen(seen)
	pg.QueueExec(b, `with going as (
			update memberships m set uses = m.uses + 1
			from unnest($2::uuid[], $3::int[]) as x (id, uses)
			where m.business_id = $1 and m.id = x.id and m.uses = x.uses and m.state = 'active' returning m.id
		)
		select app.must((select count(*) from going) = cardinality($2::uuid[]))`, tx.Business(), ids, uses)
}

// linesMax bounds the lines of an order that use a grant: those of a cart, or of a sale at the desk.
const linesMax = 50

// useSQL: lines without a grant fall out with their join; a condition for that would have the index of all lines with
// one read instead of the order's. The memberships change first: with seen, those that are not as they were read do
// not, and nothing is used. The value of the first k of n credits that are left is the part k/n of what they are worth,
// rounded half up; so the last one takes what is left.
var useSQL = `with line as (
		select x.id, x.grant_id, x.booking_id, x.credits, row_number() over (order by x.id) as n,
			sum(x.credits) over (partition by x.grant_id order by x.id) as so_far
		from order_lines x where x.business_id = @business and x.order_id = @order
	), priced as (
		select l.*, g.membership_id, g.balance, case when g.amount is null or g.balance = 0 then 0 else
			round(g.unused_amount * least(l.so_far, g.balance)::numeric / g.balance)
			- round(g.unused_amount * least(l.so_far - l.credits, g.balance)::numeric / g.balance) end::bigint as worth
		from line l join grants g on g.business_id = @business and g.id = l.grant_id
	), going as (
		update memberships m set uses = m.uses + 1, updated_at = @now,
			activated_on = case when first.begins then least(m.activated_on, first.day) else m.activated_on end,
			ends_on = case when first.begins and (m.activated_on is null or first.day < m.activated_on)
				then ` + endSQL("first.day", "first.count", "first.unit") + `
					+ ` + frozenDaysSQL("first.day", "'infinity'::date", false) + ` else m.ends_on end
		from (
			select p.membership_id, min((w.starts_at at time zone l.zone)::date) as day,
				bool_and((y.sold #>> '{validity,FromFirstUse}')::bool) as begins,
				min((y.sold #>> '{validity,Count}')::int) as count, min(y.sold #>> '{validity,Unit}') as unit
			from priced p join bookings k on k.business_id = @business and k.id = p.booking_id
			join occurrences w on w.business_id = @business and w.id = k.occurrence_id
			join locations l on l.business_id = @business and l.id = k.location_id
			join memberships y on y.business_id = @business and y.id = p.membership_id
			group by 1
		) first
		where m.business_id = @business and m.id = first.membership_id and (@seen::uuid[] is null or m.state = 'active'
			and exists (select from unnest(@seen, @uses::int[]) as x (id, uses) where x.id = m.id and x.uses = m.uses))
		returning m.id
	), taken as (
		update grants g set balance = g.balance - t.credits, unused_amount = g.unused_amount - t.worth
		from (select grant_id, sum(credits)::int as credits, sum(worth)::bigint as worth
			from priced p join going on going.id = p.membership_id group by 1) t
		where g.business_id = @business and g.id = t.grant_id
	), noted as (
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, order_line_id,
			booking_id, actor_kind, actor_id, actor_name, created_at)
		select (@ids::uuid[])[p.n], @business, p.grant_id, k.location_id, 'used', -p.credits,
			greatest(0, p.balance - p.so_far), p.worth, p.id, p.booking_id, @actor_kind, @actor::uuid, @actor_name, @now
		from priced p join going on going.id = p.membership_id
		join bookings k on k.business_id = @business and k.id = p.booking_id
		returning id, grant_id, booking_id, amount
	), later as (
		insert into unearned_uses (id, business_id, grant_id, booking_id, amount)
		select id, @business, grant_id, booking_id, amount from noted where amount > 0
	)
	select app.must(@seen::uuid[] is null or (select count(*) from going) = cardinality(@seen))`

// UseTx is UseIn in a trip of its own.
func UseTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, order uuid.UUID) error {
	b := tx.Batch()
	UseIn(b, tx, by, order)
	return b.Send(ctx)
}

// StillTx locks the memberships that pay for seats of an order, and reports whether they still can: whether they are
// active, and have the credits beside those that other orders wait with.
func StillTx(ctx context.Context, tx *pg.Tx, order uuid.UUID) (bool, error) {
	var still []bool
	b := tx.Batch()
	if underLock {
		pg.QueueExec(b, `select id from memberships where business_id = $1 and id in (
				select g.membership_id from order_lines x join grants g on g.business_id = $1 and g.id = x.grant_id
				where x.business_id = $1 and x.order_id = $2)
			order by id for no key update`, tx.Business(), order)
	}
	pg.QueueAll(b, &still, `select m.state = 'active' and g.balance - `+
		reservedSQL("g", "m.customer_id", "o.id <> $2", "$3")+` >= n.credits
		from (select grant_id, sum(credits) as credits from order_lines
			where business_id = $1 and order_id = $2 and grant_id is not null group by 1) n
		join grants g on g.business_id = $1 and g.id = n.grant_id
		join memberships m on m.business_id = $1 and m.id = g.membership_id`, tx.Business(), order, tx.Now())
	err := b.Send(ctx)
	return err == nil && !slices.Contains(still, false), err
}

// ReturnTx returns the credits of bookings to their grants: of those that used one and have not returned it. A plan
// that is not active any more is open again for them; one with any number of bookings stays ended. The bookings are
// locked. It is order.Ports.PlansTx.
func ReturnTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, bookings []uuid.UUID) ([]booking.PlanBack, error) {
	var back []booking.PlanBack
	b := tx.Batch()
	if underLock {
		pg.QueueExec(b, `select id from memberships where business_id = $1 and id in (
				select g.membership_id from redemptions r join grants g on g.business_id = $1 and g.id = r.grant_id
				where r.business_id = $1 and r.booking_id = any($2) and r.kind = 'used')
			order by id for no key update`, tx.Business(), bookings)
	}
	pg.QueueAll(b, &back, `with used as (
			select r.*, g.membership_id, g.amount is null as unlimited, coalesce(u.amount, 0) as worth,
				row_number() over (order by r.id) as n, sum(-r.credits) over (partition by r.grant_id order by r.id) as so_far,
				g.balance as left_over
			from redemptions r
			join grants g on g.business_id = @business and g.id = r.grant_id
			left join unearned_uses u on u.business_id = @business and u.id = r.id
			where r.business_id = @business and r.booking_id = any(@bookings) and r.kind = 'used'
				and not exists (select from redemptions d where d.business_id = @business
					and d.order_line_id = r.order_line_id and d.kind = 'returned')
		), given as (
			update grants g set balance = g.balance + t.credits, unused_amount = g.unused_amount + t.worth
			from (select grant_id, sum(-credits)::int as credits, sum(worth)::bigint as worth from used group by 1) t
			where g.business_id = @business and g.id = t.grant_id
		), noted as (
			insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, order_line_id,
				booking_id, actor_kind, actor_id, actor_name, created_at)
			select (@ids::uuid[])[u.n], @business, u.grant_id, u.location_id, 'returned', -u.credits,
				u.left_over + u.so_far, u.worth, u.order_line_id, u.booking_id, @actor_kind, @actor::uuid, @actor_name, @now
			from used u
		), settled as (
			delete from unearned_uses x using used u where x.business_id = @business and x.id = u.id
		), open as (
			update memberships m set uses = m.uses + 1, updated_at = @now,
				state = case when first.credited then 'active' else m.state end,
				activated_on = case when first.begins then first.day else m.activated_on end,
				ends_on = case when m.state <> 'active' and first.credited
						then (@now::timestamptz at time zone l.zone)::date + @reopen::int
					when first.begins and first.day is null and m.state = 'active' then null else m.ends_on end
			from (
				select t.membership_id, t.credited, min((w.starts_at at time zone p.zone)::date) as day,
					(y.sold #>> '{validity,FromFirstUse}')::bool and min(w.starts_at) is null as begins
				from (select membership_id, bool_or(credits <> 0) as credited from used group by 1) t
				join memberships y on y.business_id = @business and y.id = t.membership_id
				left join (grants g join redemptions r on r.business_id = @business and r.grant_id = g.id and r.kind = 'used'
						and r.id not in (select id from used)
						and not exists (select from redemptions d where d.business_id = @business
							and d.order_line_id = r.order_line_id and d.kind = 'returned')
					join bookings k on k.business_id = @business and k.id = r.booking_id
					join occurrences w on w.business_id = @business and w.id = k.occurrence_id
					join locations p on p.business_id = @business and p.id = k.location_id)
					on g.business_id = @business and g.membership_id = t.membership_id
				group by 1, 2, y.sold
			) first, locations l
			where m.business_id = @business and m.id = first.membership_id and l.business_id = @business
				and l.id = m.location_id
		)
		select u.booking_id, m.name, -u.credits as credits
		from used u join memberships m on m.business_id = @business and m.id = u.membership_id`, pg.Named{
		"business": tx.Business(), "bookings": bookings, "now": tx.Now(), "ids": pg.NewIDs(len(bookings)),
		"reopen": ReopenDays, "actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name,
	})
	return back, b.Send(ctx)
}
