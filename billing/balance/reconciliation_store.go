package balance

import (
	"context"

	"foyer/app/pg"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

const reconciliationColumns = `account, currency, books, underway, recorded, held, balance, difference, checked_at`

// saveReconciliations adds everything up in one snapshot, and stores it: one row for each currency. The books do not
// distinguish accounts at the processor: their balance is this account's after subtracting that of the others.
func saveReconciliations(
	ctx context.Context, tx *pg.Tx, env processor.Env, account string, all []processor.Balance,
) ([]Reconciliation, error) {
	currencies, balances := make([]string, len(all)), make([]int64, len(all))
	for i, h := range all {
		currencies[i], balances[i] = string(h.Currency), h.Available+h.Pending
	}
	return pg.All[Reconciliation](ctx, tx, `with said as (
			select * from unnest(@currencies::varchar[], @balances::bigint[]) as x (currency, balance)
		), recorded as (
			select env = @env and account = @account as mine, currency, coalesce(sum(net) filter (where category <> 'held'), 0) as recorded,
				coalesce(-sum(net) filter (where category = 'held'), 0) as held
			from balance_transactions where business_id = @business group by 1, 2
		), booked as (
			-- a sale, with what it cost once that is in the books
			select p.env, p.account, p.currency, p.succeeded_at as at, p.balance_transaction as movement,
				case when p.balance_transaction is null then p.amount else p.amount - p.processor_fee - p.fee_amount end as amount
			from payments p where p.business_id = @business and p.status = 'succeeded'
			union all
			select p.env, p.account, p.currency, r.updated_at, r.balance_transaction, r.fee_amount - r.amount
			from refunds r join payments p on p.business_id = r.business_id and p.id = r.payment_id
			where r.business_id = @business and r.balance_transaction is not null
			union all
			select p.env, p.account, p.currency, r.updated_at,
				(select f.external_id from balance_transactions f where f.business_id = @business and f.payment_id = p.id
					and f.category = 'refund_failure' and f.source = r.external_id limit 1), r.amount
			from refunds r join payments p on p.business_id = r.business_id and p.id = r.payment_id
			where r.business_id = @business and r.balance_transaction is not null and r.state in ('failed', 'canceled')
		), underway as (
			select b.env = @env and b.account = @account as mine, b.currency, sum(b.amount) as amount from booked b
			left join balance_transactions t on t.business_id = @business and t.env = b.env and t.account = b.account and t.external_id = b.movement
			where t.id is null and (b.env <> @env or b.account <> @account or b.at > @recent) group by 1, 2
		), clearing as (`+ledger.BalancesSQL("@business", ledger.Clearing)+`
		), every as (
			select currency from said union select currency from recorded where mine union select currency from clearing
		), figures as (
			select e.currency, coalesce(c.balance, 0)
					- coalesce((select sum(k.recorded) from recorded k where not k.mine and k.currency = e.currency), 0)
					- coalesce((select sum(u.amount) from underway u where u.currency = e.currency), 0) as books,
				coalesce((select sum(u.amount) from underway u where u.mine and u.currency = e.currency), 0) as underway,
				coalesce(k.recorded, 0) as recorded, coalesce(k.held, 0) as held, coalesce(s.balance, 0) as balance
			from every e left join clearing c on c.currency = e.currency left join said s on s.currency = e.currency
			left join recorded k on k.mine and k.currency = e.currency
		)
		insert into reconciliations as o (id, business_id, env, account, currency, books, underway, recorded, held, balance, difference, checked_at, created_at)
		select gen_random_uuid(), @business, @env::varchar, @account::varchar, currency, books, underway, recorded, held, balance, balance + held - books, @now::timestamptz, @now::timestamptz
		from figures
		on conflict on constraint reconciliations_currency_key do update set books = excluded.books, underway = excluded.underway,
			recorded = excluded.recorded, held = excluded.held, balance = excluded.balance, difference = excluded.difference,
			checked_at = excluded.checked_at
		returning `+reconciliationColumns, pg.Named{
		"business": tx.Business(), "env": env, "account": account, "currencies": currencies, "balances": balances, "now": tx.Now(),
		"recent": tx.Now().Add(-underwayWithin),
	})
}

// readReconciliations reads the last reconciliations of the accounts that are still listed, and the unmatched balance
// transactions.
func readReconciliations(ctx context.Context, v *pg.View, env processor.Env) ([]Reconciliation, []Transaction, error) {
	var items []Reconciliation
	var unmatched []Transaction
	b := v.Batch()
	pg.QueueAll(b, &items, `select `+reconciliationColumns+` from reconciliations o where business_id = $1 and env = $2
		and exists (select from processor_listings l where l.business_id = $1 and l.env = o.env and l.account = o.account and l.due_at is not null)
		order by account, currency`, v.Business(), env)
	pg.QueueAll(b, &unmatched, `select `+transactionColumns+transactionTables+` where t.business_id = $1 and t.env = $2 and t.booked_at is null
		order by t.happened_at, t.id limit $3`, v.Business(), env, unmatchedMost)
	return items, unmatched, b.Send(ctx)
}
