package credit

import (
	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// Source pays with account credit: tender.Source.
type Source struct{}

// Account returns the account of credit that customers have.
func (Source) Account() ledger.Account { return ledger.Credit }

// Free reads the credit that customers can use.
func (Source) Free(b *pg.Batch, r pg.Reader, requests []tender.Request) func() []tender.Available {
	var free []tender.Available
	customers, currencies, orders := columns(requests)
	pg.QueueAll(b, &free, `select `+FreeSQL("$1", "a.customer", "a.currency", "a.order_id", "$5")+` as amount,
			'' as label, null::timestamptz as ends_at
		from unnest($2::uuid[], $3::varchar[], $4::uuid[]) with ordinality as a (customer, currency, order_id, n)
		order by a.n`,
		r.Business(), customers, currencies, orders, r.Now())
	return func() []tender.Available { return free }
}

// Lock is Free, with the credits locked.
func (s Source) Lock(b *pg.Batch, tx *pg.Tx, requests []tender.Request) func() []tender.Available {
	customers, currencies, _ := columns(requests)
	pg.QueueExec(b, `select k.balance from credits k
		join unnest($2::uuid[], $3::varchar[]) as a (customer, currency)
			on k.customer_id = a.customer and k.currency = a.currency
		where k.business_id = $1 order by k.customer_id, k.currency for update of k`, tx.Business(), customers, currencies)
	// After the lock, in a statement of its own: it sees the writes of earlier holders of the lock.
	return s.Free(b, tx, requests)
}

func columns(requests []tender.Request) (customers []uuid.UUID, currencies []money.Currency, orders []*uuid.UUID) {
	for _, a := range requests {
		customers, currencies = append(customers, a.CustomerID), append(currencies, a.Currency)
		orders = append(orders, pg.OrNull(a.OrderID))
	}
	return customers, currencies, orders
}

// Spend takes the credit that a tender pays with.
func (Source) Spend(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t tender.Tender) {
	m := of(t, Spent, -t.Amount, t.Note)
	m.TenderID = &t.ID
	RecordIn(b, tx, by, m)
}

// Return makes an amount that was paid credit again, or for the first time.
func (Source) Return(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t tender.Tender, back tender.Return) {
	m := of(t, Refunded, back.Amount, back.Note)
	m.RefundID = &back.RefundID
	RecordIn(b, tx, by, m)
}

// Short is ErrShort with the credit that is free.
func (Source) Short(free int64) error { return ErrShort.With("creditAmount", free) }

// of returns a transaction of the credit of a tender's customer.
func of(t tender.Tender, kind Kind, amount int64, note string) Transaction {
	return Transaction{
		ID: pg.NewID(), CustomerID: t.CustomerID, LocationID: t.LocationID, Currency: t.Currency, Kind: kind, Amount: amount,
		Note: note,
	}
}
