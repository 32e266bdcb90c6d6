package owed

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/pg"
)

// openFeeOrders returns the unpaid orders of fees.
func openFeeOrders(ctx context.Context, r pg.Reader, feeList []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select distinct o.id from fees p
		join order_lines x on x.business_id = $1 and x.booking_id = p.booking_id and x.fee_id = p.id
		join orders o on o.business_id = $1 and o.id = x.order_id and o.state = 'open' and o.cart_id is null
		where p.business_id = $1 and p.id = any($2) order by o.id`, r.Business(), feeList)
}

// feeCategorySQL is the revenue category of a fee of booking b of offering f: that of the booking's first sale, or of
// the sale of its course. A booking that is in no order has the offering's. Its $1 is the business.
const feeCategorySQL = `(select x.revenue_category_id from (
			select x.revenue_category_id, 0 as later, o.created_at, x.position
			from order_lines x join orders o on o.business_id = $1 and o.id = x.order_id and o.state = 'fulfilled'
			where x.business_id = $1 and x.fee_id is null and x.booking_id in (select b.id union select g.id from bookings g
				where ` + order.InCourseSQL + ` and g.business_id = $1 and g.group_id = b.group_id)
			union all select f.revenue_category_id, 1, null, null
		) x order by x.later, x.created_at, x.position limit 1)`

func readFeePlace(ctx context.Context, r pg.Reader, f fees.Fee) (feePlace, error) {
	return pg.One[feePlace](ctx, r, `select f.kind, `+feeCategorySQL+` as revenue_category_id, l.tax_mode, h.fee_ppm
		from bookings b
		join offerings f on f.business_id = $1 and f.id = b.offering_id
		join locations l on l.business_id = $1 and l.id = b.location_id
		join businesses h on h.business_id = $1
		where b.business_id = $1 and b.id = $2`, r.Business(), f.BookingID)
}

// dueOrder is an order without a cart to be paid by card: of a fee, or of prices of bookings.
type dueOrder struct {
	ID       uuid.UUID
	State    order.State
	FeeID    uuid.UUID  `db:",null"` // uuid.Nil: prices
	FeeState fees.State `db:",null"`
	Failed   string     // the code of the last failed charge; empty: none failed
}

// readDueOrder reads such an order by the value of its column key. found is false for one with a cart.
func readDueOrder(ctx context.Context, r pg.Reader, key string, value any) (dueOrder, bool, error) {
	return pg.Find[dueOrder](ctx, r, `select o.id, o.state, p.id as fee_id, p.state as fee_state,
			coalesce(p.charge_failed, o.charge_failed) as failed
		from orders o
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		left join fees p on p.business_id = $1 and p.id = x.fee_id
		where o.business_id = $1 and o.`+key+` = $2 and o.cart_id is null order by x.position limit 1`, r.Business(), value)
}

// customerOfOrder returns the customer of an order, if that is the person.
func customerOfOrder(ctx context.Context, r pg.Reader, person, orderID uuid.UUID) (uuid.UUID, bool, error) {
	return pg.Find[uuid.UUID](ctx, r, `select c.id from orders o join customers c on c.business_id = $1 and c.id = o.customer_id
		where o.business_id = $1 and o.id = $2 and c.person_id = $3`, r.Business(), orderID, person)
}
