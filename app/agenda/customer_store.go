package agenda

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/crm"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Conditions on the bookings b of a customer c. They begin with the keys of the business and the customer, which have
// an index.
const (
	theirs = ` from bookings b where b.business_id = $1 and b.customer_id = c.id`
	comes  = ` and b.state in ('requested', 'confirmed') and b.starts_at > $2`
	came   = ` and b.state in ('confirmed', 'checked_in', 'completed', 'no_show') and b.starts_at <= $2`
)

// opened keeps the bookings b that the caller may see: all, those of their locations, the ones that they teach, or
// none.
func opened(q *pg.Shape, sc tenancy.Scope) {
	cover, err := policy.Where(sc, policy.BookingView)
	switch {
	case err != nil:
		q.And("false")
	case cover.Own:
		q.And(`(b.location_id = any(?) or b.occurrence_id in (select o.id from occurrences o
			join members m on m.business_id = o.business_id and m.id = o.member_id and m.deactivated_at is null
			where o.business_id = $1 and m.person_id = ?))`, cover.Locations, sc.Person())
	case !cover.Everywhere:
		q.And("b.location_id = any(?)", cover.Locations)
	}
}

// listed selects the customers c that the caller may see and the query finds.
func listed(q *pg.Shape, sc tenancy.Scope, cover policy.Cover, query string) {
	q.Add(` from customers c where c.business_id = $1 and c.entered is not null and `)
	crm.AddReach(q, sc.Person(), cover)
	crm.ParseQuery(query).Restrict(q)
}

// ordered adds the order, before the page is cut and after.
func ordered(q *pg.Shape, sc tenancy.Scope, sort CustomerSort) {
	switch sort {
	case SortName:
		q.Add(` order by lower(coalesce(nullif(c.name, ''), c.email)), c.id`)
	case SortOldest:
		q.Add(` order by c.created_at, c.id`)
	case SortNext:
		q.Add(` order by (select min(b.starts_at)` + theirs + comes)
		opened(q, sc)
		q.Add(`) nulls last, c.id`)
	case SortLast:
		q.Add(` order by (select max(b.starts_at)` + theirs + came)
		opened(q, sc)
		q.Add(`) desc nulls last, c.id`)
	case SortByBalance:
		q.Add(` order by (select sum(w.due + w.fees_due) from (`)
		owed(q, sc)
		q.Add(`) w) desc nulls last, c.id`)
	default:
		q.Add(` order by c.created_at desc, c.id desc`)
	}
}

// owed selects the amounts due from customer c, by booking.
func owed(q *pg.Shape, sc tenancy.Scope) {
	q.Add(`select b.id, b.location_id, b.starts_at, b.state, b.currency, f.name as offering_name, ` + order.DueColumns + `
		from bookings b join offerings f on f.business_id = $1 and f.id = b.offering_id` + order.DueJoins + `
		 where b.business_id = $1 and b.customer_id = c.id and b.state not in ('held', 'expired')`)
	opened(q, sc)
}

func customers(ctx context.Context, v *pg.View, sc tenancy.Scope, in CustomersInput, cover policy.Cover) (CustomersPage, error) {
	page := CustomersPage{Limit: paging.Size(in.Limit), Offset: in.Offset}
	count := pg.NewShape(`select count(*)`, v.Business())
	listed(count, sc, cover, in.Query)

	q := pg.NewShape(`select c.id, c.name, c.email, c.phone, c.created_at, (select count(*)`+theirs+` and b.state not in ('held', 'expired')`, v.Business(), v.Now())
	opened(q, sc)
	q.Add(`) as bookings, n.at as next_at, coalesce(n.zone, '') as next_zone, l.at as last_at, coalesce(l.zone, '') as last_zone, coalesce(w.owes, '[]') as amounts_due
		from (select c.*, row_number() over (`)
	ordered(q, sc, in.Sort)
	q.Add(`) as place`)
	listed(q, sc, cover, in.Query)
	q.Add(` order by place limit ? offset ?) c`, page.Limit, page.Offset)
	for _, side := range []struct{ name, what, order string }{{"n", comes, "b.starts_at"}, {"l", came, "b.starts_at desc"}} {
		q.Add(` left join lateral (select b.starts_at as at, z.zone from bookings b join locations z on z.business_id = $1 and z.id = b.location_id
			where b.business_id = $1 and b.customer_id = c.id` + side.what)
		opened(q, sc)
		q.Add(` order by ` + side.order + ` limit 1) ` + side.name + ` on true`)
	}
	q.Add(` left join lateral (select json_agg(json_build_object('amount', s.amount, 'currency', s.currency) order by s.currency) as owes from (
			select sum(o.due + o.fees_due)::bigint as amount, o.currency from (`)
	owed(q, sc)
	q.Add(`) o where o.due + o.fees_due > 0 group by o.currency) s) w on true order by c.place`)

	var found bool
	b := v.Batch()
	pg.QueueOne(b, &page.Total, &found, count.SQL(), count.Args()...)
	pg.QueueAll(b, &page.Customers, q.SQL(), q.Args()...)
	return page, b.Send(ctx)
}

func debts(ctx context.Context, v *pg.View, sc tenancy.Scope, customer uuid.UUID) ([]BalanceDue, error) {
	q := pg.NewShape(`select w.id as booking_id, w.offering_name, w.starts_at, l.zone, w.state, w.due, w.fees_due, w.currency
		from customers c cross join lateral (`, v.Business(), customer)
	owed(q, sc)
	q.Add(`) w join locations l on l.business_id = $1 and l.id = w.location_id
		where c.business_id = $1 and c.id = $2 and w.due + w.fees_due > 0 order by w.starts_at desc, w.id desc limit ?`, debtsMost)
	return pg.All[BalanceDue](ctx, v, q.SQL(), q.Args()...)
}

func standings(ctx context.Context, v *pg.View, sc tenancy.Scope, customer uuid.UUID) ([]Standing, error) {
	q := pg.NewShape(`with w as (select w.* from customers c cross join lateral (`, v.Business(), customer)
	owed(q, sc)
	q.Add(`) w where c.business_id = $1 and c.id = $2)
		select x.currency, sum(x.credit)::bigint as credit, sum(x.due)::bigint as due, sum(x.fees_due)::bigint as fees_due from (
			select currency, 0::bigint as credit, due, fees_due from w
			union all select currency, balance, 0, 0 from credits where business_id = $1 and customer_id = $2
		) x group by x.currency having sum(x.credit + x.due + x.fees_due) > 0 order by x.currency`)
	return pg.All[Standing](ctx, v, q.SQL(), q.Args()...)
}
