package plan

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/plan/rules"
)

// paidSQL is the condition for a line x of an order o, with a grant, to be a use of it: the order is fulfilled and the
// booking has not returned its credits, or it waits for a card while its seats are held. The argument is the time.
func paidSQL(now string) string {
	return `(o.state = 'fulfilled' and not exists (select from redemptions d where d.business_id = x.business_id
			and d.order_line_id = x.id and d.kind = 'returned') or ` + openSQL(now) + `)`
}

// openSQL is the condition for an order o to wait for a card while its seats are held.
func openSQL(now string) string {
	return `(o.state = 'open' and exists (select from holds h where h.business_id = o.business_id and h.cart_id = o.cart_id
		and h.state = 'live' and h.expires_at > ` + now + `))`
}

// reservedSQL is the number of credits of a grant that open orders of a customer wait with, those by a condition on the
// order o. It begins with these orders, which are few: the lines that have used the grant are as many as its history.
func reservedSQL(grant, customer, condition, now string) string {
	return `coalesce((select sum(x.credits) from orders o
		join order_lines x on x.business_id = o.business_id and x.order_id = o.id and x.grant_id = ` + grant + `.id
		where o.business_id = ` + grant + `.business_id and o.customer_id = ` + customer + ` and ` + openSQL(now) + `
			and ` + condition + `), 0)`
}

// OwnedSQL is an expression of what a customer can pay with, as JSON of []Owned; null if they have nothing. The
// arguments are expressions: their id, a cart whose own order is not counted, which may be null, and the time. It is
// read under row-level security.
func OwnedSQL(customer, cart, now string) string {
	booked := `from grants g2 join order_lines x on x.business_id = g2.business_id and x.grant_id = g2.id
				join orders o on o.business_id = x.business_id and o.id = x.order_id and o.cart_id is distinct from ` + cart + `
				join bookings k on k.business_id = x.business_id and k.id = x.booking_id
					and k.state in ('held', 'requested', 'confirmed', 'checked_in', 'no_show', 'completed')
				join occurrences w on w.business_id = k.business_id and w.id = k.occurrence_id
				join locations l on l.business_id = k.business_id and l.id = k.location_id
				where g2.business_id = g.business_id and g2.membership_id = m.id and g2.benefit = g.benefit and ` + paidSQL(now)
	return `(select jsonb_agg(jsonb_build_object(
			'grantId', g.id, 'membershipId', m.id, 'name', m.name, 'kind', m.kind,
			'startsOn', coalesce(g.starts_on, m.starts_on), 'endsOn', least(g.ends_on, m.ends_on),
			'frozen', (select jsonb_agg(jsonb_build_object('from', f.starts_on, 'until', coalesce(f.ends_on, '9999-12-31')))
				from freezes f where f.business_id = m.business_id and f.membership_id = m.id and f.canceled_at is null),
			'stopped', case when ` + pastDueSQL(now) + ` then 'past_due' else '' end,
			'benefit', m.sold -> 'benefits' -> (g.benefit - 1), 'validity', m.sold -> 'validity',
			'unlimited', g.amount is null, 'unusedAmount', g.unused_amount, 'createdAt', m.created_at,
			'carried', g.carried, 'uses', m.uses,
			'balance', g.balance - ` + reservedSQL("g", "m.customer_id", "o.cart_id is distinct from "+cart, now) + `,
			'booked', case when greatest((m.sold #>> array['benefits', (g.benefit - 1)::text, 'dayMax'])::int,
					(m.sold #>> array['benefits', (g.benefit - 1)::text, 'weekMax'])::int) > 0 then
				(select jsonb_object_agg(d.day, d.n) from (select (w.starts_at at time zone l.zone)::date as day, count(*) as n
				` + booked + ` group by 1) d) end,
			'upcoming', case when (m.sold #>> array['benefits', (g.benefit - 1)::text, 'upcomingMax'])::int > 0 then
				(select count(*) ` + booked + ` and w.starts_at > ` + now + `) else 0 end
		) order by g.id)
		from memberships m join grants g on g.business_id = m.business_id and g.membership_id = m.id
		where m.customer_id = ` + customer + ` and m.state = 'active' and (g.amount is null or g.balance > 0)
			and g.benefit <= jsonb_array_length(m.sold -> 'benefits')
			and (g.ends_on is null or g.ends_on > (` + now + `::timestamptz - interval '35 days')::date))`
}

// GraceDays is how long a membership still pays for bookings after the first day of a period that is not paid.
const GraceDays = 3

