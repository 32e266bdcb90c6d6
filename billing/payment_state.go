package billing

// Where a payment stands, in Go and of a row of payments in SQL. A payment is open until it is over; it stands, so that the order has no
// other, until it failed or was canceled.

// Done reports whether the payment cannot change any more.
func (p Payment) Done() bool { return p.Status.Final() || p.Status == StatusFailed }

// OpenSQL is the opposite of Payment.Done.
func OpenSQL(payment string) string {
	return payment + `.status not in ('succeeded', 'failed', 'canceled')`
}

// Active reports whether the payment is the one of its order: nothing else may take its place. The index payments_one_open is the same.
func (p Payment) Active() bool { return !p.Done() || p.Status == StatusSucceeded }

// ActiveSQL is Payment.Active.
func ActiveSQL(payment string) string { return payment + `.status not in ('failed', 'canceled')` }

// Moving reports whether money may be on its way, so that nothing may take the payment's place.
func (p Payment) Moving() bool {
	return p.Status == StatusProcessing || p.Status == StatusAuthorized || p.Status == StatusSucceeded
}

// Authorized reports whether the money is held on the card until the studio has decided.
func (p Payment) Authorized() bool { return p.OnApproval && p.Status == StatusAuthorized }

// AuthorizedSQL is Payment.Authorized.
func AuthorizedSQL(payment string) string {
	return payment + `.on_approval and ` + payment + `.status = 'authorized'`
}

// Paid reports whether the customer has done their part: the money is taken, or held on their card.
func (p Payment) Paid() bool { return p.Status == StatusSucceeded || p.Authorized() }

// ReleasedSQL reports whether the money was held on the card and is the customer's again: it was never taken.
func ReleasedSQL(payment string) string {
	return payment + `.outcome <> '' and ` + payment + `.status = 'canceled'`
}
