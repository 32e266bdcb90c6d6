package sales

import (
	"foyer/billing"
	"foyer/billing/processor"
)

// The state of a payment, in Go and in SQL: state, cardStateSQL and manualPaymentStateSQL agree.

// state is the state of a payment.
func (r row) state() State {
	switch r.Status {
	case processor.StatusSucceeded:
		switch {
		case r.Voided:
			return Void
		case r.Refunded == 0:
			return Paid
		case r.Refunded < r.Amount:
			return PartlyRefunded
		}
		return Refunded
	case processor.StatusProcessing, processor.StatusAuthorized:
		return Processing
	case billing.StatusFailed:
		return Failed
	case processor.StatusCanceled:
		if r.Released {
			return Refunded
		}
		fallthrough
	case billing.StatusNew:
		if r.FailureCode != "" {
			return Failed
		}
		return Canceled
	}
	if r.FailureCode != "" {
		return Failed
	}
	return Open
}

// Refunded amounts of both kinds.
var (
	cardBack   = billing.RefundedSQL("$1", "p.id")
	tenderBack = billing.TenderRefundedSQL("$1", "t.id")
)

// cardStateSQL reports whether a payment p is in a state. back is its refunded amount. After a decline it waits for
// another card, or is given up later: it has failed as long as it is not paid.
func cardStateSQL(s State, back string) string {
	switch s {
	case Open:
		return `(p.status in ('awaiting_method', 'awaiting_customer') and p.failure_code = '')`
	case Processing:
		return `(p.status in ('processing', 'authorized'))`
	case Paid:
		return `(p.status = 'succeeded' and ` + back + ` = 0)`
	case PartlyRefunded:
		return `(p.status = 'succeeded' and ` + back + ` between 1 and p.amount - 1)`
	case Refunded:
		return `(p.status = 'succeeded' and ` + back + ` = p.amount or ` + billing.ReleasedSQL("p") + `)`
	case Failed:
		return `(p.status = 'failed' or p.failure_code <> '' and p.status not in ('succeeded', 'processing', 'authorized') and not (` + billing.ReleasedSQL("p") + `))`
	case Canceled:
		return `(p.status in ('new', 'canceled') and p.failure_code = '' and p.outcome = '')`
	}
	return `false`
}

// manualPaymentStateSQL is cardStateSQL for a payment at the desk, t.
func manualPaymentStateSQL(s State, back string) string {
	switch s {
	case Paid:
		return `(t.state <> 'void' and ` + back + ` = 0)`
	case PartlyRefunded:
		return `(t.state <> 'void' and ` + back + ` between 1 and t.amount - 1)`
	case Refunded:
		return `(t.state <> 'void' and ` + back + ` = t.amount)`
	case Void:
		return `(t.state = 'void')`
	}
	return `false`
}
