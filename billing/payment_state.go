package billing

import "foyer/billing/processor"

// The state of a payment, in Go and of a row of payments in SQL. A payment is open until it is done; it is active, so
// that the order has no other, until it failed or was canceled.

// Done reports whether the payment cannot change any more.
func (p Payment) Done() bool { return p.Status.Final() || p.Status == StatusFailed }

// OpenSQL is the negation of Payment.Done.
func OpenSQL(payment string) string {
	return payment + `.status not in ('succeeded', 'failed', 'canceled')`
}

// Active reports whether the payment is the one of its order, so that no other can replace it. The index
// payments_one_open is the same.
func (p Payment) Active() bool { return !p.Done() || p.Status == processor.StatusSucceeded }

// ActiveSQL is Payment.Active.
func ActiveSQL(payment string) string { return payment + `.status not in ('failed', 'canceled')` }

// InTransit reports whether money may be in transit, so that nothing can replace the payment.
func (p Payment) InTransit() bool {
	return p.Status == processor.StatusProcessing || p.Status == processor.StatusAuthorized ||
		p.Status == processor.StatusSucceeded
}

// Authorized reports whether the payment is authorized until the studio has decided.
func (p Payment) Authorized() bool { return p.OnApproval && p.Status == processor.StatusAuthorized }

// AuthorizedSQL is Payment.Authorized.
func AuthorizedSQL(payment string) string {
	return payment + `.on_approval and ` + payment + `.status = 'authorized'`
}

// Paid reports whether the customer has done their part: the payment is captured, or authorized.
func (p Payment) Paid() bool { return p.Status == processor.StatusSucceeded || p.Authorized() }

// ReleasedSQL reports whether the payment was authorized and released: it was never captured.
func ReleasedSQL(payment string) string {
	return payment + `.outcome <> '' and ` + payment + `.status = 'canceled'`
}
