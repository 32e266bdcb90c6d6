package discount

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

const columns = `d.id, d.name, d.code, d.ppm, d.amount, d.currency, d.least_amount, d.applies_to, d.location_ids,
	d.offering_ids, d.plan_ids, d.weekdays, d.first_day, d.last_day, d.uses_max, d.customer_uses_max, d.first_time,
	d.position, d.combines, d.archived_at, d.version, d.created_at, d.updated_at`

// stands is the condition for an order o with a discount to be a use of it. One that is being paid for is, as long as
// its seats are held: the argument is the time.
func stands(now string) string {
	return `(o.state = 'fulfilled' or o.state = 'open' and exists (select from holds h
		where h.business_id = o.business_id and h.cart_id = o.cart_id and h.state = 'live' and h.expires_at > ` + now + `))`
}

// selectDiscounts reads discounts of the business $1 with their uses at the time $2.
var selectDiscounts = `select ` + columns + `, (select count(*) from order_discounts u
		join orders o on o.business_id = $1 and o.id = u.order_id
		where u.business_id = $1 and u.discount_id = d.id and ` + stands("$2") + `)::int as uses
	from discounts d where d.business_id = $1 `

func find(ctx context.Context, r pg.Reader, id uuid.UUID) (Discount, error) {
	return pg.Found(pg.One[Discount](ctx, r, selectDiscounts+`and d.id = $3`, r.Business(), r.Now(), id))
}

// lock locks a discount's row until the transaction ends; orders with its limited uses wait for that. It then reads
// it: with the uses of those that it has waited for.
func lock(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Discount, error) {
	if _, err := tx.Exec(ctx, `select from discounts where business_id = $1 and id = $2 for no key update`, tx.Business(), id); err != nil {
		return Discount{}, err
	}
	return find(ctx, tx, id)
}

func list(ctx context.Context, r pg.Reader, in ListInput) ([]Discount, error) {
	return pg.All[Discount](ctx, r, selectDiscounts+`and (d.archived_at is not null) = $3 and d.id > $4
			and ($6::text is null or d.plan_ids ? $6) order by d.id limit $5`,
		r.Business(), r.Now(), in.Archived, in.From(), in.Size()+1, planText(in.PlanID))
}

// planText is the id of a plan as lists have it; nil for uuid.Nil.
func planText(id uuid.UUID) *string {
	if id == uuid.Nil {
		return nil
	}
	text := id.String()
	return &text
}

func forMembers(ctx context.Context, r pg.Reader, location uuid.UUID, plans []uuid.UUID) ([]Discount, error) {
	names := make([]string, len(plans))
	for i, id := range plans {
		names[i] = id.String()
	}
	return pg.All[Discount](ctx, r, selectDiscounts+`and d.archived_at is null and d.code is null
			and d.plan_ids ?| $4::text[] and exists (select from locations l
				cross join lateral (select ($2::timestamptz at time zone l.zone)::date as today) t
				where l.business_id = $1 and l.id = $3 and (d.location_ids = '[]' or d.location_ids ? l.id::text)
					and (d.amount + d.least_amount = 0 or d.currency = l.currency)
					and (d.first_day is null or d.first_day <= t.today) and (d.last_day is null or d.last_day >= t.today))
		order by d.position, d.id`, r.Business(), r.Now(), location, names)
}

var constraints = map[string]error{"discounts_code_key": ErrCodeTaken}

func (d Discount) named(tx *pg.Tx) pg.Named {
	var code *string
	if d.Code != "" {
		code = &d.Code
	}
	return pg.Named{
		"business": tx.Business(), "id": d.ID, "name": d.Name, "code": code, "ppm": d.PPM, "amount": d.Amount, "currency": d.Currency,
		"least": d.LeastAmount, "applies_to": d.AppliesTo, "locations": d.LocationIDs, "offerings": d.OfferingIDs,
		"plans": d.PlanIDs, "weekdays": d.Weekdays, "first": d.FirstDay,
		"last": d.LastDay, "uses": d.UsesMax, "customer_uses": d.CustomerUsesMax, "first_time": d.FirstTime, "position": d.Position,
		"combines": d.Combines, "archived": d.ArchivedAt, "version": d.Version, "at": d.UpdatedAt,
	}
}

func insert(ctx context.Context, tx *pg.Tx, d Discount) error {
	_, err := tx.Exec(ctx, `insert into discounts (id, business_id, name, code, ppm, amount, currency, least_amount,
			applies_to, location_ids, offering_ids, plan_ids, weekdays, first_day, last_day, uses_max, customer_uses_max,
			first_time, position, combines, archived_at, version, created_at, updated_at)
		values (@id, @business, @name, @code, @ppm, @amount, @currency, @least,
			@applies_to, @locations, @offerings, @plans, @weekdays, @first, @last, @uses,
			@customer_uses, @first_time, @position, @combines, @archived, @version, @at, @at)`, d.named(tx))
	return pg.Map(err, constraints)
}

// save writes a changed discount as its next version. The row is locked.
func save(ctx context.Context, tx *pg.Tx, d *Discount) error {
	d.Version, d.UpdatedAt = d.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update discounts set name = @name, code = @code, ppm = @ppm, amount = @amount, currency = @currency,
			least_amount = @least, applies_to = @applies_to, location_ids = @locations, offering_ids = @offerings,
			plan_ids = @plans, weekdays = @weekdays, first_day = @first, last_day = @last, uses_max = @uses,
			customer_uses_max = @customer_uses, first_time = @first_time, position = @position,
			combines = @combines, archived_at = @archived, version = @version, updated_at = @at
		where business_id = @business and id = @id`, d.named(tx))
	return pg.Map(err, constraints)
}

// known reports whether what a discount names is the business's.
type known struct {
	Others bool // locations and offerings
	Plans  bool
}

func knownOf(ctx context.Context, tx *pg.Tx, d Discount) (known, error) {
	return pg.One[known](ctx, tx, `select
		(select count(*) from locations where business_id = $1 and id = any($2::uuid[])) = cardinality($2::uuid[]) and
		(select count(*) from offerings where business_id = $1 and id = any($3::uuid[])) = cardinality($3::uuid[])
			as others,
		(select count(*) from plans where business_id = $1 and id = any($4::uuid[])) = cardinality($4::uuid[]) as plans`,
		tx.Business(), d.LocationIDs, d.OfferingIDs, d.PlanIDs)
}
