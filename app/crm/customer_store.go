package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/names"
	"foyer/app/pg"
	"foyer/policy"
)

const columns = `c.id, c.person_id, c.name, c.email, c.phone, c.version, c.created_at, c.updated_at`

// How it is asked whether a person teaches the date of booking b: for one customer at that date, for a list once for all dates
// that the person teaches. The other way round each of them takes a hundred times as long.
const (
	taught       = `from occurrences o join members m on m.business_id = o.business_id and m.id = o.member_id and m.deactivated_at is null where `
	teachesIt    = `exists (select ` + taught + `o.business_id = b.business_id and o.id = b.occurrence_id and m.person_id = ?)`
	amongTheirs  = `b.occurrence_id in (select o.id ` + taught + `o.business_id = $1 and m.person_id = ?)`
	bookedByThem = `select from bookings b where b.business_id = c.business_id and b.customer_id = c.id and b.state not in ('held', 'expired')`
)

// addCovered adds the condition under which a caller's grants open customer c; teaches is one of the two above. Seats that
// were only held make nobody a customer of a location.
func addCovered(s *pg.Shape, person uuid.UUID, cover policy.Cover, teaches string) {
	switch {
	case cover.Everywhere:
		s.Add(`true`)
	case cover.Own:
		s.Add(`exists (`+bookedByThem+` and (b.location_id = any(?) or `+teaches+`))`, cover.Locations, person)
	default:
		s.Add(`exists (`+bookedByThem+` and b.location_id = any(?))`, cover.Locations)
	}
}

func find(ctx context.Context, r pg.Reader, person uuid.UUID, cover policy.Cover, id uuid.UUID) (c Customer, open bool, err error) {
	s := pg.NewShape(`select `+columns+`, `, r.Business(), id)
	addCovered(s, person, cover, teachesIt)
	s.Add(` as open from customers c where c.business_id = $1 and c.id = $2`)
	got, err := pg.Found(pg.One[struct {
		Customer
		Open bool
	}](ctx, r, s.SQL(), s.Args()...))
	return got.Customer, got.Open, err
}

// lock locks a customer's record; an unknown id is not found.
func lock(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := pg.Found(pg.One[uuid.UUID](ctx, tx, `select id from customers where business_id = $1 and id = $2 for no key update`, tx.Business(), id))
	return err
}

// insert writes a new record; made is false when the person has one.
func insert(ctx context.Context, tx *pg.Tx, person *uuid.UUID, in CreateInput) (c Customer, made bool, err error) {
	return pg.Find[Customer](ctx, tx, `insert into customers as c (id, business_id, person_id, name, email, phone, name_key, phone_key, version,
			created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $8, $9, 1, $7, $7) on conflict (business_id, person_id) do nothing returning `+columns,
		pg.NewID(), tx.Business(), person, in.Name, in.Email, in.Phone, tx.Now(), names.Search(in.Name), numberKey(in.Phone))
}

// save writes a changed record as its next version. One that was on no list comes onto it, with the number of this transaction: it is
// counted from now on.
func save(ctx context.Context, tx *pg.Tx, c Customer) (Customer, error) {
	saved, err := pg.One[Customer](ctx, tx, `update customers c set person_id = $3, name = $4, email = $5, phone = $6, name_key = $8, phone_key = $9,
			entered = coalesce(entered, pg_current_xact_id()::text::bigint), version = version + 1, updated_at = $7
		where business_id = $1 and id = $2 returning `+columns, tx.Business(), c.ID, c.PersonID, c.Name, c.Email, c.Phone, tx.Now(),
		names.Search(c.Name), numberKey(c.Phone))
	return saved, pg.Map(err, map[string]error{"customers_person_key": ErrExists})
}

// recordOf is the record of a person; uuid.Nil when there is none.
func recordOf(ctx context.Context, tx *pg.Tx, person uuid.UUID) (uuid.UUID, error) {
	id, _, err := pg.Find[uuid.UUID](ctx, tx, `select id from customers where business_id = $1 and person_id = $2`, tx.Business(), person)
	return id, err
}

const newestFirst = ` order by c.created_at desc, c.id desc `

const (
	selectAll = `select ` + columns + ` from customers c where c.business_id = $1 and c.entered is not null` + newestFirst + `limit $2 offset $3`

	countSince = `with snapshot as (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon)
		select count(*) as total, count(*) filter (where entered < (select horizon from snapshot)) as settled,
			(select horizon from snapshot) as horizon
		from customers where business_id = $1 and entered >= $2`
)

// listAll reads a page of all customers and counts them. known is what totals has of the business; so is what comes back.
func listAll(ctx context.Context, v *pg.View, page Page, known settled) (Page, settled, error) {
	var since struct {
		Total, Settled int
		Horizon        int64
	}
	var found bool
	b := v.Kept().Batch()
	pg.QueueOne(b, &since, &found, countSince, v.Business(), known.Horizon)
	pg.QueueAll(b, &page.Customers, selectAll, v.Business(), page.Limit, page.Offset)
	err := b.Send(ctx)
	page.Total = known.Count + since.Total
	return page, settled{Count: known.Count + since.Settled, Horizon: since.Horizon, since: known.since}, err
}

// listSome reads a page of the customers that cover opens and that the query, if any, finds.
func listSome(ctx context.Context, v *pg.View, page Page, person uuid.UUID, cover policy.Cover, query Query) (Page, error) {
	some := func(what string) *pg.Shape {
		s := pg.NewShape(what+` from customers c where c.business_id = $1 and c.entered is not null and `, v.Business())
		addCovered(s, person, cover, amongTheirs)
		query.Restrict(s)
		return s
	}
	var found bool
	count, rows := some(`select count(*)`), some(`select `+columns)
	rows.Add(newestFirst+`limit ? offset ?`, page.Limit, page.Offset)
	b := v.Batch()
	pg.QueueOne(b, &page.Total, &found, count.SQL(), count.Args()...)
	pg.QueueAll(b, &page.Customers, rows.SQL(), rows.Args()...)
	return page, b.Send(ctx)
}
