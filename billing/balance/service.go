package balance

import (
	"log/slog"
	"time"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// Options are the dependencies of a Service. Without a processor nothing is listed.
type Options struct {
	DB        *pg.DB
	Processor processor.Processor // optional
	Log       *slog.Logger        // nil: the default one
	Billing   *billing.Service
	Disputes  *dispute.Service
}

// Service lists the accounts of studios and books what it finds. It calls the processor outside any transaction, and is
// safe for concurrent use.
type Service struct {
	db        *pg.DB
	processor processor.Processor
	log       *slog.Logger
	billing   *billing.Service
	dispute   *dispute.Service
}

// New returns a Service. It panics if DB, Billing or Disputes is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Billing == nil || o.Disputes == nil {
		panic("balance: DB, Billing and Disputes are needed")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Service{db: o.DB, processor: o.Processor, log: o.Log, billing: o.Billing, dispute: o.Disputes}
}

// listingsEvery is the interval of the sweep, in real time.
const listingsEvery = 30 * time.Second

// Register adds the sweep of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "balance.listings", listingsEvery, s.ListingsDue)
}
