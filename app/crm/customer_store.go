package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/policy"
)

const columns = `c.id, c.person_id, c.name, c.email, c.phone, c.version, c.created_at, c.updated_at`

func find(ctx context.Context, r pg.Reader, person uuid.UUID, cover policy.Cover, id uuid.UUID) (c Customer, open bool, err error) {
	s := pg.NewShape(`select `+columns+`, coalesce(`, r.Business(), id) // neither location nor author: null
	addOpen(s, person, cover)
	s.Add(`, false) as open from customers c where c.business_id = $1 and c.id = $2`)
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
func insert(ctx context.Context, tx *pg.Tx, person *uuid.UUID, in CreateInput, home home) (c Customer, made bool, err error) {
	c, made, err = pg.Find[Customer](ctx, tx, `insert into customers as c (id, business_id, person_id, name, email, phone, name_key, phone_key,
			location_id, added_by, version, created_at, updated_at)
		values (@id, @business, @person, @name, @email, @phone, @name_key, @phone_key, @location, @by, 1, @now, @now)
		on conflict (business_id, person_id) do nothing returning `+columns, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "person": person, "name": in.Name, "email": in.Email, "phone": in.Phone,
		"name_key": names.Search(in.Name), "phone_key": numberKey(in.Phone),
		"location": home.Location, "by": home.By, "now": tx.Now(),
	})
	return c, made, pg.Map(err, map[string]error{"customers_location_fkey": fault.Missing()})
}

// save writes a changed record as its next version. A record that was not listed is listed from now on, and counted
// with the number of this transaction.
func save(ctx context.Context, tx *pg.Tx, c Customer) (Customer, error) {
	saved, err := pg.One[Customer](ctx, tx, `update customers c set person_id = @person, name = @name, email = @email, phone = @phone,
			name_key = @name_key, phone_key = @phone_key, entered = coalesce(entered, pg_current_xact_id()::text::bigint),
			version = version + 1, updated_at = @now
		where business_id = @business and id = @id returning `+columns, pg.Named{
		"business": tx.Business(), "id": c.ID, "person": c.PersonID, "name": c.Name, "email": c.Email, "phone": c.Phone,
		"name_key": names.Search(c.Name), "phone_key": numberKey(c.Phone), "now": tx.Now(),
	})
	return saved, pg.Map(err, map[string]error{"customers_person_key": ErrExists})
}

// recordOf returns the record of a person; uuid.Nil when there is none.
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

// listAll reads a page of all customers and counts them. known is the count in totals of the business; it returns the
// new one.
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

// listSome reads a page of the customers in cover that match the query, if any.
func listSome(ctx context.Context, v *pg.View, page Page, person uuid.UUID, cover policy.Cover, query Query) (Page, error) {
	some := func(what string) *pg.Shape {
		s := pg.NewShape(what+` from customers c where c.business_id = $1 and c.entered is not null and `, v.Business())
		AddReach(s, person, cover)
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
