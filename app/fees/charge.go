package fees

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// DueToCharge finds fees that are now to be charged, in all businesses.
func DueToCharge(ctx context.Context, db *pg.DB, most int) ([]pg.Keyed, error) {
	none := db.View(uuid.Nil)
	return pg.All[pg.Keyed](ctx, none, `select business_id, id from app.due_fees($1, $2)`, none.Now(), most)
}

// ClaimTx locks a fee that is now to be charged, unless another transaction has it, and records that it had its turn.
// found is false for one that is not due any more.
func ClaimTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) (p Fee, found bool, err error) {
	p, found, err = pg.Find[Fee](ctx, tx, feeColumns+` from fees x`+feeJoins+`
		where x.business_id = $1 and x.id = $2 and x.charge_at <= $3 for update of x skip locked`, tx.Business(), id, tx.Now())
	if err != nil || !found {
		return Fee{}, false, err
	}
	return p, p.State == Due, ChargingTx(ctx, tx, []uuid.UUID{id})
}

// ChargingTx records that locked fees are about to be charged: no other automatic charge follows.
func ChargingTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `update fees set charge_at = null, charge_failed = '', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2)`, tx.Business(), ids, tx.Now())
	return err
}

// DeclinedTx records the decline code of a charge for fees, as far as they are due still and have none.
func DeclinedTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID, code string) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `update fees set charge_failed = $3, version = version + 1, updated_at = $4
		where business_id = $1 and id = any($2) and state = 'due' and charge_failed = ''`, tx.Business(), ids, code, tx.Now())
	return err
}
