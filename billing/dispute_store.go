package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// saveDispute keeps how a dispute stands, and tells whether it was not known.
func saveDispute(ctx context.Context, tx *pg.Tx, env Env, account string, d ProcessorDispute) (news bool, err error) {
	return pg.One[bool](ctx, tx, `with was as (
			select id from disputes where business_id = @business and env = @env and account = @account and external_id = @external
		), saved as (
			insert into disputes (id, business_id, env, account, external_id, payment_id, charge, amount, currency, status, reason,
				evidence_due_by, happened_at, created_at, updated_at)
			select @id::uuid, @business, @env::varchar, @account::varchar, @external::varchar,
				(select id from payments where business_id = @business and env = @env and account = @account
					and (intent = nullif(@intent::varchar, '') or charge = @charge) limit 1),
				@charge::varchar, @amount::bigint, @currency::varchar, @status::varchar, @reason::varchar, @due::timestamptz,
				@happened::timestamptz, @now::timestamptz, @now::timestamptz
			on conflict on constraint disputes_external_key do update set amount = excluded.amount, status = excluded.status,
				reason = excluded.reason, evidence_due_by = excluded.evidence_due_by, updated_at = excluded.updated_at,
				payment_id = coalesce(disputes.payment_id, excluded.payment_id)
			where disputes.status not in ('won', 'lost', 'warning_closed') or excluded.status in ('won', 'lost', 'warning_closed')
		)
		select not exists (select from was)`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "env": env, "account": account, "external": d.ID, "intent": d.PaymentID,
		"charge": d.ChargeID, "amount": d.Amount, "currency": d.Currency, "status": d.Status, "reason": d.Reason,
		"due": orNull(d.EvidenceDueBy), "happened": d.CreatedAt, "now": tx.Now(),
	})
}

// openDisputes are those of an account that are not decided.
func openDisputes(ctx context.Context, r pg.Reader, env Env, account string) ([]string, error) {
	return pg.All[string](ctx, r, `select external_id from disputes where business_id = $1 and env = $2 and account = $3
		and status not in ('won', 'lost', 'warning_closed') order by happened_at, id`, r.Business(), env, account)
}

// DisputedSQL tells whether the bank has the money of a payment, or is about to take it: RequestRefundTx refuses it then. Business and
// payment are SQL.
func DisputedSQL(business, payment string) string {
	return `exists (select from disputes d where d.business_id = ` + business + ` and d.payment_id = ` + payment + `
		and d.status in ('needs_response', 'under_review', 'lost'))`
}

// disputedIn queues the question whether the bank has a payment's money, or is about to take it.
func disputedIn(b *pg.Batch, tx *pg.Tx, payment uuid.UUID) *bool {
	disputed, found := new(bool), new(bool)
	pg.QueueOne(b, disputed, found, `select `+DisputedSQL("$1", "$2"), tx.Business(), payment)
	return disputed
}

// DisputesTx tells whether a customer wants money back by their bank that the studio has not won: then nothing is charged without them.
func DisputesTx(ctx context.Context, tx *pg.Tx, customer uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select exists (select from disputes d
		join payments p on p.business_id = $1 and p.id = d.payment_id
		join orders o on o.business_id = $1 and o.id = p.order_id
		where d.business_id = $1 and o.customer_id = $2 and d.status in ('needs_response', 'under_review', 'lost'))`, tx.Business(), customer)
}
