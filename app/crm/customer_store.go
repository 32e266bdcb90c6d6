package crm

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/policy"
)

const columns = `c.id, c.person_id, c.name, c.email, c.phone, c.version, c.created_at, c.updated_at`

// ensure finds and locks the record, or makes it, in one trip. pg.ErrNoRow: it was made by somebody else meanwhile.
func ensure(ctx context.Context, tx *pg.Tx, p identity.Person) (Customer, error) {
	return pg.One[Customer](ctx, tx, `
		with found as (
			select c.* from customers c where c.business_id = $2 and c.person_id = $3 for no key update
		), named as (
			update customers c set name = $4, version = c.version + 1, updated_at = $7
			from found where c.id = found.id and found.name = '' and $4 <> ''
			returning c.*
		), made as (
			insert into customers (id, business_id, person_id, name, email, phone, version, created_at, updated_at)
			select $1, $2, $3, $4, $5, $6, 1, $7, $7 where not exists (select from found)
			on conflict (business_id, person_id) do nothing
			returning *
		)
		select `+columns+` from named c
		union all select `+columns+` from found c where not exists (select from named)
		union all select `+columns+` from made c`,
		pg.NewID(), tx.Business(), p.ID, p.Name, p.Email, p.Phone, tx.Now())
}

// adopt locks a record and gives it the login of the person with its address, if it has none and the person has none.
func adopt(ctx context.Context, tx *pg.Tx, id uuid.UUID, p identity.Person) (Customer, error) {
	c, err := pg.One[Customer](ctx, tx, `
		with found as (
			select c.* from customers c where c.business_id = $1 and c.id = $2 for no key update
		), taken as (
			update customers c set person_id = $3, version = c.version + 1, updated_at = $5
			from found where c.business_id = $1 and c.id = found.id and found.person_id is null and found.email = $4 and $4 <> ''
				and not exists (select from customers o where o.business_id = $1 and o.person_id = $3)
			returning c.*
		)
		select `+columns+` from taken c
		union all select `+columns+` from found c where not exists (select from taken)`,
		tx.Business(), id, p.ID, p.Email, tx.Now())
	if errors.Is(err, pg.ErrNoRow) {
		err = fault.Missing()
	}
	return c, err
}

// covered is the condition under which a caller's grants open customer c: $2 everywhere, $3 locations, $4 the occurrences
// that person $5 gives. Seats that were only held make nobody a customer of a location.
const covered = `($2 or exists (
	select from bookings b join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
	where b.business_id = c.business_id and b.customer_id = c.id and b.state not in ('held', 'expired')
		and (b.location_id = any($3) or $4 and o.member_id in (
			select m.id from members m where m.business_id = c.business_id and m.person_id = $5 and m.deactivated_at is null))))`

func find(ctx context.Context, r pg.Reader, person uuid.UUID, cover policy.Cover, id uuid.UUID) (c Customer, open bool, err error) {
	got, err := pg.Found(pg.One[struct {
		Customer
		Open bool
	}](ctx, r, `select `+columns+`, `+covered+` as open from customers c where c.business_id = $1 and c.id = $6`,
		r.Business(), cover.Everywhere, locations(cover), cover.Own, person, id))
	return got.Customer, got.Open, err
}

func list(ctx context.Context, v *pg.View, person uuid.UUID, cover policy.Cover, query string, limit, offset int) ([]Customer, int, error) {
	const where = ` from customers c where c.business_id = $1 and ` + covered + `
		and ($6 = '' or c.name ilike '%' || $6 || '%' or c.email ilike $6 || '%' or c.phone like $6 || '%')`
	args := []any{v.Business(), cover.Everywhere, locations(cover), cover.Own, person, literal(query)}
	var customers []Customer
	var total int
	var found bool
	b := v.Batch()
	pg.QueueOne(b, &total, &found, `select count(*)`+where, args...)
	pg.QueueAll(b, &customers, `select `+columns+where+` order by c.created_at desc, c.id desc limit $7 offset $8`,
		append(args, limit, offset)...)
	if err := b.Send(ctx); err != nil {
		return nil, 0, err
	}
	return customers, total, nil
}

func locations(c policy.Cover) []uuid.UUID {
	if c.Locations == nil {
		return []uuid.UUID{}
	}
	return c.Locations
}

// literal makes text match itself in LIKE.
func literal(q string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.TrimSpace(q))
}
