package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// RoundJob gives the free seats of a date to those who wait for it.
type RoundJob struct {
	Business   uuid.UUID `json:"business"`
	Occurrence uuid.UUID `json:"occurrence"`
}

// Kind names the job in the outbox.
func (RoundJob) Kind() string { return "booking.waitlist_round" }

// RunRoundsTx has rounds that are due run as soon as the transaction has committed.
func RunRoundsTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) error {
	for _, id := range occurrences {
		if err := jobs.EnqueueTx(ctx, tx, RoundJob{Business: tx.Business(), Occurrence: id}); err != nil {
			return err
		}
	}
	return nil
}

// RoundTx has the waitlists of these dates looked at once the transaction has committed: for whoever gave them more seats
// or moved them. The caller has the occurrences under lock.
func RoundTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) error {
	waiting, err := makeDue(ctx, tx, occurrences)
	if err != nil {
		return err
	}
	return RunRoundsTx(ctx, tx, waiting)
}
