package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// How often the sweeps look, in real time.
const (
	paymentsEvery = 15 * time.Second
	refundsEvery  = 15 * time.Second
	tidyEvery     = time.Hour
)

// eventsKept is how long an event is remembered, so that a repetition is known. The processor repeats for three days.
const eventsKept = 30 * 24 * time.Hour

// Register puts the jobs and sweeps of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.ProcessWebhook)
	jobs.Handle(r, s.SubmitRefund)
	jobs.Handle(r, s.CancelPayment)
	jobs.Handle(r, s.RefreshAccount)
	jobs.Sweep(r, "billing.payments", paymentsEvery, s.Recheck)
	jobs.Sweep(r, "billing.refunds", refundsEvery, s.RefundsDue)
	jobs.Sweep(r, "billing.tidy", tidyEvery, s.Tidy)
}

// Tidy forgets events that were processed a month ago, a thousand at a time.
func (s *Service) Tidy(ctx context.Context) error {
	_, err := pg.InTx(ctx, s.db, uuid.Nil, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, dropEvents(ctx, tx, tx.Now().Add(-eventsKept))
	})
	return err
}
