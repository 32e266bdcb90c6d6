package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/processor"
)

// lockOrAddDispute locks a dispute as it was stored. A new one is added as it is: found is false.
func lockOrAddDispute(ctx context.Context, tx *pg.Tx, env processor.Env, account string, d processor.Dispute) (was knownDispute, found bool, err error) {
	id, added, err := pg.Find[uuid.UUID](ctx, tx, `insert into disputes (id, business_id, env, account, external_id, charge, amount, currency, status,
			reason, happened_at, created_at, updated_at)
		values (@id, @business, @env, @account, @external, @charge, @amount, @currency, @status, @reason, @happened, @now, @now)
		on conflict on constraint disputes_external_key do nothing returning id`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "env": env, "account": account, "external": d.ID, "charge": d.ChargeID, "amount": d.Amount,
		"currency": d.Currency, "status": d.Status, "reason": d.Reason, "happened": d.CreatedAt, "now": tx.Now(),
	})
	if err != nil || added {
		return knownDispute{ID: id}, false, err
	}
	was, err = pg.One[knownDispute](ctx, tx, `select id, status, evidence_due_by, remind_at from disputes
		where business_id = $1 and env = $2 and account = $3 and external_id = $4 for update`, tx.Business(), env, account, d.ID)
	return was, true, err
}

// saveDispute writes the state of a locked dispute.
func saveDispute(ctx context.Context, tx *pg.Tx, id uuid.UUID, d processor.Dispute, remind time.Time) error {
	_, err := tx.Exec(ctx, `update disputes d set amount = @amount, status = @status, reason = @reason, evidence_due_by = @due, remind_at = @remind,
			updated_at = @now, payment_id = coalesce(d.payment_id, (select id from payments p where p.business_id = @business and p.env = d.env
				and p.account = d.account and (p.intent = nullif(@intent::varchar, '') or p.charge = d.charge) limit 1))
		where d.business_id = @business and d.id = @id`, pg.Named{
		"id": id, "business": tx.Business(), "intent": d.PaymentID, "amount": d.Amount, "status": d.Status, "reason": d.Reason,
		"due": orNull(d.EvidenceDueBy), "remind": orNull(remind), "now": tx.Now(),
	})
	return err
}

// ownersOf returns the members who own the business.
func ownersOf(ctx context.Context, tx *pg.Tx) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select m.id from members m where m.business_id = $1 and m.deactivated_at is null
		and exists (select from member_roles r where r.business_id = $1 and r.member_id = m.id and r.role = 'owner') order by m.id`, tx.Business())
}

func dueDisputes(ctx context.Context, db *pg.DB, most int) ([]dueRow, error) {
	none := db.View(uuid.Nil)
	return pg.All[dueRow](ctx, none, `select business_id, id from app.due_disputes($1, $2)`, none.Now(), most)
}

// dueDispute is a dispute with a reminder due.
type dueDispute struct {
	Status        processor.DisputeStatus
	EvidenceDueBy time.Time `db:",null"`
	Submitted     bool
}

// claimReminder locks a dispute with a reminder due, unless another process has it.
func claimReminder(ctx context.Context, tx *pg.Tx, id uuid.UUID) (dueDispute, bool, error) {
	return pg.Find[dueDispute](ctx, tx, `select d.status, d.evidence_due_by, exists (select from dispute_answers a
				where a.business_id = d.business_id and a.dispute_id = d.id and a.submitted_at is not null) as submitted
		from disputes d where d.business_id = $1 and d.id = $2 and d.remind_at <= $3 for update of d skip locked`, tx.Business(), id, tx.Now())
}

func setReminder(ctx context.Context, tx *pg.Tx, id uuid.UUID, at time.Time) error {
	_, err := tx.Exec(ctx, `update disputes set remind_at = $3 where business_id = $1 and id = $2`, tx.Business(), id, orNull(at))
	return err
}

// openDisputes returns the undecided disputes of an account.
func openDisputes(ctx context.Context, r pg.Reader, env processor.Env, account string) ([]string, error) {
	return pg.All[string](ctx, r, `select external_id from disputes where business_id = $1 and env = $2 and account = $3
		and status not in ('won', 'lost', 'warning_closed') order by happened_at, id`, r.Business(), env, account)
}

// DisputedSQL reports whether the bank has withdrawn the money of a payment, or is about to: RequestRefundTx refuses
// it then. Business and payment are SQL.
func DisputedSQL(business, payment string) string {
	return `exists (select from disputes d where d.business_id = ` + business + ` and d.payment_id = ` + payment + `
		and d.status in ('needs_response', 'under_review', 'lost'))`
}

// disputedIn queues DisputedSQL for a payment.
func disputedIn(b *pg.Batch, tx *pg.Tx, payment uuid.UUID) *bool {
	disputed, found := new(bool), new(bool)
	pg.QueueOne(b, disputed, found, `select `+DisputedSQL("$1", "$2"), tx.Business(), payment)
	return disputed
}

// DisputesTx reports whether a customer has a dispute that the studio has not won: then nothing is charged off
// session.
func DisputesTx(ctx context.Context, tx *pg.Tx, customer uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select exists (select from disputes d
		join payments p on p.business_id = $1 and p.id = d.payment_id
		join orders o on o.business_id = $1 and o.id = p.order_id
		where d.business_id = $1 and o.customer_id = $2 and d.status in ('needs_response', 'under_review', 'lost'))`, tx.Business(), customer)
}
