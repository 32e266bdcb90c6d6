package accounting

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

const connectionColumns = `select id, external_company_id, company_name, home_currency, status, start_date,
	start_date_frozen, person_id, connected_at, last_sync_at, last_error
	from accounting_connections where business_id = $1 `

const newest = `order by created_at desc, id desc limit 1`

func liveConnection(ctx context.Context, r pg.Reader) (Connection, bool, error) {
	return pg.Find[Connection](ctx, r, connectionColumns+newest, r.Business())
}

// lockLive locks the live connection. Two connects at once cannot make another one meanwhile: both lock the business's
// row first.
func lockLive(ctx context.Context, tx *pg.Tx) (c Connection, found bool, err error) {
	b := tx.Batch()
	pg.QueueExec(b, `select from businesses where business_id = $1 for no key update`, tx.Business())
	pg.QueueOne(b, &c, &found, connectionColumns+newest+" for update", tx.Business())
	return c, found, b.Send(ctx)
}

func readConnection(ctx context.Context, r pg.Reader, id uuid.UUID) (Connection, bool, error) {
	return pg.Find[Connection](ctx, r, connectionColumns+`and id = $2`, r.Business(), id)
}

func saveStartDate(ctx context.Context, tx *pg.Tx, c Connection) error {
	_, err := tx.Exec(ctx, `update accounting_connections set start_date = $3::date, updated_at = $4
		where business_id = $1 and id = $2`,
		tx.Business(), c.ID, c.StartDate.String(), tx.Now())
	return err
}

// disconnect closes a connection, deletes its tokens and returns them.
func disconnect(ctx context.Context, tx *pg.Tx, c Connection) (t sealedToken, err error) {
	b := tx.Batch()
	closeConnectionIn(b, tx, c.ID)
	var found bool
	pg.QueueOne(b, &t, &found, `delete from accounting_tokens where business_id = $1 and connection_id = $2
		returning connection_id, access, refresh, access_expires_at`, tx.Business(), c.ID)
	return t, b.Send(ctx)
}

func closeConnectionIn(b *pg.Batch, tx *pg.Tx, id uuid.UUID) {
	pg.QueueExec(b, `update accounting_connections set status = 'disconnected', disconnected_at = $3,
			work_at = null, updated_at = $3
		where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
}

// insertConnectionIn queues a new connection.
func insertConnectionIn(b *pg.Batch, tx *pg.Tx, c Connection) {
	pg.QueueExec(b, `insert into accounting_connections (id, business_id, external_company_id, company_name, home_currency,
			status, start_date, start_date_frozen, person_id, connected_at, created_at, updated_at)
		values (@id, @business, @company, @name, @currency, 'connected', @start::date, @frozen, @person,
			@now, @now, @now)`, pg.Named{
		"id": c.ID, "business": tx.Business(), "company": c.ExternalCompanyID, "name": c.CompanyName,
		"currency": string(c.HomeCurrency), "start": c.StartDate.String(), "frozen": c.StartDateFrozen,
		"person": c.PersonID, "now": tx.Now(),
	})
}

// renewConnectionIn queues that a connection has new tokens.
func renewConnectionIn(b *pg.Batch, tx *pg.Tx, c Connection) {
	pg.QueueExec(b, `update accounting_connections set status = 'connected', company_name = $3, home_currency = $4,
			person_id = $5, connected_at = $6, last_error = '', expiry_mailed_at = null, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), c.ID, c.CompanyName, string(c.HomeCurrency), c.PersonID, tx.Now())
}

// copyMapIn queues that a new connection to a company begins with the accounts confirmed for its last one.
func copyMapIn(b *pg.Batch, tx *pg.Tx, from, to uuid.UUID) {
	pg.QueueExec(b, `insert into accounting_map_rows (id, business_id, connection_id, row_key, category, tax_rate_id,
			revenue_category_id, external_account_id, account_name, account_type, account_sub_type, confirmed_at,
			created_at, updated_at)
		select gen_random_uuid(), business_id, $3, row_key, category, tax_rate_id, revenue_category_id, external_account_id,
			account_name, account_type, account_sub_type, confirmed_at, $4, $4
		from accounting_map_rows where business_id = $1 and connection_id = $2`, tx.Business(), from, to, tx.Now())
}

// lastOfCompany returns the newest connection to a company.
func lastOfCompany(ctx context.Context, r pg.Reader, company string) (Connection, bool, error) {
	return pg.Find[Connection](ctx, r, connectionColumns+`and external_company_id = $2 `+newest, r.Business(), company)
}

// saveTokensIn queues the tokens of a connection.
func saveTokensIn(b *pg.Batch, tx *pg.Tx, t sealedToken, refreshExpires time.Time) {
	pg.QueueExec(b, `insert into accounting_tokens (business_id, connection_id, access, refresh, access_expires_at,
			refresh_expires_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7)
		on conflict (business_id, connection_id) do update set access = excluded.access, refresh = excluded.refresh,
			access_expires_at = excluded.access_expires_at, updated_at = excluded.updated_at,
			refresh_expires_at = coalesce(excluded.refresh_expires_at, accounting_tokens.refresh_expires_at)`,
		tx.Business(), t.ConnectionID, t.Access, t.Refresh, t.AccessExpiresAt, pg.OrNull(refreshExpires), tx.Now())
}

func readTokens(ctx context.Context, r pg.Reader, connection uuid.UUID) (sealedToken, bool, error) {
	return pg.Find[sealedToken](ctx, r, selectTokens, r.Business(), connection)
}

// lockTokens locks the tokens of a connection: one process refreshes them at a time.
func lockTokens(ctx context.Context, tx *pg.Tx, connection uuid.UUID) (sealedToken, bool, error) {
	return pg.Find[sealedToken](ctx, tx, selectTokens+" for update", tx.Business(), connection)
}

const selectTokens = `select connection_id, access, refresh, access_expires_at from accounting_tokens
	where business_id = $1 and connection_id = $2`

// allTokens returns the tokens of all connections of a business: of the live one, unless it is disconnected.
func allTokens(ctx context.Context, r pg.Reader) ([]sealedToken, error) {
	return pg.All[sealedToken](ctx, r, `select connection_id, access, refresh, access_expires_at from accounting_tokens
		where business_id = $1`, r.Business())
}

// markReauth queues that the provider no longer accepts the tokens of a connection.
func markReauth(ctx context.Context, tx *pg.Tx, id uuid.UUID, problem string) error {
	_, err := tx.Exec(ctx, `update accounting_connections set status = 'needs_reauth', last_error = $3, updated_at = $4
		where business_id = $1 and id = $2 and status = 'connected'`, tx.Business(), id, problem, tx.Now())
	return err
}
