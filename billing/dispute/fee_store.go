package dispute

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

func (j ReturnFeeJob) feeCause() billing.FeeCause {
	return billing.FeeCause{
		ID: j.Dispute, What: "dispute",
		Read: `select p.id as payment_id, p.env, p.account, p.intent, d.fee_amount as amount, p.currency
			from disputes d join payments p on p.business_id = $1 and p.id = d.payment_id
			where d.business_id = $1 and d.id = $2 and d.fee_return = 'asked'`,
		Write: `update disputes set fee_amount = $3, fee_return = $4, updated_at = $5
			where business_id = $1 and id = $2 and fee_return is not distinct from $6::varchar`,
	}
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

// requestedFees returns the disputes of an account with a requested and unfinished refund of the fee.
func requestedFees(ctx context.Context, r pg.Reader, env processor.Env, account string) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select id from disputes where business_id = $1 and env = $2 and account = $3
		and fee_return = 'asked' order by id`, r.Business(), env, account)
}
