package crm

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/policy"
)

const columns = `c.id, c.person_id, c.name, c.email, c.phone, c.version, c.created_at, c.updated_at`

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
		r.Business(), cover.Everywhere, cover.Locations, cover.Own, person, id))
	return got.Customer, got.Open, err
}

func list(ctx context.Context, v *pg.View, person uuid.UUID, cover policy.Cover, query string, limit, offset int) ([]Customer, int, error) {
	const where = ` from customers c where c.business_id = $1 and ` + covered + `
		and ($6 = '' or c.name ilike '%' || $6 || '%' or c.email ilike $6 || '%' or c.phone like $6 || '%')`
	args := []any{v.Business(), cover.Everywhere, cover.Locations, cover.Own, person, literal(query)}
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

// literal makes text match itself in LIKE.
func literal(q string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.TrimSpace(q))
}
