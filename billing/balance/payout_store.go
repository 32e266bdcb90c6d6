package balance

import (
	"context"
	"time"

	"foyer/app/pg"
	"foyer/billing/processor"
)

const payoutColumns = `id, external_id, amount, currency, status, arrives_on, automatic, failure_code, failure_message, env, account,
	happened_at, listed_at`

// savePayout stores the state of a payout, and reports whether its lines are known.
func savePayout(ctx context.Context, tx *pg.Tx, env processor.Env, account string, p processor.Payout) (listed bool, err error) {
	return pg.One[bool](ctx, tx, `insert into payouts (id, business_id, env, account, external_id, amount, currency, status, arrives_on,
			automatic, failure_code, failure_message, happened_at, created_at, updated_at)
		values (@id, @business, @env, @account, @external, @amount, @currency, @status, @arrives, @automatic, @code, @message, @happened,
			@now, @now)
		on conflict on constraint payouts_external_key do update set status = excluded.status, arrives_on = excluded.arrives_on,
			failure_code = excluded.failure_code, failure_message = excluded.failure_message, updated_at = excluded.updated_at
		returning listed_at is not null`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "env": env, "account": account, "external": p.ID, "amount": p.Amount,
		"currency": p.Currency, "status": p.Status, "arrives": p.ArrivesOn, "automatic": p.Automatic, "code": p.FailureCode,
		"message": p.FailureMessage, "happened": p.CreatedAt, "now": tx.Now(),
	})
}

func markListed(ctx context.Context, tx *pg.Tx, env processor.Env, account, payout string) error {
	_, err := tx.Exec(ctx, `update payouts set listed_at = $5 where business_id = $1 and env = $2 and account = $3 and external_id = $4`,
		tx.Business(), env, account, payout, tx.Now())
	return err
}

// openPayouts returns the unfinished payouts of an account since a time.
func openPayouts(ctx context.Context, r pg.Reader, env processor.Env, account string, since time.Time) ([]string, error) {
	return pg.All[string](ctx, r, `select external_id from payouts where business_id = $1 and env = $2 and account = $3 and happened_at > $4
		and (status in ('pending', 'in_transit') or automatic and listed_at is null and status <> 'canceled')
		order by happened_at, id`, r.Business(), env, account, since)
}

// movedPayouts returns the payouts among the sources to be read.
func movedPayouts(ctx context.Context, r pg.Reader, env processor.Env, account string, seen sources) ([]string, error) {
	return sourcesOf(ctx, r, env, account, seen, processor.CategoryPayout, processor.CategoryPayoutReversal)
}

// sourcesOf returns the sources to be read with balance transactions of one of two categories.
func sourcesOf(ctx context.Context, r pg.Reader, env processor.Env, account string, seen sources, one, other processor.Category) ([]string, error) {
	var ids []string
	for id, known := range seen {
		if !known {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return pg.All[string](ctx, r, `select distinct source from balance_transactions where business_id = $1 and env = $2 and account = $3
		and source = any($4) and category in ($5, $6) order by source`, r.Business(), env, account, ids, string(one), string(other))
}
