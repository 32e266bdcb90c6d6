package agreement

import (
	"context"

	"foyer/app/pg"
)

// readRoster reads bookings with the acceptances that may count for them, and the active documents of their
// locations. which is a condition on a booking b, with the parameter $2.
func readRoster(ctx context.Context, r pg.Reader, which string, of any) (roster, error) {
	return pg.One[roster](ctx, r, `with seats as (
			select b.id, b.attendee, b.offering_id, b.location_id, b.customer_id, o.cart_id, b.ends_at <= $3 as past
			from bookings b left join orders o on o.business_id = b.business_id and o.id = b.order_id
			where b.business_id = $1 and `+which+` and `+stands+`
		), asked as (
			select d.* from agreement_documents d
			where d.business_id = $1 and d.archived_at is null and d.location_id in (select location_id from seats)
		)
		select
			(select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'location_id', d.location_id, 'name', d.name, 'frequency', d.frequency, 'every_listing', d.every_listing,
				'round', d.round, 'offering_ids', `+listings+`) order by d.position, d.created_at, d.id), '[]') from asked d) as documents,
			(select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'offering_id', s.offering_id, 'location_id', s.location_id, 'cart_id', s.cart_id, 'attendee', s.attendee, 'past', s.past, 'have', (
				select jsonb_agg(jsonb_build_object('id', a.id, 'document_id', a.document_id, 'copy_id', a.copy_id, 'round', a.round,
					'cart_id', a.cart_id, 'booking_id', a.booking_id, 'attendee', a.attendee, 'created_at', a.created_at))
				from asked d join agreement_acceptances a on a.business_id = $1 and a.customer_id = s.customer_id and a.document_id = d.id
				where a.booking_id = s.id or a.cart_id = s.cart_id or d.frequency = 'once' and a.round = d.round
			))), '[]') from seats s) as booked`, r.Business(), of, r.Now())
}
