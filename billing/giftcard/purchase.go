package giftcard

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// A refund of the purchase of a gift card takes the amount off the card: what it has paid already cannot be refunded.

// purchase is a card that a line sold.
type purchase struct {
	LineID, CardID, LocationID uuid.UUID
	Free                       int64 // of its balance, not reserved
}

// reserved is the amount of cards g that is reserved for orders at a time.
func reserved(now string) string { return tender.ReservedSQL("g.id", "null::uuid", now) }

// lockPurchases queues the locks of the cards that lines have sold, and the reading of what is free of each.
func lockPurchases(b *pg.Batch, tx *pg.Tx, lines []uuid.UUID) *[]purchase {
	rows := new([]purchase)
	if underLock {
		pg.QueueExec(b, `select from gift_cards where business_id = $1 and id in (
				select gift_card_id from gift_card_transactions where business_id = $1 and order_line_id = any($2))
			order by id for no key update`, tx.Business(), lines)
	}
	pg.QueueAll(b, rows, `select t.order_line_id as line_id, g.id as card_id, g.location_id,
			g.balance - `+reserved("$3")+` as free
		from gift_card_transactions t join gift_cards g on g.business_id = $1 and g.id = t.gift_card_id
		where t.business_id = $1 and t.order_line_id = any($2) order by g.id`, tx.Business(), lines, tx.Now())
	return rows
}

// RefundableTx locks the cards that lines have sold, and returns by line what is left of each. A line without a card
// was not fulfilled.
func RefundableTx(ctx context.Context, tx *pg.Tx, lines []uuid.UUID) (map[uuid.UUID]int64, error) {
	b := tx.Batch()
	rows := lockPurchases(b, tx, lines)
	if err := b.Send(ctx); err != nil {
		return nil, err
	}
	left := map[uuid.UUID]int64{}
	for _, p := range *rows {
		left[p.LineID] = max(0, p.Free)
	}
	return left, nil
}

// RefundableIn queues the reading of RefundableTx for the lines of an order, without a lock: for a page, not for a
// refund.
func RefundableIn(b *pg.Batch, r pg.Reader, order uuid.UUID) func() map[uuid.UUID]int64 {
	var rows []purchase
	pg.QueueAll(b, &rows, `select t.order_line_id as line_id, g.id as card_id, g.location_id,
			g.balance - `+reserved("$3")+` as free
		from order_lines i join gift_card_transactions t on t.business_id = $1 and t.order_line_id = i.id
		join gift_cards g on g.business_id = $1 and g.id = t.gift_card_id
		where i.business_id = $1 and i.order_id = $2`, r.Business(), order, r.Now())
	return func() map[uuid.UUID]int64 {
		left := map[uuid.UUID]int64{}
		for _, p := range rows {
			left[p.LineID] = max(0, p.Free)
		}
		return left
	}
}

// ReturnTx takes the refunded amounts of lines off their cards. What a card lacks was spent although its purchase is
// refunded, as the processor's website allows: it is the studio's loss.
func ReturnTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context, lines []tender.LineRefund,
) error {
	ids := make([]uuid.UUID, len(lines))
	for i, l := range lines {
		ids[i] = l.Line
	}
	b := tx.Batch()
	rows := lockPurchases(b, tx, ids)
	if err := b.Send(ctx); err != nil || len(*rows) == 0 {
		return err
	}
	b = tx.Batch()
	var lost int64
	for _, p := range *rows {
		amount := amountOf(lines, p.LineID)
		taken := min(amount, max(0, p.Free))
		lost += amount - taken
		if taken > 0 {
			recordIn(b, tx, by, Transaction{
				CardID: p.CardID, LocationID: p.LocationID, Kind: Returned, Amount: -taken, RefundID: &refund,
			})
		}
	}
	if err := ledger.PostIn(b, tx, ledger.GiftCardLost(at, refund, lost)...); err != nil {
		return err
	}
	return b.Send(ctx)
}

func amountOf(lines []tender.LineRefund, line uuid.UUID) (sum int64) {
	for _, l := range lines {
		if l.Line == line {
			sum += l.Amount
		}
	}
	return sum
}

// RestoreTx undoes ReturnTx of a refund that failed, of this amount in all.
func RestoreTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context, lines []tender.LineRefund,
) error {
	taken, err := pg.All[struct {
		GiftCardID, LocationID uuid.UUID
		Amount                 int64
	}](ctx, tx, `select t.gift_card_id, t.location_id, -t.amount as amount from gift_card_transactions t
		where t.business_id = $1 and t.refund_id = $2 and t.kind = 'returned' order by t.gift_card_id`, tx.Business(), refund)
	if err != nil {
		return err
	}
	sold, err := RefundableTx(ctx, tx, idsOf(lines))
	if err != nil || len(sold) == 0 {
		return err
	}
	b := tx.Batch()
	var lost int64
	for _, l := range lines {
		lost += l.Amount
	}
	for _, t := range taken {
		lost -= t.Amount
		recordIn(b, tx, by, Transaction{
			CardID: t.GiftCardID, LocationID: t.LocationID, Kind: Restored, Amount: t.Amount, RefundID: &refund,
		})
	}
	if err := ledger.PostIn(b, tx, ledger.GiftCardFound(at, refund, lost)...); err != nil {
		return err
	}
	return b.Send(ctx)
}

func idsOf(lines []tender.LineRefund) []uuid.UUID {
	ids := make([]uuid.UUID, len(lines))
	for i, l := range lines {
		ids[i] = l.Line
	}
	return ids
}
