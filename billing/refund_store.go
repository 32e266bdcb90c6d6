package billing

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/processor"
	"foyer/billing/tender"
	"foyer/ent"
	stored "foyer/ent/refund"
)

func refundOf(e *ent.Refund) (RefundRequest, error) {
	r := RefundRequest{
		ID: e.ID, Amount: e.Amount, FeeAmount: e.FeeAmount, State: RefundState(e.State),
		Reason: RefundReason(e.Reason), Note: e.Note, Destination: Destination(e.Destination), CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
	}
	if e.PaymentID != nil {
		r.PaymentID = *e.PaymentID
	}
	if e.DueAt != nil {
		r.DueAt = *e.DueAt
	}
	if e.ExternalID != nil {
		r.ExternalID = *e.ExternalID
	}
	if e.BalanceTransaction != nil {
		r.BalanceTransaction = *e.BalanceTransaction
	}
	if len(e.Parts) > 0 {
		if err := json.Unmarshal(e.Parts, &r.Parts); err != nil {
			return RefundRequest{}, err
		}
	}
	return r, nil
}

// refundsOf queues the reading of all refunds of a payment, which the column of names, in the order of their requests.
func refundsOf(b *pg.Batch, tx *pg.Tx, of string, payment uuid.UUID) func() []RefundRequest {
	var rows []struct {
		ID          uuid.UUID
		Amount      int64
		State       RefundState
		Parts       []tender.Part
		ExternalID  string `db:",null"`
		Destination Destination
	}
	pg.QueueAll(b, &rows, `select id, amount, state, parts, external_id, destination from refunds where business_id = $1
		and `+of+` = $2
		order by created_at, id`, tx.Business(), payment)
	return func() []RefundRequest {
		out := make([]RefundRequest, len(rows))
		for i, r := range rows {
			out[i] = RefundRequest{ID: r.ID, Amount: r.Amount, State: r.State, Parts: r.Parts, ExternalID: r.ExternalID, Destination: r.Destination}
		}
		return out
	}
}

// CountsSQL is RefundState.Counts of a row of refunds.
func CountsSQL(refund string) string { return refund + `.state not in ('failed', 'canceled')` }

// RefundedSQL is the amount of a card payment that is refunded or being refunded, to any destination: 0 if there is
// none. Business and payment are SQL.
func RefundedSQL(business, payment string) string {
	return `coalesce((select sum(back.amount) from refunds back where back.business_id = ` + business + ` and back.payment_id = ` + payment + `
		and ` + CountsSQL("back") + `), 0)`
}

func insertRefund(ctx context.Context, tx *pg.Tx, r RefundRequest) error {
	parts, err := json.Marshal(r.Parts)
	if err != nil {
		return err
	}
	c := tx.Ent().Refund.Create().SetID(r.ID).SetBusinessID(tx.Business()).SetPaymentID(r.PaymentID).SetAmount(r.Amount).
		SetFeeAmount(r.FeeAmount).SetState(string(r.State)).SetReason(string(r.Reason)).SetNote(r.Note).SetDestination(string(r.Destination)).
		SetParts(parts).SetCreatedAt(r.CreatedAt).SetUpdatedAt(r.UpdatedAt)
	if !r.DueAt.IsZero() {
		c.SetDueAt(r.DueAt)
	}
	if r.ExternalID != "" {
		c.SetExternalID(r.ExternalID)
	}
	return c.Exec(ctx)
}

func oneRefund(ctx context.Context, q *ent.RefundQuery) (RefundRequest, error) {
	e, err := pg.Found(q.Only(ctx))
	if err != nil {
		return RefundRequest{}, err
	}
	return refundOf(e)
}

func readRefund(ctx context.Context, r pg.Reader, id uuid.UUID) (RefundRequest, Payment, error) {
	got, err := oneRefund(ctx, r.Ent().Refund.Query().Where(stored.BusinessID(r.Business()), stored.ID(id)))
	if err != nil {
		return RefundRequest{}, Payment{}, err
	}
	p, err := readPayment(ctx, r, got.PaymentID)
	return got, p, err
}

// lockRefund locks a refund after its payment, the order of all callers.
func lockRefund(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Payment, RefundRequest, error) {
	b := tx.Batch()
	p := lockPaymentBy(b, tx, `(select payment_id from refunds where business_id = $1 and id = $2)`, id)
	if err := b.Send(ctx); err != nil {
		return Payment{}, RefundRequest{}, err
	}
	payment, err := p()
	if err != nil {
		return Payment{}, RefundRequest{}, err
	}
	r, err := oneRefund(ctx, tx.Ent().Refund.Query().Where(stored.BusinessID(tx.Business()), stored.ID(id)).ForUpdate())
	return payment, r, err
}

func saveRefund(ctx context.Context, tx *pg.Tx, r RefundRequest) error {
	parts, err := json.Marshal(r.Parts)
	if err != nil {
		return err
	}
	u := tx.Ent().Refund.Update().Where(stored.BusinessID(tx.Business()), stored.ID(r.ID)).
		SetState(string(r.State)).SetFeeAmount(r.FeeAmount).SetParts(parts).SetUpdatedAt(tx.Now())
	if r.BalanceTransaction != "" {
		u.SetBalanceTransaction(r.BalanceTransaction)
	}
	if r.ExternalID != "" {
		u.SetExternalID(r.ExternalID)
	}
	if r.DueAt.IsZero() {
		u.ClearDueAt()
	} else {
		u.SetDueAt(r.DueAt)
	}
	return u.Exec(ctx)
}

// postponeRefund postpones a due refund, and reports whether it was due. One that succeeded so long ago is read for
// the last time.
func postponeRefund(ctx context.Context, tx *pg.Tx, id uuid.UUID, next time.Time) (bool, error) {
	n, err := tx.Exec(ctx, `update refunds set due_at = case when state <> 'succeeded' or created_at > $5 then $4::timestamptz end, updated_at = $3
		where business_id = $1 and id = $2 and due_at <= $3`, tx.Business(), id, tx.Now(), next, tx.Now().Add(-costsWithin))
	return n > 0, err
}

// refundOfExternal finds the refund of the processor's id, or, if the answer to its creation was lost, the one that
// the id in its metadata names, if that belongs to a payment on this account.
func refundOfExternal(ctx context.Context, r pg.Reader, account string, got processor.Refund) (uuid.UUID, bool, error) {
	named, err := uuid.Parse(got.Metadata["refund_id"])
	if err != nil {
		named = uuid.Nil
	}
	return pg.Find[uuid.UUID](ctx, r, `select r.id from refunds r join payments p on p.business_id = r.business_id and p.id = r.payment_id
		where r.business_id = $1 and p.account = $2 and p.intent = $3 and (r.external_id = $4 or r.external_id is null and r.id = $5)`,
		r.Business(), account, got.PaymentID, got.ID, named)
}
