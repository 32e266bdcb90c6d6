package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/schedule"
)

// makeDue makes a round due now at those of the occurrences where somebody waits, and returns them.
func makeDue(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `insert into waitlist_rounds (occurrence_id, business_id, due_at)
		select f.id, $1, $3 from unnest($2::uuid[]) as f (id)
		where exists (select from waitlist_entries e where e.business_id = $1 and e.occurrence_id = f.id and e.state = 'waiting')
		order by f.id
		on conflict (business_id, occurrence_id) do update set due_at = least(waitlist_rounds.due_at, excluded.due_at)
		returning occurrence_id`, tx.Business(), occurrences, tx.Now())
}

// reserved is schedule.ReservedSQL for statements whose time is $11.
var reserved = schedule.ReservedSQL("$11")

// DropRoundsTx forgets that the waitlists of these occurrences were to be looked at.
func DropRoundsTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from waitlist_rounds where business_id = $1 and occurrence_id = any($2)`, tx.Business(), occurrences)
	return err
}

// RoundDue tells whether free seats of the occurrence are about to be given to its waitlist.
func RoundDue(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select `+schedule.ReservedSQL("$3")+` from occurrences o where o.business_id = $1 and o.id = $2`,
		tx.Business(), occurrence, tx.Now())
}

// SetRoundTx says when the waitlist of an occurrence is looked at next; nil: there is nothing to look at.
func SetRoundTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, at *time.Time) error {
	if at == nil {
		_, err := tx.Exec(ctx, `delete from waitlist_rounds where business_id = $1 and occurrence_id = $2`, tx.Business(), occurrence)
		return err
	}
	_, err := tx.Exec(ctx, `insert into waitlist_rounds (occurrence_id, business_id, due_at) values ($2, $1, $3)
		on conflict (business_id, occurrence_id) do update set due_at = excluded.due_at`, tx.Business(), occurrence, *at)
	return err
}

// CloseAtTx has a list looked at when nobody is asked any more, if nothing is due before.
func CloseAtTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, at time.Time) error {
	_, err := tx.Exec(ctx, `insert into waitlist_rounds (occurrence_id, business_id, due_at) values ($2, $1, $3)
		on conflict (business_id, occurrence_id) do update set due_at = least(waitlist_rounds.due_at, excluded.due_at)`,
		tx.Business(), occurrence, at)
	return err
}
