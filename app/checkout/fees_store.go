package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/policy"
)

// feesToCollect are the fees that a customer is charged for: those named, or all that are due where cover opens them. Not found for an
// unknown customer.
func feesToCollect(ctx context.Context, r pg.Reader, in CollectInput, cover policy.Cover) ([]uuid.UUID, error) {
	_, found, err := pg.Find[uuid.UUID](ctx, r, `select id from customers where business_id = $1 and id = $2`, r.Business(), in.CustomerID)
	if err = fault.When(!found, fault.Missing(), err); err != nil || len(in.PenaltyIDs) > 0 {
		return in.PenaltyIDs, err
	}
	return pg.All[uuid.UUID](ctx, r, `select id from penalties where business_id = $1 and customer_id = $2 and state = 'due' and amount > 0
		and ($3 or location_id = any($4)) order by id limit $5`, r.Business(), in.CustomerID, cover.Everywhere, cover.Locations, takeMost)
}

// openFeeOrders are the orders of fees that are not paid yet.
func openFeeOrders(ctx context.Context, r pg.Reader, fees []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select distinct o.id from penalties p
		join order_lines x on x.business_id = $1 and x.booking_id = p.booking_id and x.penalty_id = p.id
		join orders o on o.business_id = $1 and o.id = x.order_id and o.state = 'open' and o.cart_id is null
		where p.business_id = $1 and p.id = any($2) order by o.id`, r.Business(), fees)
}

func readFeePlace(ctx context.Context, r pg.Reader, f penalty.Penalty) (feePlace, error) {
	return pg.One[feePlace](ctx, r, `select o.kind, l.tax_mode, h.fee_ppm from bookings b
		join offerings o on o.business_id = $1 and o.id = b.offering_id
		join locations l on l.business_id = $1 and l.id = b.location_id
		join businesses h on h.business_id = $1
		where b.business_id = $1 and b.id = $2`, r.Business(), f.BookingID)
}

// feeOrder is the order of a fee.
type feeOrder struct {
	ID        uuid.UUID
	State     OrderState
	PenaltyID uuid.UUID
	FeeState  penalty.State
	Failed    string // why the last card could not be charged; empty: none was declined
}

// readFeeOrder reads the order of a fee by the value of its column key. found is false for an order that is none.
func readFeeOrder(ctx context.Context, r pg.Reader, key string, value any) (feeOrder, bool, error) {
	return pg.Find[feeOrder](ctx, r, `select o.id, o.state, p.id as penalty_id, p.state as fee_state, p.charge_failed as failed
		from orders o
		join order_lines x on x.business_id = $1 and x.order_id = o.id
		join penalties p on p.business_id = $1 and p.id = x.penalty_id
		where o.business_id = $1 and o.`+key+` = $2 and o.cart_id is null limit 1`, r.Business(), value)
}

// closeFeeOrder ends the open order of a locked fee. open is false when it was not open any more.
func closeFeeOrder(ctx context.Context, tx *pg.Tx, order uuid.UUID, state OrderState) (open bool, err error) {
	n, err := tx.Exec(ctx, `update orders set state = $3::varchar, settled_at = case when $3::varchar = 'void' then null else $4::timestamptz end
		where business_id = $1 and id = $2 and state = 'open'`, tx.Business(), order, state, tx.Now())
	return n > 0, err
}
