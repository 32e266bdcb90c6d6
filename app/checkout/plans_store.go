package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/ent/cartitem"
)

// holderSQL is the customer who holds a cart; null while none does.
const holderSQL = `(select h.customer_id from holds h where h.cart_id = cart.id and h.state = 'live')`

// offersSQL are the possible discounts of a cart at the time $2. Those for members are for its holder, as plans pay for
// held seats only: the price that a visitor accepts does not change by their sign-in before it is held.
var offersSQL = discount.Candidates("cart", "$2", func(plans string) string {
	return plan.MemberSQL(holderSQL, plans, "$2")
})

// setPlan writes the choice of what pays for an item of a locked cart.
func setPlan(ctx context.Context, tx *pg.Tx, item uuid.UUID, c PlanChoice) error {
	u := tx.Ent().CartItem.Update().Where(cartitem.BusinessID(tx.Business()), cartitem.ID(item)).
		SetPaysPrice(c.PaysPrice)
	if c.GrantID == uuid.Nil {
		return u.ClearGrantID().Exec(ctx)
	}
	known, err := plan.GrantKnown(ctx, tx, c.GrantID)
	if err != nil || !known {
		return fault.When(err == nil, fault.Missing(), err)
	}
	return u.SetGrantID(c.GrantID).Exec(ctx)
}
