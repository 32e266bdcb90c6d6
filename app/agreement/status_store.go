package agreement

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
)

// stands are the states of bookings that require documents: upcoming or used ones.
const stands = `b.state in ('requested', 'confirmed', 'checked_in', 'no_show', 'completed')`

const selectWants = `select b.id, b.offering_id, o.cart_id, b.id as booking_id, b.attendee, b.ends_at <= $4 as past
	from bookings b left join orders o on o.business_id = b.business_id and o.id = b.order_id
	where b.business_id = $1 and b.customer_id = $2 and b.location_id = $3 `

// wantsMost bounds the upcoming bookings of one customer at one location.
const wantsMost = 1000

// readFile reads the data of a customer's record at a location. Of past bookings it reads one of each offering.
func readFile(ctx context.Context, r pg.Reader, in StatusInput) (f file, err error) {
	if f.documents, err = allDocuments(ctx, r, in.LocationID); err != nil {
		return f, err
	}
	f.wants, err = pg.All[Subject](ctx, r, `(`+selectWants+`and b.ends_at > $4 and `+stands+` order by b.starts_at, b.id limit $5)
		union all (select distinct on (w.offering_id) w.* from (`+selectWants+`and b.ends_at <= $4 and `+stands+`) w order by w.offering_id, w.id desc)`,
		r.Business(), in.CustomerID, in.LocationID, r.Now(), wantsMost)
	if err != nil {
		return f, err
	}
	f.records, err = readRecords(ctx, r, in, f.wants)
	return f, err
}

// allDocuments reads the documents of a location, archived ones included.
func allDocuments(ctx context.Context, r pg.Reader, location uuid.UUID) ([]Document, error) {
	return pg.All[Document](ctx, r, selectDocuments+`and d.location_id = $2 order by d.position, d.created_at, d.id limit $3`,
		r.Business(), location, DocumentsMax)
}

// readWant reads a booking of a customer at a location, in any state.
func readWant(ctx context.Context, r pg.Reader, in StatusInput, booking uuid.UUID) (Subject, error) {
	return pg.Found(pg.One[Subject](ctx, r, selectWants+`and b.id = $5`, r.Business(), in.CustomerID, in.LocationID, r.Now(), booking))
}

// readRecords reads the acceptances of a customer that may count for their bookings, and the latest of each document
// and person, latest first.
func readRecords(ctx context.Context, r pg.Reader, in StatusInput, wants []Subject) ([]Record, error) {
	bookings, carts := []uuid.UUID{}, []uuid.UUID{}
	for _, w := range wants {
		bookings = append(bookings, w.ID)
		if w.CartID != nil {
			carts = append(carts, *w.CartID)
		}
	}
	return pg.All[Record](ctx, r, `select a.id, a.document_id, a.copy_id, a.round, a.cart_id, a.booking_id, a.attendee, a.created_at, k.kind, a.source, a.shown, a.language, a.actor_name
		from agreement_documents d
		join agreement_acceptances a on a.business_id = $1 and a.customer_id = $2 and a.document_id = d.id
		join agreement_copies k on k.business_id = $1 and k.id = a.copy_id
		where d.business_id = $1 and d.location_id = $3 and (a.booking_id = any($4) or a.cart_id = any($5) or d.frequency = 'once' and a.round = d.round
			or `+last+`)
		order by a.created_at desc, a.id desc`, r.Business(), in.CustomerID, in.LocationID, bookings, carts)
}

// agreementsOf finds a person's acceptances in all businesses, one row more than the page has.
func agreementsOf(ctx context.Context, db *pg.DB, person uuid.UUID, in paging.In[paging.Moment]) ([]pg.Keyed, error) {
	var at *time.Time
	var id *uuid.UUID
	if in.After != nil {
		at, id = &in.After.At, &in.After.ID
	}
	return pg.All[pg.Keyed](ctx, db.View(uuid.Nil), `select business_id, id, created_at as at from app.agreements_of($1, $2, $3, $4)`,
		person, at, id, in.Size()+1)
}

func theirs(ctx context.Context, r pg.Reader, person uuid.UUID, ids []uuid.UUID) ([]Mine, error) {
	return pg.All[Mine](ctx, r, `select a.id, a.business_id, b.name as business_name, l.name as location_name, l.zone, a.document_id, d.name, k.kind, d.frequency,
			a.copy_id, a.source, a.shown, a.attendee, a.language, a.created_at
		from agreement_acceptances a
		join customers c on c.business_id = a.business_id and c.id = a.customer_id and c.person_id = $2
		join agreement_documents d on d.business_id = a.business_id and d.id = a.document_id
		join agreement_copies k on k.business_id = a.business_id and k.id = a.copy_id
		join locations l on l.business_id = a.business_id and l.id = d.location_id
		join businesses b on b.business_id = a.business_id
		where a.business_id = $1 and a.id = any($3)`, r.Business(), person, ids)
}
