package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing/processor"
)

const paymentColumns = `id, location_id, order_id, env, account, merchant_name, attempt, intent, charge,
	amount, currency, fee_amount, fee_ppm, status, card_brand, card_last4, card_wallet, failure_code, failure_message, outcome, due_at,
	created_at, updated_at, succeeded_at, balance_transaction, processor_fee, customer_id, card_id, choices, consent_text, consent_version, consent_at,
	on_approval, authorized_at, wanted`

func readPayment(ctx context.Context, r pg.Reader, id uuid.UUID) (Payment, error) {
	return pg.Found(pg.One[Payment](ctx, r, `select `+paymentColumns+` from payments where business_id = $1 and id = $2`,
		r.Business(), id))
}

func latestPayment(ctx context.Context, r pg.Reader, order uuid.UUID) (Payment, error) {
	return pg.Found(pg.One[Payment](ctx, r, `select `+paymentColumns+` from payments where business_id = $1 and order_id = $2
		order by attempt desc limit 1`, r.Business(), order))
}

func lockPaymentsOf(ctx context.Context, tx *pg.Tx, orders []uuid.UUID) error {
	_, err := tx.Exec(ctx, `select id from payments where business_id = $1 and order_id = any($2)
		and `+ActiveSQL("payments")+` order by id for update`, tx.Business(), orders)
	return err
}

func lockPayment(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Payment, error) {
	b := tx.Batch()
	locked := lockPaymentIn(b, tx, id)
	if err := b.Send(ctx); err != nil {
		return Payment{}, err
	}
	return locked()
}

// lockPaymentIn queues the locking and reading of a payment. The returned function gives it once the batch is sent.
func lockPaymentIn(b *pg.Batch, tx *pg.Tx, id uuid.UUID) func() (Payment, error) {
	return lockPaymentBy(b, tx, "$2", id)
}

// lockPaymentBy is lockPaymentIn for the payment that an expression names, of the business $1 and of $2.
func lockPaymentBy(b *pg.Batch, tx *pg.Tx, which string, id uuid.UUID) func() (Payment, error) {
	var p Payment
	var found bool
	pg.QueueOne(b, &p, &found, lockingPayment(which), tx.Business(), id)
	return func() (Payment, error) { return p, fault.When(!found, fault.Missing(), nil) }
}

// lockingPayment locks the payment that an expression names, of the business $1.
func lockingPayment(which string) string {
	return `select ` + paymentColumns + ` from payments where business_id = $1 and id = ` + which + ` for update`
}

// takeDuePayment locks a payment that is due, unless another process has it.
func takeDuePayment(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Payment, bool, error) {
	return pg.Find[Payment](ctx, tx, `select `+paymentColumns+` from payments
		where business_id = $1 and id = $2 and due_at <= $3 for update skip locked`, tx.Business(), id, tx.Now())
}

// startPayment returns the order's active payment, or makes the next one on the account of this world, if that
// accepts cards in the currency. found is false if it does not.
func startPayment(ctx context.Context, tx *pg.Tx, env processor.Env, in StartInput, due time.Time) (p Payment, found bool, err error) {
	return pg.Find[Payment](ctx, tx, `with kept as (
			select * from payments where business_id = @business and order_id = @order and `+ActiveSQL("payments")+`
		), made as (
			insert into payments (id, business_id, location_id, order_id, env, account, merchant_name, attempt, amount, currency,
				fee_amount, fee_ppm, status, due_at, created_at, updated_at, on_approval)
			select @id, @business, @location, @order, a.env, a.external_id,
				(select name from businesses where business_id = @business),
				(select coalesce(max(attempt), 0) + 1 from payments where business_id = @business and order_id = @order),
				@amount, @currency, @fee, @fee_ppm, 'new', @due, @now, @now, @on_approval
			from processor_accounts a
			where a.business_id = @business and a.env = @env and a.state in ('active', 'active_payouts_paused')
				and a.default_currency in ('', @currency) and not exists (select from kept)
			returning *
		)
		select `+paymentColumns+` from kept union all select `+paymentColumns+` from made`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "location": in.LocationID, "order": in.OrderID, "env": env, "amount": in.Amount,
		"currency": in.Currency, "fee": in.FeeAmount, "fee_ppm": in.FeePPM, "due": due, "now": tx.Now(),
		"on_approval": in.OnApproval,
	})
}

