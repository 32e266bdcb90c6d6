package billing

import (
	"context"
	"log/slog"
	"maps"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/port"
	"foyer/billing/credit"
	"foyer/billing/giftcard"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// Options are the dependencies of a Service. Processor is nil without keys: then cards are not offered and every
// method that needs one returns ErrNotConfigured.
type Options struct {
	DB        *pg.DB
	Processor processor.Processor
	Log       *slog.Logger // nil: the default one
	// KeepFees keeps the platform fee of lost disputes and of refunds on the processor's website.
	KeepFees bool
	// Domain is the host of the hosted pages, where wallets are to be offered; empty: on none, as a browser would not
	// there.
	Domain string
	// Sources are the sources of tenders besides account credit and gift cards.
	Sources tender.Sources
}

// Ports are the functions that billing needs of packages above it: of the one that sells, as a payment and the
// fulfilment of its order are one commit, and of those that store disputes and payouts, as all events arrive here.
// They are connected before the first payment.
type Ports struct {
	Orders Orders
	Plans  Purchases
	// Dispute and Payout read an object of an account again at the processor and store it, after its event.
	Dispute func(ctx context.Context, business uuid.UUID, account, id string) error
	Payout  func(ctx context.Context, business uuid.UUID, account, id string) error
}

// Orders is the source of payments.
type Orders interface {
	// Fulfil begins the fulfilment of a paid order, in the transaction that first learns of the payment's success: it
	// queues its locks and reads into the trip that locks the payment, behind it.
	Fulfil(b *pg.Batch, tx *pg.Tx, order uuid.UUID) Fulfil
	// Sold queues the reading of an order, and returns the parts of its payment once that is sent. They never change.
	Sold(b *pg.Batch, tx *pg.Tx, order uuid.UUID) func() ([]tender.Part, error)
}

// Fulfil fulfils an order once per payment, with the payment's row locked, and uses the database only: it returns
// OutcomeFulfilled, or OutcomeRefunded if the order cannot be fulfilled; the refund is then requested here.
type Fulfil func(ctx context.Context, p Payment) (Outcome, error)

// Service stores payments in the database, and calls the processor outside any transaction. It is safe for concurrent
// use.
//
// A payment with us has two statuses more than at the processor:
//
//	StartTx ─▶ new ──Attach──▶ awaiting_method … (package comment) … ──▶ succeeded ─┬─▶ outcome settled
//	            │ │                          │             └──▶ canceled          └─▶ outcome refunded + a refund
//	            │ │                          ╰ a studio decides (authorized.go): authorized, with its outcome
//	            │ │                                                  ─▶ succeeded or canceled
//	            │ └─ refused ─▶ failed, and the account is read again
//	            └─ no answer for five minutes: no browser has its secret ─▶ canceled
//
// A refund: pending ─▶ submitted ─▶ succeeded (─▶ failed, if the card turns out to be closed) · failed · canceled
//
// Invariants: Apply is the one way in for news of a payment, under its row's lock, and one that is done never
// changes. Success and the outcome are one commit. An order has at most one active payment. All refunds of a payment
// together do not exceed it. A call to the processor has a key that follows from the row, so a repetition after a
// crash is the same request. Sweeps find the work that an event or a job has lost. Payments and refunds are booked
// (package ledger) with the commit that stores the news of them.
type Service struct {
	port.Late[Ports]
	db        *pg.DB
	processor processor.Processor
	log       *slog.Logger

	keepFees bool
	domain   string
	sources  tender.Sources
}

// New returns a Service; its ports are to be connected. It panics if DB is missing: that is a mistake to find at
// start.
func New(o Options) *Service {
	if o.DB == nil {
		panic("billing: DB is needed")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	sources := tender.Sources{tender.AccountCredit: credit.Source{}, tender.GiftCard: giftcard.Source{}}
	maps.Copy(sources, o.Sources)
	return &Service{
		db: o.DB, processor: o.Processor, log: o.Log, keepFees: o.KeepFees, domain: o.Domain, sources: sources,
	}
}

// Errors of the methods, besides those of a call to the processor.
var (
	// ErrNotConfigured means that this installation has no processor.
	ErrNotConfigured = fault.New(fault.Conflict, "cards_not_configured", "Card payments are not set up on this system.")
	// ErrPaymentCanceled means that the payment was canceled; start another one.
	ErrPaymentCanceled = fault.New(fault.Conflict, "payment_cancelled", "This payment was cancelled. Try again.")
	// ErrMismatch means that the processor's payment is not the requested one. A person has to check it.
	ErrMismatch = fault.New(fault.Internal, "payment_mismatch", "The payment does not match the request.")
)

// Env returns the world of this service's objects; empty without a processor.
func (s *Service) Env() processor.Env {
	if s.processor == nil {
		return ""
	}
	return s.processor.Env()
}

// The intervals of the sweeps, in real time. TestSweepBooks of checkout depends on the first.
const (
	paymentsEvery = 10 * time.Second // with recheckFirst less than a minute
	refundsEvery  = 15 * time.Second
	tidyEvery     = time.Hour
)

// eventsKept is the time that an event is remembered, to recognize a repetition. The processor repeats for three
// days.
const eventsKept = 30 * 24 * time.Hour

// Register adds the jobs and sweeps of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.ProcessWebhook)
	jobs.Handle(r, s.SubmitRefund)
	jobs.Handle(r, s.CancelPayment)
	jobs.Handle(r, s.DecideAuthorized)
	jobs.Handle(r, s.RefreshAccount)
	jobs.Handle(r, s.DetachCard)
	jobs.Handle(r, s.ReturnFee)
	jobs.Handle(r, s.RegisterDomain)
	jobs.Sweep(r, "billing.payments", paymentsEvery, s.Recheck)
	jobs.Sweep(r, "billing.refunds", refundsEvery, s.RefundsDue)
	jobs.Sweep(r, "billing.tidy", tidyEvery, s.Tidy)
}

// eventsAtOnce is the number of events that a transaction of Tidy deletes.
const eventsAtOnce = 1000

// Tidy is the sweep billing.tidy: it deletes events that were processed eventsKept ago. One that could not be
// processed stays, to be examined. It can run in several processes at once.
func (s *Service) Tidy(ctx context.Context) error {
	return pg.Batches(eventsAtOnce, func() (int, error) {
		n, err := pg.InTx(ctx, s.db, uuid.Nil, func(tx *pg.Tx) (int64, error) { return dropEvents(ctx, tx, tx.Now().Add(-eventsKept)) })
		return int(n), err
	})
}
