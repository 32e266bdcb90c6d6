package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// RoundJob offers the available seats of a date to its waitlist.
type RoundJob struct {
	Business   uuid.UUID `json:"business"`
	Occurrence uuid.UUID `json:"occurrence"`
}

// Kind names the job in the outbox.
func (RoundJob) Kind() string { return "booking.waitlist_round" }

// Terms are those of the kind.
func (RoundJob) Terms() jobs.Terms { return jobs.Upkeep() }

// RoundTx has the waitlists of these dates run once the transaction has committed: for changes that add seats or
// reschedule dates. The caller has the occurrences under lock.
func RoundTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) error {
	awaited, err := pg.All[uuid.UUID](ctx, tx, `insert into waitlist_rounds (occurrence_id, business_id, due_at)
		select f.id, $1, $3 from unnest($2::uuid[]) as f (id)
		where exists (select from waitlist_entries e where e.business_id = $1 and e.occurrence_id = f.id and e.state = 'waiting')
		order by f.id
		on conflict (business_id, occurrence_id) do update set due_at = least(waitlist_rounds.due_at, excluded.due_at)
		returning occurrence_id`, tx.Business(), occurrences, tx.Now())
	for _, id := range awaited {
		if err := jobs.EnqueueTx(ctx, tx, RoundJob{Business: tx.Business(), Occurrence: id}); err != nil {
			return err
		}
	}
	return err
}

// DropRoundsTx cancels the pending rounds of the waitlists of these occurrences.
func DropRoundsTx(ctx context.Context, tx *pg.Tx, occurrences ...uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from waitlist_rounds where business_id = $1 and occurrence_id = any($2)`, tx.Business(), occurrences)
	return err
}

// RoundDue reports whether a round of the occurrence's waitlist is pending.
func RoundDue(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select `+schedule.ReservedSQL("$3")+` from occurrences o where o.business_id = $1 and o.id = $2`,
		tx.Business(), occurrence, tx.Now())
}

// SetRoundTx sets the time of the next round of the waitlist of an occurrence.
func SetRoundTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, at time.Time) error {
	_, err := tx.Exec(ctx, `insert into waitlist_rounds (occurrence_id, business_id, due_at) values ($2, $1, $3)
		on conflict (business_id, occurrence_id) do update set due_at = excluded.due_at`, tx.Business(), occurrence, at)
	return err
}

// CloseAtTx schedules a round of a waitlist for the end of its offers, if none is due before.
func CloseAtTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, at time.Time) error {
	_, err := tx.Exec(ctx, `insert into waitlist_rounds (occurrence_id, business_id, due_at) values ($2, $1, $3)
		on conflict (business_id, occurrence_id) do update set due_at = least(waitlist_rounds.due_at, excluded.due_at)`,
		tx.Business(), occurrence, at)
	return err
}