// savePayment writes the fields that can change. The row is locked, and one that is done never changes.
func savePayment(ctx context.Context, tx *pg.Tx, p *Payment) error {
	b := tx.Batch()
	savePaymentIn(b, tx, p)
	return b.Send(ctx)
}

func savePaymentIn(b *pg.Batch, tx *pg.Tx, p *Payment) {
	p.UpdatedAt = tx.Now()
	pg.QueueExec(b, `with saved as (
			update payments set intent = nullif(@intent, ''), charge = nullif(@charge, ''), status = @status,
				card_brand = @brand, card_last4 = @last4, card_wallet = @wallet, failure_code = @code, failure_message = @message, outcome = @outcome,
				due_at = @due, updated_at = @updated, succeeded_at = @succeeded, authorized_at = @authorized
			where business_id = @business and id = @id and `+OpenSQL("payments")+`
			returning id
		)
		select app.must(exists (select from saved))`, pg.Named{
		"business": tx.Business(), "id": p.ID, "intent": p.IntentID, "charge": p.ChargeID, "status": p.Status, "brand": p.CardBrand,
		"last4": p.CardLast4, "wallet": p.CardWallet, "code": p.FailureCode, "message": p.FailureMessage, "outcome": p.Outcome, "due": pg.OrNull(p.DueAt),
		"updated": p.UpdatedAt, "succeeded": pg.OrNull(p.SucceededAt), "authorized": pg.OrNull(p.AuthorizedAt),
	})
}

// postponePayment sets the next reading of a payment's fees. Its row is locked.
func postponePayment(ctx context.Context, tx *pg.Tx, p Payment) error {
	_, err := tx.Exec(ctx, `update payments set due_at = $3 where business_id = $1 and id = $2 and status = 'succeeded'`,
		tx.Business(), p.ID, pg.OrNull(p.DueAt))
	return err
}

// saveCostsIn queues the fees of a payment that succeeded. They never change.
func saveCostsIn(b *pg.Batch, tx *pg.Tx, p *Payment) {
	p.UpdatedAt = tx.Now()
	pg.QueueExec(b, `update payments set balance_transaction = $3, processor_fee = $4, due_at = null, updated_at = $5
		where business_id = $1 and id = $2 and status = 'succeeded' and balance_transaction is null`,
		tx.Business(), p.ID, p.BalanceTransaction, p.ProcessorFee, p.UpdatedAt)
}

func openPaymentOf(ctx context.Context, r pg.Reader, order uuid.UUID) (uuid.UUID, bool, error) {
	return pg.Find[uuid.UUID](ctx, r, `select id from payments
		where business_id = $1 and order_id = $2 and `+OpenSQL("payments"), r.Business(), order)
}

// paymentOfIntent finds the payment of the processor's id, or, if the answer to its creation was lost, the one that
// the id in the metadata names.
func paymentOfIntent(ctx context.Context, r pg.Reader, env processor.Env, in processor.Intent) (Payment, bool, error) {
	named, err := uuid.Parse(in.Metadata["payment_id"])
	if err != nil {
		named = uuid.Nil
	}
	return pg.Find[Payment](ctx, r, `select `+paymentColumns+` from payments where business_id = $1 and env = $2 and account = $3
		and (intent = $4 or intent is null and id = $5)`, r.Business(), env, in.Account, in.ID, named)
}

func duePayments(ctx context.Context, db *pg.DB, most int) ([]pg.Keyed, error) {
	none := db.View(uuid.Nil)
	return pg.All[pg.Keyed](ctx, none, `select business_id, id from app.due_payments($1, $2)`, none.Now(), most)
}

func dueRefunds(ctx context.Context, db *pg.DB, most int) ([]pg.Keyed, error) {
	none := db.View(uuid.Nil)
	return pg.All[pg.Keyed](ctx, none, `select business_id, id from app.due_refunds($1, $2)`, none.Now(), most)
}
