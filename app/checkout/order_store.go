package checkout

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/ent/order"
)

// insertOrder writes the order of a cart whose seats are kept, with its lines, as they are priced now: nothing that is
// edited later changes it. A settled order closes its cart in the same statement.
func insertOrder(ctx context.Context, tx *pg.Tx, l loaded, id uuid.UUID, receiptHash []byte, state OrderState) error {
	n := len(l.Lines)
	lines, bookings, kinds, labels := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]string, n), make([]string, n)
	listed, taxes, ppms := make([]int64, n), make([]int64, n), make([]int64, n)
	rates, names := make([]*uuid.UUID, n), make([]string, n)
	for i, line := range l.Lines {
		lines[i], bookings[i], kinds[i], labels[i] = pg.NewID(), *line.BookingID, string(line.Kind), line.Name
		listed[i], taxes[i] = line.ListedAmount, line.TaxAmount
		if t := l.items[i].Tax; t != nil {
			rates[i], names[i], ppms[i] = &t.RateID, t.Name, t.PPM
		}
	}
	t := l.Totals
	_, err := tx.Exec(ctx, `with made as (
			insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode,
				subtotal_amount, tax_amount, service_fee_amount, total_amount, created_at, settled_at)
			values ($1, $2, $3, $4, $5, $6, $7::varchar, $8, $9, $10, $11, $12, $13, $14::timestamptz,
				case when $7::varchar = 'settled' then $14::timestamptz end)
		), closed as (
			update carts set state = 'ordered', version = version + 1, updated_at = $14
			where business_id = $2 and id = $5 and $7::varchar = 'settled'
		)
		insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, tax_amount,
			tax_rate_id, tax_name, tax_ppm)
		select x.id, $2, $1, x.booking_id, x.position, x.kind, x.label, x.listed, x.tax, x.rate_id, x.rate_name, x.ppm
		from unnest($15::uuid[], $16::uuid[], $17::varchar[], $18::varchar[], $19::bigint[], $20::bigint[], $21::uuid[],
			$22::varchar[], $23::integer[]) with ordinality
			as x (id, booking_id, kind, label, listed, tax, rate_id, rate_name, ppm, position)`,
		id, tx.Business(), l.LocationID, l.Hold.CustomerID, l.ID, receiptHash, state, t.Currency, t.TaxMode, t.SubtotalAmount,
		t.TaxAmount, t.ServiceFeeAmount, t.TotalAmount, tx.Now(),
		lines, bookings, kinds, labels, listed, taxes, rates, names, ppms)
	return err
}

// voidOrder gives an open order up. The cart is locked.
func voidOrder(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	return tx.Ent().Order.Update().
		Where(order.BusinessID(tx.Business()), order.ID(id), order.State(string(OrderOpen))).
		SetState(string(OrderVoid)).Exec(ctx)
}

// lockedOrder is an order whose cart is locked.
type lockedOrder struct {
	ID, CartID uuid.UUID
	State      OrderState
}

// lockOrder locks the cart of an order, counts a change of it, and reads the order under the lock: one round trip, two
// when somebody else was at the cart (see cartSelect).
func lockOrder(ctx context.Context, tx *pg.Tx, id uuid.UUID) (lockedOrder, error) {
	type row struct {
		lockedOrder
		Version, Seen int64
	}
	for bump := int64(1); ; bump = 0 {
		r, err := pg.One[row](ctx, tx, `with c as (
				update carts c set version = c.version + $3, updated_at = $4 from orders o
				where o.business_id = $1 and o.id = $2 and c.business_id = $1 and c.id = o.cart_id
				returning c.id, c.version
			)
			select o.id, o.cart_id, o.state, c.version, s.version as seen
			from c join carts s on s.id = c.id join orders o on o.business_id = $1 and o.id = $2`,
			tx.Business(), id, bump, tx.Now())
		if errors.Is(err, pg.ErrNoRow) {
			return lockedOrder{}, fault.Missing()
		}
		if err != nil || r.Version == r.Seen+bump {
			return r.lockedOrder, err
		}
	}
}

// closeOrder ends an open order and its cart.
func closeOrder(ctx context.Context, tx *pg.Tx, o lockedOrder, state OrderState) error {
	n, err := tx.Exec(ctx, `with closed as (
			update carts set state = 'ordered' where business_id = $1 and id = $3
		)
		update orders set state = $4, settled_at = $5 where business_id = $1 and id = $2 and state = 'open'`,
		tx.Business(), o.ID, o.CartID, state, tx.Now())
	if err == nil && n == 0 {
		err = errors.New("checkout: an order that is not open was to be closed")
	}
	return err
}
