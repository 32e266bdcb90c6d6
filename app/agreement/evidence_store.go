package agreement

import (
	"context"

	"foyer/app/pg"
)

// findEvidence reads an acceptance of a customer, at a location, with the text or the key of the file. For one of a
// cart it reads the bookings of its order.
func findEvidence(ctx context.Context, r pg.Reader, in EvidenceInput) (Evidence, error) {
	return pg.Found(pg.One[Evidence](ctx, r, `select a.id, a.business_id, t.name as business_name, d.location_id, l.name as location_name, l.zone,
			l.language, l.country, a.customer_id, c.name as customer, c.email, a.person_id, d.name, `+asJSON("k.body", "k.translations", "k.html")+` as copy, a.round, a.source, a.shown, a.attendee, a.language as words_in,
			case a.source when 'staff' then a.actor_name else '' end as actor_name, a.ip, a.user_agent, a.cart_id, a.created_at,
			coalesce((select jsonb_agg(jsonb_build_object('id', b.id, 'name', f.name, 'starts_at', b.starts_at) order by b.starts_at, b.id)
				from bookings b join offerings f on f.business_id = b.business_id and f.id = b.offering_id
				where b.business_id = a.business_id and b.id in (select a.booking_id union all select x.id
					from orders o join bookings x on x.business_id = o.business_id and x.order_id = o.id
					where o.business_id = a.business_id and o.cart_id = a.cart_id)), '[]') as bookings
		from agreement_acceptances a
		join agreement_documents d on d.business_id = a.business_id and d.id = a.document_id
		join agreement_copies k on k.business_id = a.business_id and k.id = a.copy_id
		join customers c on c.business_id = a.business_id and c.id = a.customer_id
		join locations l on l.business_id = a.business_id and l.id = d.location_id
		join businesses t on t.business_id = a.business_id
		where a.business_id = @business and a.customer_id = @customer and a.document_id = @document and d.location_id = @location
			and (a.id = @acceptance::uuid or @acceptance::uuid is null)
		order by a.created_at desc, a.id desc limit 1`, pg.Named{
		"business": r.Business(), "customer": in.CustomerID, "document": in.DocumentID, "location": in.LocationID, "acceptance": in.AcceptanceID,
	}))
}
