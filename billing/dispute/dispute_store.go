package dispute

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
		"due": pg.OrNull(d.EvidenceDueBy), "remind": pg.OrNull(remind), "now": tx.Now(),
	})
	return err
}

func dueDisputes(ctx context.Context, db *pg.DB, most int) ([]pg.Keyed, error) {
	none := db.View(uuid.Nil)
	return pg.All[pg.Keyed](ctx, none, `select business_id, id from app.due_disputes($1, $2)`, none.Now(), most)
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
	_, err := tx.Exec(ctx, `update disputes set remind_at = $3 where business_id = $1 and id = $2`, tx.Business(), id, pg.OrNull(at))
	return err
}

// openDisputes returns the undecided disputes of an account.
func openDisputes(ctx context.Context, r pg.Reader, env processor.Env, account string) ([]string, error) {
	return pg.All[string](ctx, r, `select external_id from disputes where business_id = $1 and env = $2 and account = $3
		and status not in ('won', 'lost', 'warning_closed') order by happened_at, id`, r.Business(), env, account)
}
