package dispute

import (
	"log/slog"
	"time"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// Options are the dependencies of a Service. Without a processor there are no disputes.
type Options struct {
	DB        *pg.DB
	Processor processor.Processor // optional
	Log       *slog.Logger        // nil: the default one
	Billing   *billing.Service
	KeepFees  bool // keeps the platform fee of lost disputes
}

// Service stores disputes and sends evidence. It calls the processor outside any transaction, and is safe for
// concurrent use.
type Service struct {
	db        *pg.DB
	processor processor.Processor
	log       *slog.Logger
	billing   *billing.Service
	keepFees  bool
}

// New returns a Service. It panics if DB or Billing is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Billing == nil {
		panic("dispute: DB and Billing are needed")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Service{db: o.DB, processor: o.Processor, log: o.Log, billing: o.Billing, keepFees: o.KeepFees}
}

// remindersEvery is the interval of the sweep, in real time.
const remindersEvery = time.Minute

// Register adds the jobs and the sweep of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.SendEvidence)
	jobs.Handle(r, s.ReturnFee)
	jobs.Sweep(r, "dispute.reminders", remindersEvery, s.RemindDue)
}
