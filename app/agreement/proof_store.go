package agreement

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Proof is an acceptance as third parties see it, as evidence of a dispute.
type Proof struct {
	Document string // its current name
	Number   int    // of the copy; 1 is the first
	SHA256   []byte `db:"sha256"` // of the text, or of the file, accepted
	Source   Source
	Shown    *Shown  // nil: on paper
	Attendee *string // as Acceptance.Attendee
	IP       string  // of the browser; may be empty
	AgreedAt time.Time
	With     bool // accepted with one of these bookings; otherwise earlier, once for all
}

// ProofsOf reads the acceptances of bookings' customers, each document and person once, oldest first: those of the
// booking or of its cart, and earlier ones of documents that the offering requires once. Acceptances for attendees
// are left out. The caller must have access to the bookings.
func ProofsOf(ctx context.Context, r pg.Reader, bookings []uuid.UUID) ([]Proof, error) {
	return pg.All[Proof](ctx, r, `with w as (
			select b.id, b.customer_id, b.location_id, b.offering_id, b.attendee, b.created_at, o.cart_id
			from bookings b left join orders o on o.business_id = b.business_id and o.id = b.order_id
			where b.business_id = $1 and b.id = any($2)
		), g as (
			select distinct on (a.document_id, coalesce(a.attendee, '')) a.*, d.name, x.beside
			from w
			join agreement_documents d on d.business_id = $1 and d.location_id = w.location_id
			join agreement_acceptances a on a.business_id = $1 and a.customer_id = w.customer_id and a.document_id = d.id
			cross join lateral (select coalesce(a.booking_id = w.id or a.cart_id = w.cart_id, false) as beside) x
			where coalesce(a.attendee, '') in ('', w.attendee) and (x.beside or d.frequency = 'once' and a.created_at <= w.created_at
				and (d.every_listing or exists (select from agreement_listings i
					where i.business_id = $1 and i.offering_id = w.offering_id and i.document_id = d.id)))
			order by a.document_id, coalesce(a.attendee, ''), x.beside desc, a.created_at desc, a.id
		)
		select g.name as document, k.number, coalesce((select decode(t.value->>'sha256', 'base64') from jsonb_array_elements(k.translations) t
				where t.value->>'language' = g.language), k.sha256) as sha256, g.source, g.shown, g.attendee, g.ip, g.created_at as agreed_at, g.beside as "with"
		from g join agreement_copies k on k.business_id = $1 and k.id = g.copy_id
		order by g.created_at, g.id limit $3`, r.Business(), bookings, DocumentsMax)
}
