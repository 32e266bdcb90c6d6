package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fees"
	"foyer/app/paging"
	"foyer/app/pg"
)

// paymentsOf finds a person's payments in any business, one row more than the page has.
func paymentsOf(ctx context.Context, db *pg.DB, person uuid.UUID, in paging.In[paging.Moment]) ([]pg.Keyed, error) {
	var at *time.Time
	var id *uuid.UUID
	if in.After != nil {
		at, id = &in.After.At, &in.After.ID
	}
	return pg.All[pg.Keyed](ctx, db.View(uuid.Nil), `select business_id, id, created_at as at from app.payments_of($1, $2, $3, $4)`,
		person, at, id, in.Size()+1)
}

// mineRow is a payment with the data for its customer only.
type mineRow struct {
	row
	BusinessID   uuid.UUID
	BusinessName string
	LocationSlug string
	Fee          fees.Kind
}

func readTheirs(ctx context.Context, r pg.Reader, person uuid.UUID, ids []uuid.UUID) ([]mineRow, error) {
	return pg.All[mineRow](ctx, r, `with x as (`+cardColumns+` and p.id = any($2) union all `+manualPaymentColumns+` and t.id = any($2)), y as (`+beside+`)
		select y.*, b.business_id, b.name as business_name, l.slug as location_slug, coalesce(f.kind, '') as fee
		from y join businesses b on b.business_id = $1
		join locations l on l.business_id = $1 and l.id = y.location_id
		join customers c on c.business_id = $1 and c.id = y.customer_id and c.person_id = $3
		left join lateral (select f.kind from order_lines i join fees f on f.business_id = $1 and f.id = i.fee_id
			where i.business_id = $1 and i.order_id = y.order_id order by i.position limit 1) f on true`, r.Business(), ids, person)
}

// creditsOf finds the businesses with credit of a person.
func creditsOf(ctx context.Context, db *pg.DB, person uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, db.View(uuid.Nil), `select business_id from app.credits_of($1)`, person)
}

func theirCredits(ctx context.Context, r pg.Reader, person uuid.UUID) ([]MyCredit, error) {
	return pg.All[MyCredit](ctx, r, `select k.business_id, b.name as business_name, k.currency, k.balance as amount
		from credits k join customers c on c.business_id = $1 and c.id = k.customer_id
		join businesses b on b.business_id = $1
		where k.business_id = $1 and k.balance > 0 and c.person_id = $2 order by k.currency`, r.Business(), person)
}
