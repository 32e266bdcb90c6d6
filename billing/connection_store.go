package billing

import (
	"context"
	"encoding/json"
	"fmt"

	"foyer/app/pg"
	"foyer/billing/processor"
)

const connectionColumns = `env, external_id, state, default_currency, due, due_by, told, wallet_domain, wallet_trouble, updated_at`

const selectConnection = `select ` + connectionColumns + ` from processor_accounts where business_id = $1 and env = $2`

func readConnection(ctx context.Context, r pg.Reader, env processor.Env) (Connection, error) {
	c, found, err := pg.Find[Connection](ctx, r, selectConnection, r.Business(), env)
	if err == nil && !found {
		c = Connection{Env: env, State: processor.StateNotConnected}
	}
	return c, err
}

// AcceptsSQL is Connection.Accepts of the account of a business (a column) in a world, for a currency: all three are
// SQL.
func AcceptsSQL(business, env, currency string) string {
	return `exists (select from processor_accounts pa where pa.business_id = ` + business + ` and pa.env = ` + env +
		` and pa.state in ('` + string(processor.StateActive) + `', '` + string(processor.StatePaused) + `') and pa.default_currency in ('', ` + currency + `))`
}

func dueJSON(due []string) []byte {
	if due == nil {
		due = []string{}
	}
	raw, err := json.Marshal(due)
	if err != nil {
		panic(err) // strings
	}
	return raw
}

// insertAccount stores a new account, or returns the one that a concurrent call has stored. Both calls may carry the
// same account, so either key may be the one they meet on: naming one of them would leave the other an error.
func insertAccount(ctx context.Context, tx *pg.Tx, a processor.Account) (Connection, error) {
	_, err := tx.Exec(ctx, `insert into processor_accounts (id, business_id, env, external_id, state, default_currency, due, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict do nothing`,
		pg.NewID(), tx.Business(), a.Env, a.ID, a.State, a.DefaultCurrency, dueJSON(a.Due), tx.Now())
	if err != nil {
		return Connection{}, err
	}
	c, err := readConnection(ctx, tx, a.Env)
	if err == nil && c.AccountID == "" {
		err = fmt.Errorf("billing: account %s belongs to another business", a.ID)
	}
	return c, err
}

// replaceAccount replaces a disconnected account with a new one.
func replaceAccount(ctx context.Context, tx *pg.Tx, a processor.Account, old string) (Connection, error) {
	_, err := tx.Exec(ctx, `update processor_accounts set external_id = $4, state = $5, default_currency = $6, due = $7, due_by = null, told = '', wallet_domain = '', wallet_trouble = '', updated_at = $8
		where business_id = $1 and env = $2 and external_id = $3 and state = 'disconnected'`,
		tx.Business(), a.Env, old, a.ID, a.State, a.DefaultCurrency, dueJSON(a.Due), tx.Now())
	if err != nil {
		return Connection{}, err
	}
	return readConnection(ctx, tx, a.Env)
}

// saveAccount writes an account that was read, unless the row has changed since before. An account that has sent its
// details is listed every night from then on.
func saveAccount(ctx context.Context, tx *pg.Tx, before Connection, a processor.Account) (Connection, bool, error) {
	cur := a.DefaultCurrency
	if cur == "" {
		cur = before.Currency // an account that we lost access to has no details
	}
	return pg.Find[Connection](ctx, tx, `with saved as (
			update processor_accounts
			set state = @state, default_currency = @currency, due = @due, due_by = @due_by, updated_at = greatest(@now, updated_at + interval '1 microsecond')
			where business_id = @business and env = @env and external_id = @account and updated_at = @before
			returning `+connectionColumns+`
		), listed as (
			insert into processor_listings (id, business_id, env, account, due_at, created_at, updated_at)
			select @id::uuid, @business, env, external_id, @next::timestamptz, @now, @now from saved
			where state not in ('onboarding', 'disconnected')
			on conflict on constraint processor_listings_account_key do update
				set due_at = coalesce(processor_listings.due_at, excluded.due_at)
		)
		select `+connectionColumns+` from saved`, pg.Named{
		"business": tx.Business(), "env": before.Env, "account": before.AccountID, "before": before.UpdatedAt, "state": a.State,
		"currency": cur, "due": dueJSON(a.Due), "due_by": pg.OrNull(a.DueBy), "now": tx.Now(), "id": pg.NewID(), "next": NextListing(before.AccountID, tx.Now()),
	})
}

// setTold writes the trouble that the owners were notified of. The account's row is locked.
func setTold(ctx context.Context, tx *pg.Tx, c Connection) error {
	_, err := tx.Exec(ctx, `update processor_accounts set told = $4 where business_id = $1 and env = $2 and external_id = $3`,
		tx.Business(), c.Env, c.AccountID, c.Told)
	return err
}

// setDomain writes the domain for which wallets were registered on an account, and the reason that they do not work
// there.
func setDomain(ctx context.Context, tx *pg.Tx, c Connection, domain, trouble string) error {
	_, err := tx.Exec(ctx, `update processor_accounts set wallet_domain = $4, wallet_trouble = $5 where business_id = $1 and env = $2 and external_id = $3`,
		tx.Business(), c.Env, c.AccountID, domain, trouble)
	return err
}

// firstCountry returns the country of the oldest location that has one; empty if none has.
func firstCountry(ctx context.Context, r pg.Reader) (string, error) {
	country, _, err := pg.Find[string](ctx, r, `select country from locations
		where business_id = $1 and country <> '' and archived_at is null order by created_at, id limit 1`, r.Business())
	return country, err
}

// paymentsOpen reports whether an account of ours has payments or refunds in progress.
func paymentsOpen(ctx context.Context, r pg.Reader, account string) (bool, error) {
	return pg.One[bool](ctx, r, `select exists (select from payments where business_id = $1 and account = $2
		and `+OpenSQL("payments")+`)`, r.Business(), account)
}

// QueueConnection queues the reading of the account of a business in a world. c stays zero if there is none.
func QueueConnection(b *pg.Batch, v *pg.View, env processor.Env, c *Connection) {
	var found bool
	pg.QueueOne(b, c, &found, selectConnection, v.Business(), env)
}
