package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
)

// The column fee_return of a dispute: null, nothing was asked; asked; the processor's id of what was returned; or nothing was.
const (
	feeAsked   = "asked"
	feeNothing = "none"
)

type lost struct {
	ID        uuid.UUID
	PaymentID uuid.UUID
	Amount    int64
}

// lostDispute locks a dispute of a payment of ours that was lost and of which nobody has asked the fee back.
func lostDispute(ctx context.Context, tx *pg.Tx, env Env, account, external string) (lost, bool, error) {
	return pg.Find[lost](ctx, tx, `select id, payment_id, amount from disputes where business_id = $1 and env = $2 and account = $3 and external_id = $4
		and status = 'lost' and payment_id is not null and fee_return is null for update`, tx.Business(), env, account, external)
}

// wentBack is what of a payment went back, or is on its way, and what of its fee did with that.
type wentBack struct{ Refunded, Returned int64 }

func wentBackOf(ctx context.Context, tx *pg.Tx, payment uuid.UUID) (wentBack, error) {
	return pg.One[wentBack](ctx, tx, `select coalesce(sum(x.amount), 0)::bigint as refunded, coalesce(sum(x.fee_amount), 0)::bigint as returned from (
			select amount, fee_amount from refunds where business_id = $1 and payment_id = $2 and state not in ('failed', 'canceled')
			union all
			select 0, fee_amount from disputes where business_id = $1 and payment_id = $2) x`, tx.Business(), payment)
}

func askFeeBack(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, amount int64) error {
	state := feeAsked
	if amount == 0 {
		state = feeNothing
	}
	_, err := tx.Exec(ctx, `update disputes set fee_amount = $3, fee_return = $4, updated_at = $5 where business_id = $1 and id = $2`,
		tx.Business(), dispute, amount, state, tx.Now())
	return err
}

// toReturn is a fee that was asked for, with where it is.
type toReturn struct {
	Env       Env
	AccountID string `db:"account"`
	IntentID  string `db:"intent"`
	Amount    int64
	Currency  money.Currency
}

func feeToReturn(ctx context.Context, r pg.Reader, dispute uuid.UUID) (toReturn, bool, error) {
	return pg.Find[toReturn](ctx, r, `select p.env, p.account, p.intent, d.fee_amount as amount, p.currency
		from disputes d join payments p on p.business_id = $1 and p.id = d.payment_id
		where d.business_id = $1 and d.id = $2 and d.fee_return = 'asked'`, r.Business(), dispute)
}

// feesAsked are the disputes of an account whose fee was asked for and has not been returned.
func feesAsked(ctx context.Context, r pg.Reader, env Env, account string) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select id from disputes where business_id = $1 and env = $2 and account = $3 and fee_return = 'asked' order by id`,
		r.Business(), env, account)
}

func feeReturned(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, id string) error {
	_, err := tx.Exec(ctx, `update disputes set fee_return = $3, updated_at = $4 where business_id = $1 and id = $2 and fee_return = 'asked'`,
		tx.Business(), dispute, id, tx.Now())
	return err
}

func feeNotReturned(ctx context.Context, tx *pg.Tx, dispute uuid.UUID) error {
	_, err := tx.Exec(ctx, `update disputes set fee_return = $3, fee_amount = 0, updated_at = $4 where business_id = $1 and id = $2 and fee_return = 'asked'`,
		tx.Business(), dispute, feeNothing, tx.Now())
	return err
}

// FeeAfterLossSQL is what of the platform fee of a payment came back, or is on its way, because disputes were lost. Business and payment
// are SQL.
func FeeAfterLossSQL(business, payment string) string {
	return `coalesce((select sum(d.fee_amount) from disputes d where d.business_id = ` + business + ` and d.payment_id = ` + payment + `), 0)`
}
