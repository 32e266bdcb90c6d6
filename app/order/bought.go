package order

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Bought summarizes an order: its first booking, and the number of further ones.
type Bought struct {
	OrderID      uuid.UUID
	BookingID    uuid.UUID
	CustomerName string // may be empty
	OfferingName string
	StartsAt     time.Time
	Zone         string
	More         int
}

// boughtMost is the maximum number of orders in a call of Bought.
const boughtMost = 1000

// Bought returns the summaries of orders, by order. One without a booking is left out. It needs booking.view in the
// whole business. It returns a validation error on orders.
func (s *Service) Bought(ctx context.Context, sc tenancy.Scope, orders []uuid.UUID) (map[uuid.UUID]Bought, error) {
	if err := policy.Require(sc, policy.BookingView); err != nil {
		return nil, err
	}
	if len(orders) > boughtMost {
		return nil, fault.Invalid("orders", "Pass 1 to 1000 orders.")
	}
	out := make(map[uuid.UUID]Bought, len(orders))
	if len(orders) == 0 {
		return out, nil
	}
	rows, err := readBought(ctx, s.db.View(sc.Tenant), orders)
	for _, b := range rows {
		out[b.OrderID] = b
	}
	return out, err
}
