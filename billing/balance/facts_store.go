package balance

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing/processor"
)

func listPayouts(ctx context.Context, r pg.Reader, env processor.Env, in PayoutsInput) ([]Payout, error) {
	q := pg.NewShape(`select `+payoutColumns+` from payouts where business_id = $1 and env = $2`, r.Business(), env)
	q.AndIf(len(in.Statuses) > 0, "status = any(?)", in.Statuses)
	if in.Page.After != nil {
		q.And("(happened_at, id) < (?, ?)", in.Page.After.At, in.Page.After.ID)
	}
	q.Add(" order by happened_at desc, id desc limit ?", in.Page.Size()+1)
	return pg.All[Payout](ctx, r, q.SQL(), q.Args()...)
}

// paidOut is a condition on the balance transactions t of a payout: the payout itself is on the balance, too, and is no
// part of what it paid out.
const paidOut = `t.category not in ('payout')`

// arrivedIn is a condition on the payouts o that arrived, or came back from the bank, in a range of days.
const arrivedIn = `o.business_id = @business and o.env = @env and o.arrives_on between @from::date and @to::date
	and o.status in ('paid', 'failed') and (@currency::varchar = '' or o.currency = @currency)`

func (in Arrivals) named(r pg.Reader, env processor.Env, most int) pg.Named {
	return pg.Named{
		"business": r.Business(), "env": env, "from": in.From.String(), "to": in.To.String(),
		"currency": string(in.Currency), "most": most,
	}
}

// ArrivedPayouts returns the payouts that arrived in a range of days, and those that the bank returned, by day; no
// more than most.
func ArrivedPayouts(ctx context.Context, r pg.Reader, env processor.Env, in Arrivals, most int) ([]Payout, error) {
	return pg.All[Payout](ctx, r, `select `+payoutColumns+` from payouts o where `+arrivedIn+`
		order by arrives_on, happened_at, id limit @most`, in.named(r, env, most))
}

// ArrivedLines returns the lines of ArrivedPayouts, oldest first; no more than most. A payout without ListedAt has
// none yet, and a manual one never has any.
func ArrivedLines(ctx context.Context, r pg.Reader, env processor.Env, in Arrivals, most int) ([]PayoutLine, error) {
	return pg.All[PayoutLine](ctx, r, `select o.id as payout_id, `+transactionColumns+transactionTables+`
		join payouts o on o.business_id = t.business_id and o.env = t.env and o.account = t.account
			and o.external_id = t.payout
		where t.business_id = @business and `+arrivedIn+` and o.listed_at is not null and `+paidOut+`
		order by t.happened_at, t.id limit @most`, in.named(r, env, most))
}

func readPayout(ctx context.Context, v *pg.View, env processor.Env, id uuid.UUID) (PayoutDetail, error) {
	var out PayoutDetail
	var found bool
	const of = `t.business_id = $1 and t.payout is not null and (t.env, t.account, t.payout) =
		(select env, account, external_id from payouts where business_id = $1 and id = $2) and ` + paidOut
	b := v.Batch()
	pg.QueueOne(b, &out.Payout, &found, `select `+payoutColumns+` from payouts where business_id = $1 and id = $2 and env = $3`,
		v.Business(), id, env)
	pg.QueueAll(b, &out.Lines, `select `+transactionColumns+transactionTables+` where `+of+`
		order by t.happened_at, t.id limit $3`, v.Business(), id, linesMost+1)
	pg.QueueAll(b, &out.Sums, `select t.category, count(*)::int as count, sum(t.gross)::bigint as gross,
			sum(t.processor_fee)::bigint as processor_fee, sum(t.platform_fee)::bigint as platform_fee, sum(t.net)::bigint as net
		from balance_transactions t where `+of+` group by t.category order by t.category`, v.Business(), id)
	if err := b.Send(ctx); err != nil {
		return PayoutDetail{}, err
	}
	if len(out.Lines) > linesMost {
		out.Lines, out.More = out.Lines[:linesMost], true
	}
	return out, fault.When(!found, fault.Missing(), nil)
}
