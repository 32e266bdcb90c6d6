package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// The column fee_return of a dispute and of a refund: null, no refund; asked: requested; the processor's id of the
// fee refund; or nothing.
const (
	feeRequested = "asked"
	feeNothing   = "none"
)

// FeeCause is the cause of a fee refund: the row of a refund or a dispute that was made without us, in the words of
// the package that writes it. Read selects payment_id, env, account, intent, amount and currency of the payment by
// business ($1) and ID ($2) while a refund of its fee is requested; Write writes the amount ($3) and the state ($4) of
// it at a time ($5), if its state is $6.
type FeeCause struct {
	ID          uuid.UUID
	What        string // in the log
	Read, Write string
}

func (j ReturnFeeJob) cause() FeeCause {
	return FeeCause{j.Refund, "refund",
		`select p.id as payment_id, p.env, p.account, p.intent, r.fee_later_amount as amount, p.currency
			from refunds r join payments p on p.business_id = $1 and p.id = r.payment_id
			where r.business_id = $1 and r.id = $2 and r.fee_return = 'asked'`,
		`update refunds set fee_later_amount = $3, fee_return = $4, updated_at = $5
			where business_id = $1 and id = $2 and fee_return is not distinct from $6::varchar`}
}

// refundTotals is the amount of a payment refunded to the card or being refunded, and the part of its fee refunded in
// all.
type refundTotals struct{ Refunded, Returned int64 }

// refundTotalsOf adds it up; with the id of a refund, Refunded is the amount before that one.
func refundTotalsOf(ctx context.Context, r pg.Reader, payment, before uuid.UUID) (refundTotals, error) {
	return pg.One[refundTotals](ctx, r, `select coalesce(sum(x.amount), 0)::bigint as refunded,
			coalesce(sum(x.fee), 0)::bigint as returned from (
			select case when `+CountsSQL("refunds")+` and destination = 'original' and ($3::uuid is null or (created_at, id) <
						(select b.created_at, b.id from refunds b where b.business_id = $1 and b.id = $3)) then amount else 0 end as amount,
				fee_later_amount + case when `+CountsSQL("refunds")+` then fee_amount else 0 end as fee
			from refunds where business_id = $1 and payment_id = $2
			union all
			select 0, fee_amount from disputes where business_id = $1 and payment_id = $2) x`, r.Business(), payment, pg.OrNull(before))
}

// requestFeeRefund writes the fee refund of a cause, unless it has one.
func requestFeeRefund(ctx context.Context, tx *pg.Tx, of FeeCause, amount int64) (bool, error) {
	state := feeRequested
	if amount == 0 {
		state = feeNothing
	}
	n, err := tx.Exec(ctx, of.Write, tx.Business(), of.ID, amount, state, tx.Now(), nil)
	return n > 0, err
}

// toReturn is a requested fee refund.
type toReturn struct {
	PaymentID uuid.UUID
	Env       processor.Env
	AccountID string `db:"account"`
	IntentID  string `db:"intent"`
	Amount    int64
	Currency  money.Currency
}

func feeToReturn(ctx context.Context, r pg.Reader, of FeeCause) (toReturn, bool, error) {
	return pg.Find[toReturn](ctx, r, of.Read, r.Business(), of.ID)
}

// requestedFeeRefunds returns the refunds of an account's payments with a requested and unfinished refund of the fee.
func requestedFeeRefunds(ctx context.Context, r pg.Reader, env processor.Env, account string) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select r.id from refunds r join payments p on p.business_id = $1 and p.id = r.payment_id
		where r.business_id = $1 and r.fee_return = 'asked' and p.env = $2 and p.account = $3 order by r.id`,
		r.Business(), env, account)
}

// feeReturned writes the result of a requested fee refund; the zero value: nothing was refunded.
func feeReturned(ctx context.Context, tx *pg.Tx, of FeeCause, got processor.FeeReturned) error {
	state := got.ID
	if state == "" {
		state = feeNothing
	}
	_, err := tx.Exec(ctx, of.Write, tx.Business(), of.ID, got.Amount, state, tx.Now(), feeRequested)
	return err
}

// FeeLaterSQL is the part of a payment's platform fee that was refunded, or is being refunded, because of a refund or
// dispute without us. Business and payment are SQL.
func FeeLaterSQL(business, payment string) string {
	return `(coalesce((select sum(d.fee_amount) from disputes d where d.business_id = ` + business + ` and d.payment_id = ` + payment + `), 0)
		+ coalesce((select sum(f.fee_later_amount) from refunds f where f.business_id = ` + business + ` and f.payment_id = ` + payment + `), 0))`
}
