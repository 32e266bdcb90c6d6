package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// booked is a booking that was confirmed, with the parts of its receipt that the cart lacks.
type booked struct {
	BookingID        uuid.UUID     `db:",null"` // none, of a cart without seats
	State            booking.State `db:",null"`
	StartsAt, EndsAt time.Time     `db:",null"`
	Rules            catalog.Rules
	Version          int64  `db:",null"`
	CustomerName     string `db:",null"`
	business.Address
	Accent, Website string
}

// settlingFree sells a cart that costs nothing now, and settlingCredit one that account credit pays.
var settlingFree, settlingCredit = pg.Hot(settling("")), settling(tender.InsertSQL + ", ")

// settling closes a cart and writes its order, with more beside it, if the cart is as it was read.
func settling(more string) string {
	return `with going as (
		update carts set state = 'ordered', version = version + 1, updated_at = @now
		where id = @cart and version = @seen and state = 'open' returning id
	), ` + order.InsertSQL + `, ` + more + booking.SeatsConfirmed + `, due as (select from going), ` + jobs.Enqueued + `
	select m.id as booking_id, m.state, m.starts_at, m.ends_at, coalesce(m.policy, 'null') as rules, m.version, c.name as customer_name,
		l.street, l.city, l.region, l.postal_code, l.country, l.accent, l.website
	from (select app.must(exists (select from kept)
		and (select count(*) from moved) = cardinality(@ids::uuid[]))) as all_of_them
	left join moved m on true
	left join customers c on c.id = m.customer_id
	left join locations l on l.id = @location`
}

// settleIn queues the sale of a cart without a card payment: it is closed, its order written, its seats are confirmed
// and its confirmation is mailed. All of that, or pg.ErrUnmet, if the cart is not as it was read or its hold has
// expired.
func (s *Service) settleIn(
	b *pg.Batch, tx *pg.Tx, sc tenancy.Scope, l loaded, orderID uuid.UUID, receiptHash []byte, sold *[]booked,
) error {
	draft, sql := l.sale(orderID, receiptHash, order.Fulfilled), settlingFree
	if draft.Tendered() {
		sql = settlingCredit
	}
	args, err := jobs.Enqueuing(tx, order.ConfirmationJob{Business: tx.Business(), Order: orderID},
		booking.ConfirmingSeats(tx, sc, *l.Hold, orderID, draft.Args(tx)))
	args["seen"] = l.Version
	pg.QueueAll(b, sold, sql, args)
	if seen := l.using(); len(seen) > 0 {
		plan.UseSeen(b, tx, sc.Actor, orderID, seen)
	}
	s.handOut(b, tx, l.toPay(orderID), draft.Items())
	return err
}

// lockedOrder is an order whose cart is locked.
type lockedOrder struct {
	ID         uuid.UUID
	CartID     *uuid.UUID // nil: of no cart, and nothing is locked
	State      order.State
	LocationID uuid.UUID
	CustomerID uuid.UUID
	Currency   money.Currency
	Prepaid    []tender.Prepaid // paid with what the customer has with the studio
	Planned    bool             // a plan pays for one of its seats
}

// lockOrder queues that the cart of an order is locked, with a change of it counted, and that the order is read under
// the lock.
func lockOrder(b *pg.Batch, tx *pg.Tx, id uuid.UUID, o *lockedOrder, found *bool) {
	pg.QueueExec(b, `update carts c set version = c.version + 1, updated_at = $3 from orders o
		where o.business_id = $1 and o.id = $2 and c.business_id = $1 and c.id = o.cart_id`, tx.Business(), id, tx.Now())
	pg.QueueOne(b, o, found, `select o.id, o.cart_id, o.state, o.location_id, o.customer_id, o.currency,
		agreed.prepaid, exists (select from order_lines x where x.business_id = $1 and x.order_id = o.id
			and x.grant_id is not null) as planned
		from orders o `+tender.AgreedSQL("o")+`where o.business_id = $1 and o.id = $2`, tx.Business(), id)
}

// settled is beside booking.ConfirmTx: the order and its cart are closed, and the confirmation is mailed.
const settled = `, ` + order.FulfilledSQL + `, done as (
		update carts c set state = 'ordered' from kept where c.business_id = @business and c.id = @cart
	), due as (select from kept), ` + jobs.Enqueued

// closeOrder ends an open order and its cart.
func closeOrder(ctx context.Context, tx *pg.Tx, o lockedOrder, state order.State) error {
	args := order.Ending(tx, o.ID, state)
	args["cart"] = o.CartID
	open, err := pg.One[bool](ctx, tx, `with done as (
			update carts set state = 'ordered' where business_id = @business and id = @cart
		), `+order.EndedSQL+` select exists (select from ended)`, args)
	if err == nil && !open {
		err = errors.New("checkout: an order that is not open was to be closed")
	}
	return err
}
