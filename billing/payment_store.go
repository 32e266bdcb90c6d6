package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

const paymentColumns = `id, location_id, order_id, env, account, attempt, intent, charge,
	amount, currency, fee_amount, fee_ppm, status, card_brand, card_last4, failure_code, failure_message, outcome, due_at,
	created_at, updated_at, succeeded_at`

// orNull is NULL for the zero time.
func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func readPayment(ctx context.Context, r pg.Reader, id uuid.UUID) (Payment, error) {
	return pg.Found(pg.One[Payment](ctx, r, `select `+paymentColumns+` from payments where business_id = $1 and id = $2`,
		r.Business(), id))
}

func latestPayment(ctx context.Context, r pg.Reader, order uuid.UUID) (Payment, error) {
	return pg.Found(pg.One[Payment](ctx, r, `select `+paymentColumns+` from payments where business_id = $1 and order_id = $2
		order by attempt desc limit 1`, r.Business(), order))
}

func lockPayment(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Payment, error) {
	return pg.Found(pg.One[Payment](ctx, tx, `select `+paymentColumns+` from payments where business_id = $1 and id = $2 for update`,
		tx.Business(), id))
}

// takeDuePayment locks a payment that is due, unless somebody is at it.
func takeDuePayment(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Payment, bool, error) {
	return pg.Find[Payment](ctx, tx, `select `+paymentColumns+` from payments
		where business_id = $1 and id = $2 and due_at <= $3 for update skip locked`, tx.Business(), id, tx.Now())
}

// startPayment returns the order's payment that is not given up, or makes the next one on the account of this world, if
// that takes cards in the currency. found is false when it does not.
func startPayment(ctx context.Context, tx *pg.Tx, env Env, in StartInput, due time.Time) (p Payment, found bool, err error) {
	return pg.Find[Payment](ctx, tx, `with kept as (
			select * from payments where business_id = $2 and order_id = $4 and status not in ('failed', 'canceled')
		), made as (
			insert into payments (id, business_id, location_id, order_id, env, account, attempt, amount, currency, fee_amount, fee_ppm,
				status, due_at, created_at, updated_at)
			select $1, $2, $3, $4, a.env, a.external_id,
				(select coalesce(max(attempt), 0) + 1 from payments where business_id = $2 and order_id = $4),
				$6, $7, $8, $9, 'new', $10, $11, $11
			from processor_accounts a
			where a.business_id = $2 and a.env = $5 and a.state in ('active', 'active_payouts_paused')
				and a.default_currency in ('', $7) and not exists (select from kept)
			returning *
		)
		select `+paymentColumns+` from kept union all select `+paymentColumns+` from made`,
		pg.NewID(), tx.Business(), in.LocationID, in.OrderID, env, in.Amount, in.Currency, in.FeeAmount, in.FeePPM, due, tx.Now())
}

// savePayment writes what can change. The row is locked, and one that is over never changes.
func savePayment(ctx context.Context, tx *pg.Tx, p *Payment) error {
	p.UpdatedAt = tx.Now()
	n, err := tx.Exec(ctx, `update payments set intent = nullif($3, ''), charge = nullif($4, ''), status = $5, card_brand = $6,
			card_last4 = $7, failure_code = $8, failure_message = $9, outcome = $10, due_at = $11, updated_at = $12, succeeded_at = $13
		where business_id = $1 and id = $2 and status not in ('succeeded', 'failed', 'canceled')`,
		tx.Business(), p.ID, p.IntentID, p.ChargeID, p.Status, p.CardBrand, p.CardLast4, p.FailureCode, p.FailureMessage,
		p.Outcome, orNull(p.DueAt), p.UpdatedAt, orNull(p.SucceededAt))
	if err == nil && n == 0 {
		err = errors.New("billing: a payment that is over was to be changed")
	}
	return err
}

func openPaymentOf(ctx context.Context, r pg.Reader, order uuid.UUID) (uuid.UUID, bool, error) {
	return pg.Find[uuid.UUID](ctx, r, `select id from payments
		where business_id = $1 and order_id = $2 and status not in ('succeeded', 'failed', 'canceled')`, r.Business(), order)
}

// paymentOfIntent finds the payment behind the processor's id, or, when the answer to its making was lost, the one that
// the id we put into its metadata names.
func paymentOfIntent(ctx context.Context, r pg.Reader, env Env, in Intent) (uuid.UUID, bool, error) {
	named, err := uuid.Parse(in.Metadata["payment_id"])
	if err != nil {
		named = uuid.Nil
	}
	return pg.Find[uuid.UUID](ctx, r, `select id from payments where business_id = $1 and env = $2 and account = $3
		and (intent = $4 or intent is null and id = $5)`, r.Business(), env, in.Account, in.ID, named)
}

// dueRow names a row of some business.
type dueRow struct{ BusinessID, ID uuid.UUID }

func duePayments(ctx context.Context, db *pg.DB, most int) ([]dueRow, error) {
	none := db.View(uuid.Nil)
	return pg.All[dueRow](ctx, none, `select business_id, id from app.due_payments($1, $2)`, none.Now(), most)
}

func dueRefunds(ctx context.Context, db *pg.DB, most int) ([]dueRow, error) {
	none := db.View(uuid.Nil)
	return pg.All[dueRow](ctx, none, `select business_id, id from app.due_refunds($1, $2)`, none.Now(), most)
}

// businessOf finds whose account that is.
func businessOf(ctx context.Context, db *pg.DB, env Env, account string) (uuid.UUID, bool, error) {
	return pg.Find[uuid.UUID](ctx, db.View(uuid.Nil), "select business_id from app.find_account($1, $2)", env, account)
}

// storedEvent is what is kept of an event.
type storedEvent struct {
	Account   string
	Type      string
	Object    string // what to read again
	Processed bool
}

// insertEvent keeps an event and reports whether it is new.
func insertEvent(ctx context.Context, tx *pg.Tx, env Env, e Event, object string) (bool, error) {
	n, err := tx.Exec(ctx, `insert into webhook_events (id, env, account, type, object, received_at)
		values ($1, $2, $3, $4, $5, $6) on conflict (env, id) do nothing`, e.ID, env, e.Account, e.Type, object, tx.Now())
	return n == 1, err
}

func readEvent(ctx context.Context, db *pg.DB, env Env, id string) (storedEvent, bool, error) {
	return pg.Find[storedEvent](ctx, db.View(uuid.Nil), `select account, type, object, processed_at is not null as processed
		from webhook_events where env = $1 and id = $2`, env, id)
}

func markEvent(ctx context.Context, db *pg.DB, env Env, id string) error {
	_, err := pg.InTx(ctx, db, uuid.Nil, func(tx *pg.Tx) (int64, error) {
		return tx.Exec(ctx, `update webhook_events set processed_at = $3 where env = $1 and id = $2 and processed_at is null`,
			env, id, tx.Now())
	})
	return err
}

// dropEvents forgets events that were processed before a time, at most a thousand of them.
func dropEvents(ctx context.Context, tx *pg.Tx, before time.Time) error {
	_, err := tx.Exec(ctx, `delete from webhook_events where (env, id) in
		(select env, id from webhook_events where processed_at < $1 limit 1000)`, before)
	return err
}
