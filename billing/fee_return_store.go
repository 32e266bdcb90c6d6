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

// feeCause is the cause of a fee refund: a row, with its SELECT, and the UPDATE of its state to another ($6).
type feeCause struct {
	id          uuid.UUID
	what        string
	read, write string
}

func (j ReturnFeeJob) cause() feeCause {
	if j.Refund != uuid.Nil {
		return feeCause{j.Refund, "refund",
			`select p.id as payment_id, p.env, p.account, p.intent, r.fee_later_amount as amount, p.currency
				from refunds r join payments p on p.business_id = $1 and p.id = r.payment_id
				where r.business_id = $1 and r.id = $2 and r.fee_return = 'asked'`,
			`update refunds set fee_later_amount = $3, fee_return = $4, updated_at = $5
				where business_id = $1 and id = $2 and fee_return is not distinct from $6::varchar`}
	}
	return feeCause{j.Dispute, "dispute",
		`select p.id as payment_id, p.env, p.account, p.intent, d.fee_amount as amount, p.currency
			from disputes d join payments p on p.business_id = $1 and p.id = d.payment_id
			where d.business_id = $1 and d.id = $2 and d.fee_return = 'asked'`,
		`update disputes set fee_amount = $3, fee_return = $4, updated_at = $5
			where business_id = $1 and id = $2 and fee_return is not distinct from $6::varchar`}
}

type lost struct {
	ID        uuid.UUID
	PaymentID uuid.UUID
	Amount    int64
}

// lostDispute locks a lost dispute of a payment of ours without a fee refund.
func lostDispute(ctx context.Context, tx *pg.Tx, env processor.Env, account, external string) (lost, bool, error) {
	return pg.Find[lost](ctx, tx, `select id, payment_id, amount from disputes where business_id = $1 and env = $2 and account = $3 and external_id = $4
		and status = 'lost' and payment_id is not null and fee_return is null for update`, tx.Business(), env, account, external)
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
			select 0, fee_amount from disputes where business_id = $1 and payment_id = $2) x`, r.Business(), payment, orNone(before))
}

// requestFeeRefund writes the fee refund of a cause, unless it has one.
func requestFeeRefund(ctx context.Context, tx *pg.Tx, of feeCause, amount int64) (bool, error) {
	state := feeRequested
	if amount == 0 {
		state = feeNothing
	}
	n, err := tx.Exec(ctx, of.write, tx.Business(), of.id, amount, state, tx.Now(), nil)
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

func feeToReturn(ctx context.Context, r pg.Reader, of feeCause) (toReturn, bool, error) {
	return pg.Find[toReturn](ctx, r, of.read, r.Business(), of.id)
}

// requestedFeeRefunds returns the requested and unfinished fee refunds of an account's payments.
func requestedFeeRefunds(ctx context.Context, r pg.Reader, env processor.Env, account string) ([]ReturnFeeJob, error) {
	const none = `'00000000-0000-0000-0000-000000000000'::uuid`
	return pg.All[ReturnFeeJob](ctx, r, `select `+none+` as business, id as dispute, `+none+` as refund from disputes
			where business_id = $1 and env = $2 and account = $3 and fee_return = 'asked'
		union all
		select `+none+`, `+none+`, r.id from refunds r join payments p on p.business_id = $1 and p.id = r.payment_id
			where r.business_id = $1 and r.fee_return = 'asked' and p.env = $2 and p.account = $3
		order by 2, 3`, r.Business(), env, account)
}

// feeReturned writes the result of a requested fee refund; the zero value: nothing was refunded.
func feeReturned(ctx context.Context, tx *pg.Tx, of feeCause, got processor.FeeReturned) error {
	state := got.ID
	if state == "" {
		state = feeNothing
	}
	_, err := tx.Exec(ctx, of.write, tx.Business(), of.id, got.Amount, state, tx.Now(), feeRequested)
	return err
}

// FeeLaterSQL is the part of a payment's platform fee that was refunded, or is being refunded, because of a refund or
// dispute without us. Business and payment are SQL.
func FeeLaterSQL(business, payment string) string {
	return `(coalesce((select sum(d.fee_amount) from disputes d where d.business_id = ` + business + ` and d.payment_id = ` + payment + `), 0)
		+ coalesce((select sum(f.fee_later_amount) from refunds f where f.business_id = ` + business + ` and f.payment_id = ` + payment + `), 0))`
}
