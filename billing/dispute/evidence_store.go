package dispute

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing/processor"
)

const evidenceColumns = `words, version, submitted_at, taken_at as accepted_at, refused`

func readEvidence(ctx context.Context, r pg.Reader, dispute uuid.UUID) (Evidence, bool, error) {
	return pg.Find[Evidence](ctx, r, `select `+evidenceColumns+` from dispute_answers where business_id = $1
		and dispute_id = $2`, r.Business(), dispute)
}

// lockDispute locks a dispute and its evidence. It returns a not found error for an unknown one.
func lockDispute(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, found, err := pg.Find[uuid.UUID](ctx, tx, `select id from disputes where business_id = $1 and id = $2 for update`, tx.Business(), id)
	return fault.When(!found, fault.Missing(), err)
}

// saveEvidence writes a draft. The dispute is locked.
func saveEvidence(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, words processor.Evidence) (Evidence, error) {
	return pg.One[Evidence](ctx, tx, `insert into dispute_answers (id, business_id, dispute_id, words, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $5)
		on conflict on constraint dispute_answers_one do update set words = excluded.words, refused = '', version = dispute_answers.version + 1,
			updated_at = excluded.updated_at
		returning `+evidenceColumns, pg.NewID(), tx.Business(), dispute, words, tx.Now())
}

// submitEvidence marks the draft as submitted. The dispute is locked.
func submitEvidence(ctx context.Context, tx *pg.Tx, dispute uuid.UUID) (Evidence, error) {
	return pg.One[Evidence](ctx, tx, `update dispute_answers set submitted_at = $3, refused = '', version = version + 1, updated_at = $3
		where business_id = $1 and dispute_id = $2 returning `+evidenceColumns, tx.Business(), dispute, tx.Now())
}

func evidenceAccepted(ctx context.Context, tx *pg.Tx, dispute uuid.UUID) error {
	_, err := tx.Exec(ctx, `update dispute_answers set taken_at = $3, version = version + 1, updated_at = $3
		where business_id = $1 and dispute_id = $2 and submitted_at is not null and taken_at is null`, tx.Business(), dispute, tx.Now())
	return err
}

func evidenceRefused(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, why string) error {
	_, err := tx.Exec(ctx, `update dispute_answers set submitted_at = null, refused = $4, version = version + 1, updated_at = $3
		where business_id = $1 and dispute_id = $2 and taken_at is null`, tx.Business(), dispute, tx.Now(), why)
	return err
}

// reopenEvidence makes submitted evidence a draft again.
func reopenEvidence(ctx context.Context, tx *pg.Tx, dispute uuid.UUID) error {
	_, err := tx.Exec(ctx, `update dispute_answers set submitted_at = null, taken_at = null, version = version + 1, updated_at = $3
		where business_id = $1 and dispute_id = $2`, tx.Business(), dispute, tx.Now())
	return err
}

// unsentEvidence returns the disputes of an account with evidence that was submitted and not received by the
// processor.
func unsentEvidence(ctx context.Context, r pg.Reader, env processor.Env, account string) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select d.id from disputes d join dispute_answers a on a.business_id = d.business_id and a.dispute_id = d.id
		where d.business_id = $1 and d.env = $2 and d.account = $3 and a.submitted_at is not null and a.taken_at is null order by d.id`,
		r.Business(), env, account)
}
