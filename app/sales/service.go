package sales

import (
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// Options are the dependencies of a Service; all are required.
type Options struct {
	DB       *pg.DB
	Billing  *billing.Service
	Disputes *dispute.Service
	Orders   *order.Service
}

// Service lists and refunds payments. It is safe for concurrent use.
type Service struct{ o Options }

// New returns a Service. It panics if something is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Billing == nil || o.Disputes == nil || o.Orders == nil {
		panic("sales: DB, Billing, Disputes and Orders are needed")
	}
	return &Service{o: o}
}

// Errors of Refund, besides those of the processor.
var (
	// ErrCap means that the caller may refund only a part of a payment. details.cap is the maximum in all,
	// details.refunded the amount refunded already, both in minor units.
	ErrCap = fault.New(fault.Conflict, "refund_cap", "The amount is larger than your refund limit for a payment. Ask a staff member with a higher limit.")
	// ErrByCard means that a card payment cannot be voided.
	ErrByCard = fault.New(fault.Conflict, "paid_by_card", "A card payment cannot be voided. Refund it instead.")
	// ErrSharedFee means that another payment has paid a part of the same fee: a fee is paid or due as a whole.
	ErrSharedFee = fault.New(fault.Conflict, "shared_fee", "This payment paid a fee together with another payment. Refund it instead.")
	// ErrGoodsSold means that a payment was for goods: a void would leave them sold and unpaid.
	ErrGoodsSold = fault.New(fault.Conflict, "goods_sold",
		"This payment was for goods. Return the items and refund them instead.")
	// ErrNothingRefundable means that the requested amount is refunded already, or was never captured.
	ErrNothingRefundable = fault.New(fault.Conflict, "nothing_refundable", "Nothing of this is refundable.")
)

// Reasons lists the codes of the refusals, for the document of the API.
var Reasons = []string{
	checkout.ErrNothingToPay.Reason, owed.ErrMoreThanDue.Reason, owed.ErrFeesInFull.Reason, owed.ErrGoodsInFull.Reason,
	order.ErrSoldOut.Reason, order.ErrAlreadyReturned.Reason, credit.ErrShort.Reason,
	ErrCap.Reason, ErrByCard.Reason, ErrSharedFee.Reason, ErrGoodsSold.Reason,
	billing.ErrNotVoidable.Reason, ErrNothingRefundable.Reason, processor.ErrRefundTooLarge.Reason,
	processor.ErrRefundDisputed.Reason, billing.ErrRefundStep.Reason,
	checkout.ErrPaymentPending.Reason, processor.ErrCardRemoved.Reason, processor.ErrCardConsent.Reason, processor.ErrCardUnavailable.Reason, processor.ErrAmountRefused.Reason,
	billing.ErrBelowCardMinimum.Reason}
