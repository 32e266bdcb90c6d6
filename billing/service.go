package billing

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/port"
)

// Options are what a Service needs. Processor is nil where no keys are set: then cards are not offered and every verb
// that would need one answers ErrNotConfigured.
type Options struct {
	DB        *pg.DB
	Processor Processor
	Log       *slog.Logger // nil: the default one
	// KeepFees keeps the platform fee of what went back without us: a dispute that was lost, a refund on the processor's own site.
	KeepFees bool
	// Domain is the host of the hosted pages, on which wallets are to be offered; empty: on none, for a browser would not there.
	Domain string
}

// Ports are what billing needs of the package that sells, which is made of billing and stands above it: a payment and what
// becomes of what it pays for are one commit. They are connected before the first payment.
type Ports struct {
	Orders Orders
}

// Orders is what payments are for.
type Orders interface {
	// Fulfil begins to decide what becomes of the money of an order's payment, in the transaction that first learns that it
	// succeeded: it queues what it locks and reads into the trip that locks the payment, behind it.
	Fulfil(b *pg.Batch, tx *pg.Tx, order uuid.UUID) Fulfil
	// Sold queues that an order is read, and gives what its payment is for once that is sent. It never changes.
	Sold(b *pg.Batch, tx *pg.Tx, order uuid.UUID) func() ([]Part, error)
}

// Fulfil decides, once per payment, with the payment's row locked, and does no more than the database: OutcomeFulfilled when what
// was paid for is given, OutcomeRefunded when it cannot be; the refund is then asked for here.
type Fulfil func(ctx context.Context, p Payment) (Outcome, error)

// Service is the part of the package that keeps what happened in the database, and asks the processor outside of any
// transaction. It is safe for concurrent use.
//
// A payment with us has two statuses more than at the processor:
//
//	StartTx ─▶ new ──Attach──▶ awaiting_method … (package comment) … ──▶ succeeded ─┬─▶ outcome settled
//	            │ │                                   │             └──▶ canceled   └─▶ outcome refunded + a refund
//	            │ │                                   ╰ held for a studio to decide (held.go): authorized, with its outcome ─▶ succeeded or canceled
//	            │ └─ refused ─▶ failed, and the account is looked at
//	            └─ no answer for five minutes: nobody has its secret ─▶ canceled
//
// A refund: pending ─▶ submitted ─▶ succeeded (─▶ failed, when the card turns out to be closed) · failed · canceled
//
// What always holds: Apply is the one way in for news of a payment, under its row's lock, and one that is over never
// changes. Success and what became of the money are one commit. An order has at most one payment that is not given up.
// All refunds of a payment together are no more than it. What is asked of the processor has a key that follows from the
// row, so asking again after a crash is the same request. Sweeps find what an event or a job has lost. Money that moved is
// in the books (package ledger) with the commit that keeps the news of it.
type Service struct {
	port.Late[Ports]
	db        *pg.DB
	processor Processor
	log       *slog.Logger

	keepFees bool
	domain   string
}

// New returns a Service, whose ports are to be connected. It panics when DB is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil {
		panic("billing: DB is needed")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Service{db: o.DB, processor: o.Processor, log: o.Log, keepFees: o.KeepFees, domain: o.Domain}
}

// The refusals of the verbs, besides what a call to the processor can fail with.
var (
	// ErrNotConfigured: this installation has no processor.
	ErrNotConfigured = fault.New(fault.Conflict, "cards_not_configured", "Card payments are not set up on this system.")
	// ErrCardUnavailable: the studio cannot take cards here, or not now.
	ErrCardUnavailable = fault.New(fault.Conflict, "card_unavailable", "The studio does not take cards here at the moment.")
	// ErrPaymentCanceled: the payment was given up; start another one.
	ErrPaymentCanceled = fault.New(fault.Conflict, "payment_gone", "This payment was given up. Try again.")
	// ErrMismatch: the processor's payment is not the one that was asked for. A person has to look.
	ErrMismatch = fault.New(fault.Internal, "payment_mismatch", "The payment does not match what was asked for.")
)

// Env is the world whose objects this service uses; empty without a processor.
func (s *Service) Env() Env {
	if s.processor == nil {
		return ""
	}
	return s.processor.Env()
}

// How often the sweeps look, in real time. TestSweepBooks of checkout knows the first.
const (
	paymentsEvery = 10 * time.Second // with recheckFirst less than a minute
	refundsEvery  = 15 * time.Second
	listingsEvery = 30 * time.Second
	disputesEvery = time.Minute
	tidyEvery     = time.Hour
)

// eventsKept is how long an event is remembered, so that a repetition is known. The processor repeats for three days.
const eventsKept = 30 * 24 * time.Hour

// Register puts the jobs and sweeps of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.ProcessWebhook)
	jobs.Handle(r, s.SubmitRefund)
	jobs.Handle(r, s.CancelPayment)
	jobs.Handle(r, s.DecideAuthorized)
	jobs.Handle(r, s.RefreshAccount)
	jobs.Handle(r, s.DetachCard)
	jobs.Handle(r, s.ReturnFee)
	jobs.Handle(r, s.SendEvidence)
	jobs.Handle(r, s.RegisterDomain)
	jobs.Sweep(r, "billing.payments", paymentsEvery, s.Recheck)
	jobs.Sweep(r, "billing.refunds", refundsEvery, s.RefundsDue)
	jobs.Sweep(r, "billing.listings", listingsEvery, s.ListingsDue)
	jobs.Sweep(r, "billing.disputes", disputesEvery, s.DisputesDue)
	jobs.Sweep(r, "billing.tidy", tidyEvery, s.Tidy)
}

// eventsAtOnce is how many events a transaction of Tidy deletes.
const eventsAtOnce = 1000

// Tidy is the sweep billing.tidy: it forgets events that were processed eventsKept ago. One that could not be processed stays, to
// be looked at. It can run in several processes at once.
func (s *Service) Tidy(ctx context.Context) error {
	return pg.Batches(eventsAtOnce, func() (int, error) {
		n, err := pg.InTx(ctx, s.db, uuid.Nil, func(tx *pg.Tx) (int64, error) { return dropEvents(ctx, tx, tx.Now().Add(-eventsKept)) })
		return int(n), err
	})
}
