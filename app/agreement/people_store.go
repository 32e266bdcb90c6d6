package agreement

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
)

// last is a condition on an acceptance a: its customer has no later one of the document for the same person.
const last = `not exists (select from agreement_acceptances n where n.business_id = a.business_id and n.customer_id = a.customer_id
		and n.document_id = a.document_id and coalesce(n.attendee, '') = coalesce(a.attendee, '') and (n.created_at, n.id) > (a.created_at, a.id))`

// counts is a condition on an acceptance a of a document d: it still counts.
const counts = `(d.frequency <> 'once' or a.round = d.round)`

func signersOf(ctx context.Context, r pg.Reader, d Document, in paging.In[paging.Moment]) ([]Signer, error) {
	at, id := keyOf(in.After)
	return pg.All[Signer](ctx, r, `select a.id, a.customer_id, c.name as customer_name, c.email as customer_email, a.copy_id, k.number as copy_number,
			`+counts+` as counts, a.source, a.shown, a.attendee, a.language, case a.source when 'staff' then a.actor_name else '' end as actor_name, a.created_at
		from agreement_documents d
		join agreement_acceptances a on a.business_id = d.business_id and a.document_id = d.id
		join agreement_copies k on k.business_id = a.business_id and k.id = a.copy_id
		join customers c on c.business_id = a.business_id and c.id = a.customer_id
		where d.business_id = $1 and d.id = $2 and ($3::timestamptz is null or (a.created_at, a.id) < ($3, $4::uuid)) and `+last+`
		order by a.created_at desc, a.id desc limit $5`, r.Business(), d.ID, at, id, in.Size()+1)
}

func countSigners(ctx context.Context, r pg.Reader, d Document) (int, error) {
	return pg.One[int](ctx, r, `select count(distinct (a.customer_id, coalesce(a.attendee, '')))::int from agreement_documents d
		join agreement_acceptances a on a.business_id = d.business_id and a.document_id = d.id
		where d.business_id = $1 and d.id = $2 and `+counts, r.Business(), d.ID)
}

// readAhead reads customers with upcoming bookings that require a document, by the start of the first one.
func readAhead(ctx context.Context, r pg.Reader, d Document, after *paging.Moment, most int) ([]ahead, error) {
	at, id := keyOf(after)
	return pg.All[ahead](ctx, r, `with coming as (
			select b.customer_id, min(b.starts_at) as first,
				jsonb_agg(jsonb_build_object('id', b.id, 'offering_id', b.offering_id, 'cart_id', o.cart_id, 'booking_id', b.id, 'attendee', b.attendee, 'starts_at', b.starts_at)
					order by b.starts_at, b.id) as subjects
			from bookings b left join orders o on o.business_id = b.business_id and o.id = b.order_id
			where b.business_id = @business and b.location_id = @location and b.ends_at > @now and b.starts_at > @earliest and `+stands+`
				and (@every or b.offering_id = any(@offerings))
			group by b.customer_id
		)
		select w.customer_id, c.name as customer_name, c.email as customer_email, w.subjects, coalesce((
				select jsonb_agg(jsonb_build_object('id', a.id, 'document_id', a.document_id, 'copy_id', a.copy_id, 'round', a.round,
					'cart_id', a.cart_id, 'booking_id', a.booking_id, 'attendee', a.attendee, 'created_at', a.created_at))
				from agreement_acceptances a where a.business_id = @business and a.customer_id = w.customer_id and a.document_id = @document), '[]') as have
		from coming w join customers c on c.business_id = @business and c.id = w.customer_id
		where @at::timestamptz is null or (w.first, w.customer_id) > (@at, @id::uuid)
		order by w.first, w.customer_id limit @most`, pg.Named{
		"business": r.Business(), "location": d.LocationID, "document": d.ID, "every": d.EveryListing, "offerings": d.OfferingIDs, "now": r.Now(),
		"earliest": r.Now().AddDate(0, 0, -aDay), "at": at, "id": id, "most": most,
	})
}

// aDay bounds the start of bookings that have not ended, in days ago: the index of bookings is by start.
const aDay = 2

func keyOf(after *paging.Moment) (*time.Time, *uuid.UUID) {
	if after == nil {
		return nil, nil
	}
	return &after.At, &after.ID
}
