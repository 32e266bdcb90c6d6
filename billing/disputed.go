package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// withdrawnStates are the states of a dispute whose money the bank has withdrawn, or is about to.
const withdrawnStates = `('needs_response', 'under_review', 'lost')`

// DisputedSQL reports whether the bank has withdrawn the money of a payment, or is about to: RefundTx refuses
// it then. Business and payment are SQL.
func DisputedSQL(business, payment string) string {
	return `exists (select from disputes d where d.business_id = ` + business + ` and d.payment_id = ` + payment + `
		and d.status in ` + withdrawnStates + `)`
}

// disputedIn queues DisputedSQL for a payment.
func disputedIn(b *pg.Batch, tx *pg.Tx, payment uuid.UUID) *bool {
	disputed, found := new(bool), new(bool)
	pg.QueueOne(b, disputed, found, `select `+DisputedSQL("$1", "$2"), tx.Business(), payment)
	return disputed
}

// Disputes reports whether a customer has a dispute that the studio has not won: then nothing is charged off
// session.
func Disputes(ctx context.Context, r pg.Reader, customer uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, r, `select exists (select from disputes d
		join payments p on p.business_id = $1 and p.id = d.payment_id
		join orders o on o.business_id = $1 and o.id = p.order_id
		where d.business_id = $1 and o.customer_id = $2 and d.status in `+withdrawnStates+`)`,
		r.Business(), customer)
}
