package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// Options are what a Service needs.
type Options struct {
	DB *pg.DB
	// RefundTx tells what was paid for bookings, and asks for it to go back where it says so: checkout.Service.RefundTx.
	RefundTx func(ctx context.Context, tx *pg.Tx, asks []Refund) (map[uuid.UUID]Refunded, error)
	// RoundsAt looks at the waitlists of occurrences if that is due, and reports whether it was for any:
	// waitlist.Service.RoundsAt.
	RoundsAt func(ctx context.Context, business uuid.UUID, occurrences []uuid.UUID) (bool, error)
}

// Service has the verbs of this package that open their own transaction. It is safe for concurrent use.
type Service struct {
	db *pg.DB
	o  Options
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.RefundTx == nil || o.RoundsAt == nil {
		panic("booking: an option is missing")
	}
	return &Service{db: o.DB, o: o}
}

// Register puts the sweeps of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "booking.expire", sweepEvery, s.ExpireDue)
	jobs.Sweep(r, "booking.complete", completeEvery, s.CompleteDue)
}

// sweepEvery is how often overdue holds are looked for, in real time. Nobody waits for it: whoever finds a time full
// ends the overdue holds there at once (ExpireAt).
const sweepEvery = 2 * time.Second

// completeEvery is how often bookings are looked for whose time is over, in every business. Nothing waits for it.
const completeEvery = 5 * time.Minute
