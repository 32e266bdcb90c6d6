package credit

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// The two ways in which a customer's credit changes. What a row is to be is checked before Postgres finds the row that is there, so that
// one statement cannot do both.
const (
	more = `insert into credits (business_id, customer_id, currency, balance, updated_at) values (@business, @customer, @currency, @amount, @now)
			on conflict (business_id, customer_id, currency) do update set balance = credits.balance + excluded.balance, updated_at = excluded.updated_at
			returning balance`
	less = `update credits set balance = balance + @amount, updated_at = @now
			where business_id = @business and customer_id = @customer and currency = @currency returning balance`
)

// MoveIn queues that a customer's credit changes, behind the taking or the refund that the move names. One that would leave less than
// nothing fails: the caller has looked at what there is, with LockTx.
func MoveIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, m Move) {
	var actor *uuid.UUID
	if by.ID != uuid.Nil {
		actor = &by.ID
	}
	change := more
	if m.Amount < 0 {
		change = less
	}
	pg.QueueExec(b, `with changed as (`+change+`)
		insert into credit_moves (id, business_id, customer_id, location_id, currency, kind, amount, balance, taking_id, refund_id, note, actor_kind,
			actor_id, actor_name, created_at)
		values (@id, @business, @customer, @location, @currency, @kind, @amount, (select balance from changed), @taking, @refund, @note, @actor_kind,
			@actor, @actor_name, @now)`, pg.Named{
		"id": m.ID, "business": tx.Business(), "customer": m.CustomerID, "location": m.LocationID, "currency": m.Currency, "kind": m.Kind,
		"amount": m.Amount, "taking": m.TakingID, "refund": m.RefundID, "note": m.Note, "actor_kind": by.Kind, "actor": actor,
		"actor_name": by.Name, "now": tx.Now(),
	})
}

// LockTx locks what a customer has in a currency, in minor units, against others who change it.
func LockTx(ctx context.Context, tx *pg.Tx, customer uuid.UUID, currency money.Currency) (int64, error) {
	rows, err := pg.All[int64](ctx, tx, `select balance from credits where business_id = $1 and customer_id = $2 and currency = $3 for update`,
		tx.Business(), customer, currency)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return rows[0], nil
}

// Balance is what a customer has in one currency.
type Balance struct {
	Currency money.Currency
	Balance  int64
}

// Of reads what a customer has, in every currency in which there was ever something.
func Of(ctx context.Context, r pg.Reader, customer uuid.UUID) ([]Balance, error) {
	return pg.All[Balance](ctx, r, `select currency, balance from credits where business_id = $1 and customer_id = $2 order by currency`,
		r.Business(), customer)
}

// Moves reads how a customer's credit has changed, the latest first.
func Moves(ctx context.Context, r pg.Reader, customer uuid.UUID, in paging.In[paging.Moment]) (paging.Page[Move, paging.Moment], error) {
	after := in.From()
	rows, err := pg.All[Move](ctx, r, `select id, customer_id, location_id, currency, kind, amount, balance, taking_id, refund_id, note, actor_kind,
			actor_name, created_at
		from credit_moves where business_id = $1 and customer_id = $2 and (not $3 or (created_at, id) < ($4, $5))
		order by created_at desc, id desc limit $6`, r.Business(), customer, in.After != nil, after.At, after.ID, in.Size()+1)
	return paging.Of(rows, in.Size(), func(m Move) paging.Moment { return paging.Moment{At: m.CreatedAt, ID: m.ID} }), err
}

// place is where credit is granted or taken back, and to whom.
type place struct{ Currency money.Currency }

// findPlace reads the currency of a location. Not found for an unknown location, and for an unknown customer.
func findPlace(ctx context.Context, tx *pg.Tx, location, customer uuid.UUID) (place, error) {
	return pg.Found(pg.One[place](ctx, tx, `select l.currency from locations l
		where l.business_id = $1 and l.id = $2 and exists (select from customers where business_id = $1 and id = $3)`,
		tx.Business(), location, customer))
}
