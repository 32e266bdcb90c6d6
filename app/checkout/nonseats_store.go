package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/order"
	"foyer/app/pg"
)

// insertNonSeat writes an item without a seat into a cart.
func insertNonSeat(ctx context.Context, tx *pg.Tx, l *loaded, it order.CartItem) error {
	return tx.Ent().CartItem.Create().SetID(it.ID).SetBusinessID(tx.Business()).SetCartID(l.ID).
		SetLocationID(l.LocationID).
		SetKind(string(it.Kind)).SetNillableSubjectID(pg.OrNull(it.Subject)).SetQuantity(it.Quantity).
		SetPosition(len(l.Lines)).SetListedAmount(it.ListedAmount).SetConsentText(it.Consent).
		SetNillableConsentedAt(consentedAt(tx, it)).SetCreatedAt(tx.Now()).Exec(ctx)
}

func consentedAt(tx *pg.Tx, it order.CartItem) *time.Time {
	if it.Consent == "" {
		return nil
	}
	now := tx.Now()
	return &now
}

// setReserved queues that items are reserved for a hold, at these prices.
func setReserved(b *pg.Batch, tx *pg.Tx, hold uuid.UUID, items []*order.CartItem, amounts []int64) {
	pg.QueueExec(b, `update cart_items i set hold_id = $2, reserved_amount = x.amount
		from unnest($3::uuid[], $4::bigint[]) as x (id, amount)
		where i.business_id = $1 and i.id = x.id`, tx.Business(), hold, idsOf(items), amounts)
}

// setFree queues that items are reserved no longer.
func setFree(b *pg.Batch, tx *pg.Tx, items []uuid.UUID) {
	pg.QueueExec(b, `update cart_items set hold_id = null, reserved_amount = null where business_id = $1 and id = any($2)`,
		tx.Business(), items)
}

// soldItem is a line of an order without a seat, and whether its seller still keeps it.
type soldItem struct {
	order.SoldItem
	Reserved bool
}

// lockSoldItems queues the reading of the lines without seats of an order.
func lockSoldItems(b *pg.Batch, tx *pg.Tx, id uuid.UUID, lines *[]soldItem) {
	pg.QueueAll(b, lines, `select x.id as line_id, x.cart_item_id, x.kind, x.subject_id, x.quantity,
			i.hold_id is not null as reserved
		from order_lines x join cart_items i on i.business_id = $1 and i.id = x.cart_item_id
		where x.business_id = $1 and x.order_id = $2 order by x.position`, tx.Business(), id)
}

// endedCart is a cart with items that are reserved for a hold that has ended, or is past its time.
type endedCart struct {
	CartID, HoldID uuid.UUID
	Live           bool // the hold was not ended yet
}

// cartsEnded finds such carts.
func cartsEnded(ctx context.Context, v *pg.View) ([]endedCart, error) {
	return pg.All[endedCart](ctx, v, `select distinct i.cart_id, h.id as hold_id, h.state = 'live' as live
		from cart_items i
		join holds h on h.business_id = $1 and h.id = i.hold_id
		where i.business_id = $1 and i.hold_id is not null and (h.state <> 'live' or h.expires_at <= $2)
		order by i.cart_id limit 200`, v.Business(), v.Now())
}

// lockEnded locks a cart and reads its items that are reserved for a hold that has ended.
func lockEnded(ctx context.Context, tx *pg.Tx, cart uuid.UUID) ([]*order.CartItem, error) {
	var rows []struct {
		ID   uuid.UUID
		Kind order.Kind
	}
	b := tx.Batch()
	pg.QueueExec(b, `select id from carts where business_id = $1 and id = $2 for no key update`, tx.Business(), cart)
	pg.QueueAll(b, &rows, `select i.id, i.kind from cart_items i
		join holds h on h.business_id = $1 and h.id = i.hold_id
		where i.business_id = $1 and i.cart_id = $2 and h.state <> 'live'`, tx.Business(), cart)
	err := b.Send(ctx)
	items := make([]*order.CartItem, len(rows))
	for i, r := range rows {
		items[i] = &order.CartItem{ID: r.ID, Kind: r.Kind}
	}
	return items, err
}
