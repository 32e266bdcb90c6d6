package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/tender"
)

// FulfilledSQL fulfils the open order @order as a part of a statement, if its table kept has a row.
const FulfilledSQL = `closed as (
		update orders o set state = 'fulfilled', fulfilled_at = @now from kept where o.business_id = @business and o.id = @order and o.state = 'open'
	), ` + tender.CapturedSQL

// EndedSQL ends the open order @order in @state as a part of a statement; its table ended has a row if it was open.
const EndedSQL = `ended as (
		update orders set state = @state::varchar, fulfilled_at = case when @state::varchar = 'void' then null else @now::timestamptz end
		where business_id = @business and id = @order and state = 'open' returning id
	), ` + tender.EndedSQL

// End ends an open order; what it sells is locked. open is false if it was no longer open.
func End(ctx context.Context, tx *pg.Tx, order uuid.UUID, state State) (open bool, err error) {
	return pg.One[bool](ctx, tx, `with `+EndedSQL+` select exists (select from ended)`, Ending(tx, order, state))
}

// Ending returns the arguments of EndedSQL.
func Ending(tx *pg.Tx, order uuid.UUID, state State) pg.Named {
	return pg.Named{"business": tx.Business(), "now": tx.Now(), "order": order, "state": state}
}

// SetChargeFailed writes the code of a failed charge of a saved card for an open order, or that it is tried again.
// news is false if that was known.
func SetChargeFailed(ctx context.Context, tx *pg.Tx, order uuid.UUID, why string) (news bool, err error) {
	n, err := tx.Exec(ctx, `update orders set charge_failed = $3::varchar where business_id = $1 and id = $2 and state = 'open'
		and case when $3 = '' then charge_failed <> '' else charge_failed = '' end`, tx.Business(), order, why)
	return n > 0, err
}