// pastDueSQL is the condition for the billing period of a grant g of a membership m not to be paid in time.
func pastDueSQL(now string) string {
	return `exists (select from cycles c join locations z on z.business_id = c.business_id and z.id = m.location_id
		where c.business_id = g.business_id and c.id = g.cycle_id and c.state in ('coming', 'due')
			and not ` + heldOpenSQL + `
			and c.starts_on + ` + strconv.Itoa(GraceDays) + ` < (` + now + `::timestamptz at time zone z.zone)::date)`
}

// MemberSQL is the condition for a customer to be a member now: to have one of the plans of a JSON list, which has
// begun, has not ended, and is neither frozen nor past due. The arguments are expressions: their id, the list, and the
// time. It is read under row-level security.
func MemberSQL(customer, plans, now string) string {
	return `exists (select from memberships m join locations z on z.business_id = m.business_id and z.id = m.location_id
			cross join lateral (select (` + now + `::timestamptz at time zone z.zone)::date as today) t
			where m.customer_id = ` + customer + ` and m.state = 'active' and ` + plans + ` ? m.plan_id::text
				and m.starts_on <= t.today and (m.ends_on is null or m.ends_on > t.today)
				and not exists (select from freezes f where f.business_id = m.business_id and f.membership_id = m.id
					and f.canceled_at is null and f.starts_on <= t.today and (f.ends_on is null or f.ends_on > t.today))
				and not exists (select from cycles c where c.business_id = m.business_id and c.membership_id = m.id
					and c.state in ('coming', 'due') and c.starts_on + ` + strconv.Itoa(GraceDays) + ` < t.today))`
}

// OwnedOf reads what a customer can pay with.
func OwnedOf(ctx context.Context, r pg.Reader, customer uuid.UUID) ([]Owned, error) {
	type row struct{ Owned []Owned }
	x, err := pg.One[row](ctx, r, `select `+OwnedSQL("$1", "null::uuid", "$2")+` as owned`, customer, r.Now())
	return x.Owned, err
}

// LockTx makes those who use these memberships wait for each other: what is read after it stays until the transaction
// ends.
func LockTx(ctx context.Context, tx *pg.Tx, memberships []uuid.UUID) error {
	if len(memberships) == 0 || !underLock {
		return nil
	}
	_, err := tx.Exec(ctx, lockSQL, tx.Business(), memberships)
	return err
}

const lockSQL = `select id from memberships where business_id = $1 and id = any($2) order by id for no key update`

// LockOfTx is LockTx for all active memberships of a customer, and returns what they can pay with.
func LockOfTx(ctx context.Context, tx *pg.Tx, customer uuid.UUID) ([]Owned, error) {
	if underLock {
		_, err := tx.Exec(ctx, `select id from memberships where business_id = $1 and customer_id = $2 and state = 'active'
			order by id for no key update`, tx.Business(), customer)
		if err != nil {
			return nil, err
		}
	}
	return OwnedOf(ctx, tx, customer)
}

// GrantKnown reports whether a grant is the business's.
func GrantKnown(ctx context.Context, r pg.Reader, id uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, r, `select exists (select from grants where business_id = $1 and id = $2)`, r.Business(), id)
}

// SeatsOf reads bookings as seats to be paid for, in the order of the ids. A booking of a course is one that no plan
// covers: it has several dates.
func SeatsOf(ctx context.Context, r pg.Reader, bookings []uuid.UUID) ([]rules.Seat, error) {
	type row struct {
		OfferingID, LocationID uuid.UUID
		Kind, Attendee         string
		Party                  int
		On                     civil.Date
		Course                 bool
	}
	rows, err := pg.All[row](ctx, r, `select k.offering_id, k.location_id, f.kind, k.attendee,
			case when f.kind = 'class' then k.party else 1 end as party, (w.starts_at at time zone l.zone)::date as "on",
			f.enrolment = 'series' as course
		from unnest($2::uuid[]) with ordinality as a (id, n)
		join bookings k on k.business_id = $1 and k.id = a.id
		join offerings f on f.business_id = $1 and f.id = k.offering_id
		join occurrences w on w.business_id = $1 and w.id = k.occurrence_id
		join locations l on l.business_id = $1 and l.id = k.location_id
		order by a.n`, r.Business(), bookings)
	seats := make([]rules.Seat, len(rows))
	for i, b := range rows {
		seats[i] = rules.Seat{
			Offering: b.OfferingID, Location: b.LocationID, Kind: b.Kind, On: b.On, Guest: b.Attendee != "", Party: b.Party,
		}
		if b.Course {
			seats[i].Offering, seats[i].Kind = uuid.Nil, ""
		}
	}
	return seats, err
}
