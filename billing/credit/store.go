package credit

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// The two statements that change a customer's credit. Postgres checks the row to insert before it finds the existing
// row, so that one statement cannot do both.
const (
	more = `insert into credits (business_id, customer_id, currency, balance, updated_at) values (@business, @customer, @currency, @amount, @now)
			on conflict (business_id, customer_id, currency) do update set balance = credits.balance + excluded.balance, updated_at = excluded.updated_at
			returning balance`
	less = `update credits set balance = balance + @amount, updated_at = @now
			where business_id = @business and customer_id = @customer and currency = @currency returning balance`
)

// RecordIn queues a credit transaction, behind its tender or refund. It fails if the balance would be
// negative: the caller has checked the balance with LockTx.
func RecordIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, m Transaction) {
	var actor *uuid.UUID
	if by.ID != uuid.Nil {
		actor = &by.ID
	}
	change := more
	if m.Amount < 0 {
		change = less
	}
	pg.QueueExec(b, `with changed as (`+change+`)
		insert into credit_transactions (id, business_id, customer_id, location_id, currency, kind, amount, balance,
			tender_id, refund_id, note, actor_kind,
			actor_id, actor_name, created_at)
		values (@id, @business, @customer, @location, @currency, @kind, @amount, (select balance from changed), @tender,
			@refund, @note, @actor_kind,
			@actor, @actor_name, @now)`, pg.Named{
		"id": m.ID, "business": tx.Business(), "customer": m.CustomerID, "location": m.LocationID, "currency": m.Currency, "kind": m.Kind,
		"amount": m.Amount, "tender": m.TenderID, "refund": m.RefundID, "note": m.Note, "actor_kind": by.Kind, "actor": actor,
		"actor_name": by.Name, "now": tx.Now(),
	})
}

// lock locks a customer's credit in a currency against other changes and reservations. free is the part of the balance
// that is not reserved.
func lock(
	ctx context.Context, tx *pg.Tx, customer uuid.UUID, currency money.Currency,
) (balance, free int64, err error) {
	var found bool
	b := tx.Batch()
	read := Source{}.Lock(b, tx, []tender.Request{{CustomerID: customer, Currency: currency}})
	pg.QueueOne(b, &balance, &found, `select balance from credits
		where business_id = $1 and customer_id = $2 and currency = $3`,
		tx.Business(), customer, currency)
	if err := b.Send(ctx); err != nil {
		return 0, 0, err
	}
	return balance, read()[0].Amount, nil
}

// reservedSQL is the amount of credits k reserved at a time for orders except one.
func reservedSQL(order, now string) string {
	return `coalesce((select sum(t.amount) from orders u
		join order_tenders t on t.business_id = u.business_id and t.order_id = u.id and t.kind = 'account_credit'
			and t.state = 'authorized' and t.expires_at > ` + now + `
		where u.business_id = k.business_id and u.customer_id = k.customer_id and u.currency = k.currency and u.state = 'open'
			and u.id is distinct from ` + order + `), 0)::bigint`
}

// FreeSQL is the credit that a customer can use at a time for an order, which may be null: all of it that is not
// reserved for others. All arguments are SQL expressions.
func FreeSQL(business, customer, currency, order, now string) string {
	return `coalesce((select greatest(0, k.balance - ` + reservedSQL(order, now) + `) from credits k
		where k.business_id = ` + business + ` and k.customer_id = ` + customer + ` and k.currency = ` + currency + `), 0)::bigint`
}

// FreeOf reads the credit that a person can use here. The person need not be a customer yet.
func FreeOf(ctx context.Context, r pg.Reader, person uuid.UUID, currency money.Currency) (int64, error) {
	return pg.One[int64](ctx, r, `select coalesce(sum(`+FreeSQL("c.business_id", "c.id", "$3", "null::uuid", "$4")+`), 0)::bigint
		from customers c where c.business_id = $1 and c.person_id = $2`, r.Business(), person, currency, r.Now())
}

// Balance is a customer's credit in one currency.
type Balance struct {
	Currency money.Currency
	Balance  int64
}

// Of reads a customer's credit, in every currency with a credit transaction.
func Of(ctx context.Context, r pg.Reader, customer uuid.UUID) ([]Balance, error) {
	return pg.All[Balance](ctx, r, `select currency, balance from credits where business_id = $1 and customer_id = $2 order by currency`,
		r.Business(), customer)
}

// Transactions reads a customer's credit transactions, the latest first.
func Transactions(ctx context.Context, r pg.Reader, customer uuid.UUID, in paging.In[paging.Moment]) (paging.Page[Transaction, paging.Moment], error) {
	after := in.From()
	rows, err := pg.All[Transaction](ctx, r, `select id, customer_id, location_id, currency, kind, amount, balance,
		tender_id, refund_id, note, actor_kind,
			actor_name, created_at
		from credit_transactions where business_id = $1 and customer_id = $2 and (not $3 or (created_at, id) < ($4, $5))
		order by created_at desc, id desc limit $6`, r.Business(), customer, in.After != nil, after.At, after.ID, in.Size()+1)
	return paging.Of(rows, in.Size(), func(m Transaction) paging.Moment { return paging.Moment{At: m.CreatedAt, ID: m.ID} }), err
}

// place is the location of a grant or removal.
type place struct{ Currency money.Currency }

// findPlace reads the currency of a location. It returns a not found error for an unknown location or customer.
func findPlace(ctx context.Context, tx *pg.Tx, location, customer uuid.UUID) (place, error) {
	return pg.Found(pg.One[place](ctx, tx, `select l.currency from locations l
		where l.business_id = $1 and l.id = $2 and exists (select from customers where business_id = $1 and id = $3)`,
		tx.Business(), location, customer))
}
