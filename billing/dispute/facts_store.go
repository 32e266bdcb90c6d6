package dispute

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/processor"
)

// selectDisputes includes the amount that each dispute has withdrawn from the balance until now.
const selectDisputes = `select d.id, d.external_id, d.payment_id, p.order_id, p.location_id, d.charge, d.amount, d.currency, d.status,
		d.reason, d.evidence_due_by, coalesce(m.taken, 0) as withdrawn, coalesce(m.fee, 0) as fee_amount,
		d.fee_amount as fee_refunded, d.env, d.account, d.happened_at,
		d.updated_at, w.submitted_at, w.taken_at as accepted_at
	from disputes d left join dispute_answers w on w.business_id = d.business_id and w.dispute_id = d.id left join payments p on p.business_id = d.business_id and p.id = d.payment_id
	left join lateral (select -sum(t.gross)::bigint as taken, sum(t.processor_fee)::bigint as fee from balance_transactions t
		where t.business_id = d.business_id and t.source = d.external_id and t.env = d.env and t.account = d.account
			and t.category in ('dispute', 'dispute_reversal')) m on true
	where d.business_id = $1 and ($2 = '' or d.env = $2)`

func listDisputes(ctx context.Context, r pg.Reader, env processor.Env, in ListInput) ([]Dispute, error) {
	q := pg.NewShape(selectDisputes, r.Business(), env)
	q.AndIf(in.Open, "d.status not in ('won', 'lost', 'warning_closed')")
	if in.Page.After != nil {
		q.And("(d.happened_at, d.id) < (?, ?)", in.Page.After.At, in.Page.After.ID)
	}
	q.Add(" order by d.happened_at desc, d.id desc limit ?", in.Page.Size()+1)
	return pg.All[Dispute](ctx, r, q.SQL(), q.Args()...)
}

func readDispute(ctx context.Context, r pg.Reader, env processor.Env, id uuid.UUID) (Dispute, error) {
	return pg.Found(pg.One[Dispute](ctx, r, selectDisputes+` and d.id = $3`, r.Business(), env, id))
}

// Of returns a dispute of any world.
func Of(ctx context.Context, r pg.Reader, id uuid.UUID) (Dispute, error) {
	return readDispute(ctx, r, "", id)
}
