package balance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing/processor"
)

const transactionColumns = `t.id, t.external_id, t.type, t.category, t.currency, t.gross, t.processor_fee, t.platform_fee, t.net, t.source,
	t.intent, t.payment_id, p.location_id, p.order_id, t.state, t.happened_at, t.available_at`

const transactionTables = ` from balance_transactions t left join payments p on p.business_id = t.business_id and p.id = t.payment_id`

// fresh is a balance transaction that was not stored before.
type fresh struct {
	Category processor.Category
	Source   string
}

// saveTransactions stores balance transactions of an account, each once, with their payment of ours: that of the
// processor's payment, or, if the answer to its creation was lost, the one that our id in the metadata names. It
// returns those that were not stored before.
func saveTransactions(ctx context.Context, tx *pg.Tx, env processor.Env, account string, all []processor.Transaction) ([]fresh, error) {
	n := len(all)
	texts := func(of func(processor.Transaction) string) []string {
		out := make([]string, n)
		for i, b := range all {
			out[i] = of(b)
		}
		return out
	}
	amounts := func(of func(processor.Transaction) int64) []int64 {
		out := make([]int64, n)
		for i, b := range all {
			out[i] = of(b)
		}
		return out
	}
	happened, available, named := make([]time.Time, n), make([]time.Time, n), make([]uuid.UUID, n)
	for i, b := range all {
		happened[i], available[i] = b.CreatedAt, b.AvailableOn
		named[i], _ = uuid.Parse(b.Metadata["payment_id"]) // uuid.Nil: no payment has it
	}
	return pg.All[fresh](ctx, tx, `insert into balance_transactions (id, business_id, env, account, external_id, type, category, currency, gross,
			processor_fee, platform_fee, net, source, intent, payment_id, happened_at, available_at, created_at)
		select x.id, @business, @env::varchar, @account::varchar, x.external_id, x.type, x.category, x.currency, x.gross, x.processor_fee, x.platform_fee, x.net,
			x.source, x.intent, coalesce(
				(select p.id from payments p where p.business_id = @business and p.env = @env and p.account = @account and p.intent = x.intent),
				(select p.id from payments p where p.business_id = @business and p.id = x.named and p.env = @env and p.account = @account
					and p.intent is null)),
			x.happened_at, x.available_at, @now::timestamptz
		from unnest(@ids::uuid[], @externals::varchar[], @types::varchar[], @categories::varchar[], @currencies::varchar[], @gross::bigint[],
			@processor::bigint[], @platform::bigint[], @net::bigint[], @sources::varchar[], @intents::varchar[], @named::uuid[],
			@happened::timestamptz[], @available::timestamptz[])
			as x (id, external_id, type, category, currency, gross, processor_fee, platform_fee, net, source, intent, named, happened_at,
				available_at)
		on conflict on constraint balance_transactions_external_key do nothing
		returning category, source`, pg.Named{
		"business": tx.Business(), "env": env, "account": account, "now": tx.Now(), "ids": pg.NewIDs(n), "named": named,
		"externals":  texts(func(b processor.Transaction) string { return b.ID }),
		"types":      texts(func(b processor.Transaction) string { return b.Type }),
		"categories": texts(func(b processor.Transaction) string { return string(b.Category) }),
		"currencies": texts(func(b processor.Transaction) string { return string(b.Currency) }),
		"sources":    texts(func(b processor.Transaction) string { return b.Source }),
		"intents":    texts(func(b processor.Transaction) string { return b.PaymentID }),
		"gross":      amounts(func(b processor.Transaction) int64 { return b.Gross }),
		"processor":  amounts(func(b processor.Transaction) int64 { return b.ProcessorFee }),
		"platform":   amounts(func(b processor.Transaction) int64 { return b.PlatformFee }),
		"net":        amounts(func(b processor.Transaction) int64 { return b.Net }),
		"happened":   happened, "available": available,
	})
}

