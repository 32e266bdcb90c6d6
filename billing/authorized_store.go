package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// lockAuthorized locks the authorized payments of orders, in the order of their ids.
func lockAuthorized(ctx context.Context, tx *pg.Tx, orders []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from payments where business_id = $1 and order_id = any($2) and `+AuthorizedSQL("payments")+`
		order by id for update`, tx.Business(), orders)
}

// markForCapture marks an authorized payment for capture. Its row is locked.
func markForCapture(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `update payments set wanted = true, updated_at = $3 where business_id = $1 and id = $2 and not wanted`,
		tx.Business(), id, tx.Now())
	return err
}

// requestedRefunds returns the amount of a payment to refund to its card.
func requestedRefunds(ctx context.Context, r pg.Reader, payment uuid.UUID) (int64, error) {
	return pg.One[int64](ctx, r, `select coalesce(sum(amount), 0)::bigint from refunds where business_id = $1 and payment_id = $2
		and destination = 'original' and `+CountsSQL("refunds"), r.Business(), payment)
}

// pendingRefunds returns the refunds of a payment that the processor does not have.
func pendingRefunds(ctx context.Context, r pg.Reader, payment uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select id from refunds where business_id = $1 and payment_id = $2 and state = 'pending' order by created_at, id`,
		r.Business(), payment)
}

// endRefundsIn queues the success of a payment's pending refunds.
func endRefundsIn(b *pg.Batch, tx *pg.Tx, payment uuid.UUID) {
	pg.QueueExec(b, `update refunds set state = 'succeeded', due_at = null, updated_at = $3 where business_id = $1 and payment_id = $2 and state = 'pending'`,
		tx.Business(), payment, tx.Now())
}
