package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// BalancesDue finds bookings with a balance due that is now to be charged to a saved card
// (catalog.DepositRules.BalanceDueFrom), in all businesses.
func BalancesDue(ctx context.Context, db *pg.DB, most int) ([]pg.Keyed, error) {
	none := db.View(uuid.Nil)
	return pg.All[pg.Keyed](ctx, none, `select business_id, id from app.due_balances($1, $2)`, none.Now(), most)
}

// ClaimBalanceTx records that the balances due of locked bookings have had their turn: a balance is charged
// automatically once. turn is false if all of them had it before.
func ClaimBalanceTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (turn bool, err error) {
	n, err := tx.Exec(ctx, `update bookings set balance_requested_at = $3 where business_id = $1 and id = any($2) and balance_requested_at is null`,
		tx.Business(), ids, tx.Now())
	return n > 0, err
}