// markFound queues the marking of balance transactions that a sale or a refund has booked already.
func markFound(b *pg.Batch, tx *pg.Tx, env processor.Env, account string) {
	const mark = `update balance_transactions t set state = 'booked', booked_at = $4 from `
	const of = ` where t.business_id = $1 and t.env = $2 and t.account = $3 and t.booked_at is null and `
	for _, sql := range []string{
		mark + `payments p` + of + `t.category = 'charge' and p.business_id = $1 and p.id = t.payment_id
			and p.balance_transaction = t.external_id`,
		mark + `refunds r` + of + `t.category = 'refund' and r.business_id = $1 and r.payment_id = t.payment_id
			and r.balance_transaction = t.external_id`,
		mark + `refunds r` + of + `t.category = 'refund_failure' and t.processor_fee = 0 and t.platform_fee = 0 and r.business_id = $1
			and r.payment_id = t.payment_id and r.external_id = t.source and r.amount = t.gross and r.state in ('failed', 'canceled')
			and r.balance_transaction is not null`,
	} {
		pg.QueueExec(b, sql, tx.Business(), env, account, tx.Now())
	}
}

// unbooked returns balance transactions of an account that are not in the books, the oldest first, behind a key: all
// that were never tried, and of the unmatched those since a time.
func unbooked(ctx context.Context, r pg.Reader, env processor.Env, account string, since time.Time, after Transaction, most int) ([]Transaction, error) {
	return pg.All[Transaction](ctx, r, `select `+transactionColumns+transactionTables+`
		where t.business_id = $1 and t.env = $2 and t.account = $3 and t.booked_at is null and (t.happened_at, t.id) > ($4, $5)
			and (t.state = 'new' or t.happened_at > $7)
		order by t.happened_at, t.id limit $6`, r.Business(), env, account, after.HappenedAt, after.ID, most, since)
}

// markTransactions queues a state of balance transactions.
func markTransactions(b *pg.Batch, tx *pg.Tx, ids []uuid.UUID, state TransactionState) {
	pg.QueueExec(b, `update balance_transactions set state = $3::varchar,
			booked_at = case when $3::varchar in ('booked', 'held') then $4::timestamptz end
		where business_id = $1 and id = any($2) and booked_at is null`, tx.Business(), ids, string(state), tx.Now())
}

// isMatched reports whether a payment of ours has booked the balance transaction.
func isMatched(ctx context.Context, r pg.Reader, m Transaction) (bool, error) {
	return pg.One[bool](ctx, r, `select case $2
			when 'charge' then exists (select from payments where business_id = $1 and id = $3 and balance_transaction = $4)
			when 'refund' then exists (select from refunds where business_id = $1 and payment_id = $3 and balance_transaction = $4)
			when 'refund_failure' then exists (select from refunds where business_id = $1 and payment_id = $3 and external_id = $5
				and amount = $6 and state in ('failed', 'canceled') and balance_transaction is not null)
			else false end`, r.Business(), string(m.Category), m.PaymentID, m.ExternalID, m.Source, m.Gross)
}

// homeOf returns the location for money that belongs to no payment: the first of the business with the currency, or
// else its first.
func homeOf(ctx context.Context, r pg.Reader, c money.Currency) (uuid.UUID, error) {
	return pg.Found(pg.One[uuid.UUID](ctx, r, `select id from locations where business_id = $1
		order by currency <> $2, archived_at is not null, created_at, id limit 1`, r.Business(), string(c)))
}

// payoutOf queues the payout of balance transactions.
func payoutOf(b *pg.Batch, tx *pg.Tx, env processor.Env, account, payout string, externals []string) {
	pg.QueueExec(b, `update balance_transactions set payout = $4
		where business_id = $1 and env = $2 and account = $3 and external_id = any($5) and payout is distinct from $4`,
		tx.Business(), env, account, payout, externals)
}
