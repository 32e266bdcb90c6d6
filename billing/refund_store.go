package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/ent"
	stored "foyer/ent/refund"
)

func refundOf(e *ent.Refund) RefundRequest {
	r := RefundRequest{
		ID: e.ID, PaymentID: e.PaymentID, Amount: e.Amount, FeeAmount: e.FeeAmount, State: RefundState(e.State),
		Reason: RefundReason(e.Reason), CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
	}
	if e.DueAt != nil {
		r.DueAt = *e.DueAt
	}
	if e.ExternalID != nil {
		r.ExternalID = *e.ExternalID
	}
	return r
}

// refundedOf adds up what goes back of a payment; what failed does not.
func refundedOf(ctx context.Context, tx *pg.Tx, payment uuid.UUID) (int64, error) {
	return pg.One[int64](ctx, tx, `select coalesce(sum(amount), 0)::bigint from refunds
		where business_id = $1 and payment_id = $2 and state not in ('failed', 'canceled')`, tx.Business(), payment)
}

func insertRefund(ctx context.Context, tx *pg.Tx, r RefundRequest) error {
	return tx.Ent().Refund.Create().SetID(r.ID).SetBusinessID(tx.Business()).SetPaymentID(r.PaymentID).SetAmount(r.Amount).
		SetFeeAmount(r.FeeAmount).SetState(string(r.State)).SetReason(string(r.Reason)).SetDueAt(r.DueAt).
		SetCreatedAt(r.CreatedAt).SetUpdatedAt(r.UpdatedAt).Exec(ctx)
}

func oneRefund(ctx context.Context, q *ent.RefundQuery) (RefundRequest, error) {
	e, err := pg.Found(q.Only(ctx))
	if err != nil {
		return RefundRequest{}, err
	}
	return refundOf(e), nil
}

func readRefund(ctx context.Context, r pg.Reader, id uuid.UUID) (RefundRequest, Payment, error) {
	got, err := oneRefund(ctx, r.Ent().Refund.Query().Where(stored.BusinessID(r.Business()), stored.ID(id)))
	if err != nil {
		return RefundRequest{}, Payment{}, err
	}
	p, err := readPayment(ctx, r, got.PaymentID)
	return got, p, err
}

func lockRefund(ctx context.Context, tx *pg.Tx, id uuid.UUID) (RefundRequest, error) {
	return oneRefund(ctx, tx.Ent().Refund.Query().Where(stored.BusinessID(tx.Business()), stored.ID(id)).ForUpdate())
}

func saveRefund(ctx context.Context, tx *pg.Tx, r RefundRequest) error {
	u := tx.Ent().Refund.Update().Where(stored.BusinessID(tx.Business()), stored.ID(r.ID)).
		SetState(string(r.State)).SetFeeAmount(r.FeeAmount).SetUpdatedAt(tx.Now())
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

// postponeRefund puts a due refund off, and reports whether it was due.
func postponeRefund(ctx context.Context, tx *pg.Tx, id uuid.UUID, next time.Time) (bool, error) {
	n, err := tx.Ent().Refund.Update().
		Where(stored.BusinessID(tx.Business()), stored.ID(id), stored.DueAtLTE(tx.Now())).
		SetDueAt(next).SetUpdatedAt(tx.Now()).Save(ctx)
	return n > 0, err
}

// refundOfExternal finds the refund behind the processor's id, or, when the answer to its making was lost, the one that
// the id we put into its metadata names, if that belongs to a payment on this account.
func refundOfExternal(ctx context.Context, r pg.Reader, account string, got Refund) (uuid.UUID, bool, error) {
	named, err := uuid.Parse(got.Metadata["refund_id"])
	if err != nil {
		named = uuid.Nil
	}
	return pg.Find[uuid.UUID](ctx, r, `select r.id from refunds r join payments p on p.business_id = r.business_id and p.id = r.payment_id
		where r.business_id = $1 and p.account = $2 and p.intent = $3 and (r.external_id = $4 or r.external_id is null and r.id = $5)`,
		r.Business(), account, got.PaymentID, got.ID, named)
}
