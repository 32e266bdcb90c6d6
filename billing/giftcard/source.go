package giftcard

import (
	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// Source pays with gift cards: tender.Source.
type Source struct{}

// Account returns the account of what gift cards are worth.
func (Source) Account() ledger.Account { return ledger.GiftCards }

// freeSQL is the amount of cards g that an order, which may be null, can use at a time in a currency. All arguments are
// SQL expressions.
func freeSQL(order, currency, now string) string {
	return `case when g.state = 'active' and g.currency = ` + currency + ` and (g.deliver_at is null or g.deliver_at <= ` +
		now + `)
			and (g.expires_at is null or g.expires_at > ` + now + `)
		then greatest(0, g.balance - ` + tender.ReservedSQL("g.id", order, now) + `) else 0 end`
}

// Free reads what orders can use of cards.
func (Source) Free(b *pg.Batch, r pg.Reader, requests []tender.Request) func() []tender.Available {
	var free []tender.Available
	ids, currencies, orders := columns(requests)
	pg.QueueAll(b, &free, `select coalesce(`+freeSQL("a.order_id", "a.currency", "$5")+`, 0)::bigint as amount,
			'•••• ' || coalesce(g.last4, '') as label, g.expires_at as ends_at
		from unnest($2::uuid[], $3::varchar[], $4::uuid[]) with ordinality as a (id, currency, order_id, n)
		left join gift_cards g on g.business_id = $1 and g.id = a.id
		order by a.n`,
		r.Business(), ids, currencies, orders, r.Now())
	return func() []tender.Available { return free }
}

// Lock is Free, with the cards locked.
func (s Source) Lock(b *pg.Batch, tx *pg.Tx, requests []tender.Request) func() []tender.Available {
	ids, _, _ := columns(requests)
	lockIn(b, tx, ids)
	// After the lock, in a statement of its own: it sees the writes of earlier holders of the lock.
	return s.Free(b, tx, requests)
}

// lockIn queues the locks of cards, in the order of their ids.
func lockIn(b *pg.Batch, tx *pg.Tx, ids []uuid.UUID) {
	if !underLock {
		return
	}
	pg.QueueExec(b, `select from gift_cards where business_id = $1 and id = any($2) order by id for no key update`,
		tx.Business(), ids)
}

func columns(requests []tender.Request) (ids []uuid.UUID, currencies []money.Currency, orders []*uuid.UUID) {
	for _, a := range requests {
		ids, currencies = append(ids, a.SourceID), append(currencies, a.Currency)
		orders = append(orders, pg.OrNull(a.OrderID))
	}
	return ids, currencies, orders
}

// Spend takes what a tender pays off its card.
func (Source) Spend(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t tender.Tender) {
	recordIn(b, tx, by, Transaction{
		CardID: t.SourceID, LocationID: t.LocationID, Kind: Spent, Amount: -t.Amount, TenderID: &t.ID, Note: t.Note,
	})
}

// Return refunds an amount to the card that paid it. A card that has expired can be used for three months more.
func (Source) Return(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t tender.Tender, back tender.Return) {
	pg.QueueExec(b, `update gift_cards set expires_at = $3::timestamptz + interval '3 months'
		where business_id = $1 and id = $2 and expires_at < $3::timestamptz + interval '3 months'
			and expires_at <= $3`, tx.Business(), t.SourceID, tx.Now())
	recordIn(b, tx, by, Transaction{
		CardID: t.SourceID, LocationID: t.LocationID, Kind: Refunded, Amount: back.Amount, RefundID: &back.RefundID,
		Note: back.Note,
	})
}

// Short is ErrUnusable for a card with nothing to use, and ErrShort with what is free of another one.
func (Source) Short(free int64) error {
	if free == 0 {
		return ErrUnusable
	}
	return ErrShort.With("balance", free)
}

// recordIn queues a change of a card that is locked, or is locked by it. It fails if the balance would be negative.
func recordIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t Transaction) {
	pg.QueueExec(b, `with changed as (
			update gift_cards set balance = balance + @amount, updated_at = @now
			where business_id = @business and id = @card returning balance
		)
		insert into gift_card_transactions (id, business_id, gift_card_id, location_id, kind, amount, balance, tender_id,
			refund_id, note, actor_kind, actor_id, actor_name, created_at)
		values (@id, @business, @card, @location, @kind, @amount, (select balance from changed), @tender, @refund, @note,
			@actor_kind, @actor, @actor_name, @now)`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "card": t.CardID, "location": t.LocationID, "kind": t.Kind,
		"amount": t.Amount, "tender": t.TenderID, "refund": t.RefundID, "note": t.Note, "actor_kind": by.Kind,
		"actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
}
