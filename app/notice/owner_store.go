package notice

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
)

// ownerOf reads a member who owns the business; found is false for a former owner.
func ownerOf(ctx context.Context, v *pg.View, member uuid.UUID) (Owner, bool, error) {
	return pg.Find[Owner](ctx, v, `select m.email as to, m.name, coalesce(`+business.ReaderLanguage+`, '') as locale, s.name as business_name, s.slug,
			coalesce(l.zone, '') as zone, coalesce(l.country, '') as country
		from members m
		join businesses s on s.business_id = $1
		left join lateral (select * from locations l where l.business_id = $1 order by l.archived_at nulls first, l.created_at, l.id limit 1) l on true
		left join persons p on p.id = m.person_id
		where m.business_id = $1 and m.id = $2 and m.deactivated_at is null
			and exists (select from member_roles r where r.business_id = $1 and r.member_id = m.id and r.role = 'owner')`, v.Business(), member)
}

// soldOf returns the customer of an order, and its first item. An order without a booking is described by its label.
func soldOf(ctx context.Context, v *pg.View, order uuid.UUID) (customer, what string, err error) {
	type sold struct{ Customer, What string }
	s, _, err := pg.Find[sold](ctx, v, `select coalesce(nullif(c.name, ''), c.email, '') as customer, coalesce(
			(select f.name from bookings b join offerings f on f.business_id = $1 and f.id = b.offering_id
				where b.business_id = $1 and b.order_id = o.id order by b.starts_at, b.id limit 1), '') as what
		from orders o left join customers c on c.business_id = $1 and c.id = o.customer_id
		where o.business_id = $1 and o.id = $2`, v.Business(), order)
	return s.Customer, s.What, err
}
