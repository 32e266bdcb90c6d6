package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/ent/cartitem"
)

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
