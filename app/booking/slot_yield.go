package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Span is a time of an appointment or a rental that a cart asks for.
type Span struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int
}

// YieldTx ends what keeps this customer from a time they keep themselves: the cart's own hold, when it is over, and other
// carts' holds of the same offering at an overlapping time. A hold that is being paid for stays. Seats of classes move
// from cart to cart in HoldTx; a time has claims of its own and must be let go before it can be placed again.
//
// The caller holds the locks of the cart and of the customer.
func YieldTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, cart, customer uuid.UUID, spans []Span) error {
	over, others, err := yielding(ctx, tx, cart, customer, spans)
	if err != nil || len(over)+len(others) == 0 {
		return err
	}
	return makeWay(ctx, tx, sc, Hold{}, over, others, nil)
}
