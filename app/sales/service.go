package sales

import (
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/credit"
)

// Options are what a Service needs; all of it.
type Options struct {
	DB      *pg.DB
	Billing *billing.Service
	// ReceiptToken names the receipt of an order: checkout's.
	ReceiptToken func(order uuid.UUID) string
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct{ o Options }

// New returns a Service. It panics when something is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Billing == nil || o.ReceiptToken == nil {
		panic("sales: DB, Billing and ReceiptToken are needed")
	}
	return &Service{o: o}
}

// The refusals of Refund, besides those of the processor.
var (
	// ErrCap: whoever asks may give back a part of a payment only. details.cap is how much of it in all, details.refunded what went back
	// already, both in minor units.
	ErrCap = fault.New(fault.Conflict, "refund_cap", "This is more than you may give back of a payment. Ask somebody with a larger role.")
	// ErrByCard: a payment by card is no mistake of the desk's.
	ErrByCard = fault.New(fault.Conflict, "paid_by_card", "This was paid by card. Give the money back instead.")
	// ErrSharedFee: a fee is paid or due as a whole, and another payment has paid a part of it.
	ErrSharedFee = fault.New(fault.Conflict, "shared_fee", "This payment and another one paid a fee together. Give it back instead.")
	// ErrNothingRefundable: all that was asked for has gone back already, or was never taken.
	ErrNothingRefundable = fault.New(fault.Conflict, "nothing_left", "Nothing of this is left to give back.")
)

// Reasons lists the codes of the refusals, for the document of the API.
var Reasons = []string{checkout.ErrNothingToPay.Reason, checkout.ErrMoreThanDue.Reason, checkout.ErrFeesInFull.Reason, credit.ErrShort.Reason,
	ErrCap.Reason, ErrByCard.Reason, ErrSharedFee.Reason, billing.ErrNotVoidable.Reason, ErrNothingRefundable.Reason, billing.ErrRefundTooLarge.Reason, billing.ErrRefundDisputed.Reason,
	billing.ErrRefundStep.Reason,
	checkout.ErrPaymentPending.Reason, billing.ErrCardRemoved.Reason, billing.ErrCardConsent.Reason, billing.ErrCardUnavailable.Reason, billing.ErrAmountRefused.Reason,
	billing.ErrBelowCardMinimum.Reason}
