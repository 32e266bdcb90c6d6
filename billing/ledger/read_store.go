package ledger

import (
	"context"

	"foyer/app/money"
	"foyer/app/pg"
)

// since is the day of the last snapshot s. It is a case, because below row-level security Postgres takes a coalesce
// for leaky, and would read all postings of the account and not only those that the index finds.
const since = `case when s.date is null then '-infinity'::date else s.date end`

// sums adds up the postings after the last snapshot of an account a.
const sums = `(coalesce(s.balance, 0) + coalesce((select sum(p.amount) from ledger_postings p
		where p.business_id = a.business_id and p.account_id = a.id and p.local_date > ` + since + `), 0))::bigint`

const summed = ` from ledger_accounts a
	left join lateral (select s.date, s.balance from ledger_snapshots s where s.business_id = a.business_id and s.account_id = a.id
		order by s.date desc limit 1) s on true`

// Balance returns the balance of an account now, a debit positive; 0 for one without postings.
func Balance(ctx context.Context, r pg.Reader, a Account, c money.Currency) (int64, error) {
	n, _, err := pg.Find[int64](ctx, r, `select `+sums+summed+` where a.business_id = $1 and a.code = $2 and a.currency = $3`,
		r.Business(), string(a), string(c))
	return n, err
}

// BalancesSQL is a statement of the balance of an account now in each currency (currency, balance), for a caller that
// has to read it in the same snapshot as other tables. business is SQL.
func BalancesSQL(business string, a Account) string {
	return `select a.currency, ` + sums + ` as balance` + summed + ` where a.business_id = ` + business + ` and a.code = '` + string(a) + `'`
}
