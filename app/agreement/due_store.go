package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// readDues reads a person's upcoming bookings with a business, the active documents at those locations, and the
// acceptances that may count.
func readDues(ctx context.Context, r pg.Reader, person uuid.UUID) (dues, error) {
	return pg.One[dues](ctx, r, `with who as (
			select c.id from customers c where c.business_id = $1 and c.person_id = $2
		), seats as (
			select b.id, b.attendee, b.customer_id, b.offering_id, b.location_id, o.cart_id
			from who join bookings b on b.business_id = $1 and b.customer_id = who.id
			left join orders o on o.business_id = b.business_id and o.id = b.order_id
			where b.ends_at > $3 and `+stands+` order by b.starts_at, b.id limit $4
		), asked as (
			select d.* from agreement_documents d
			where d.business_id = $1 and d.archived_at is null and d.location_id in (select location_id from seats)
		)
		select (select customer_id from seats limit 1) as customer,
			(select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'location_id', d.location_id, 'name', d.name, 'show', d.show, 'frequency', d.frequency,
				'every_listing', d.every_listing, 'round', d.round, 'copy_number', d.copy_number, 'offering_ids', `+listings+`, 'copy', `+asJSON(shownWords, shownTranslations, shownHTML)+`)
				order by d.position, d.created_at, d.id), '[]')
				from asked d join agreement_copies k on k.business_id = $1 and k.document_id = d.id and k.number = d.copy_number) as documents,
			(select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'offering_id', s.offering_id, 'location_id', s.location_id, 'cart_id', s.cart_id, 'attendee', s.attendee)), '[]')
				from seats s) as booked,
			(select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'document_id', a.document_id, 'copy_id', a.copy_id, 'round', a.round,
				'cart_id', a.cart_id, 'booking_id', a.booking_id, 'attendee', a.attendee, 'language', a.language, 'created_at', a.created_at,
				'copy', `+earlierCopy(shownWords)+`)), '[]')
				from asked d join agreement_acceptances a on a.business_id = $1 and a.document_id = d.id and a.customer_id in (select id from who)
				where a.booking_id in (select id from seats) or a.cart_id in (select cart_id from seats) or d.frequency = 'once' and a.round = d.round) as have`,
		r.Business(), person, r.Now(), wantsMost)
}
