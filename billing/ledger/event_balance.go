package ledger

// Each of these comes from a balance transaction of the processor, txn, and its amounts have the signs that they have
// there: an increase of the studio's balance is positive, and a fee is positive when it is charged.

// Outside returns the entry of a charge that the studio made without the product, or, negative, of a refund of one.
func Outside(at Context, txn string, amount int64) Entry {
	e := moved(at, txn, EventOutside)
	e.add(Clearing, amount)
	e.add(Uncategorized, -amount)
	return e
}

// Disputed returns the entry of a payment that a customer's bank reversed, negative, or reinstated; fee is the
// processor's for that. It changes neither income nor tax: the sale stands until the studio decides otherwise.
func Disputed(at Context, txn string, amount, fee int64) Entry {
	e := moved(at, txn, EventDispute)
	e.add(Clearing, amount-fee)
	e.add(Disputes, -amount)
	e.add(DisputeFees, fee)
	return e
}

// PaidOut returns the entry of a payout to the studio's bank account, negative, or of a debit of it or a failed
// payout. fee is the processor's for that.
func PaidOut(at Context, txn string, amount, fee int64) Entry {
	e := moved(at, txn, EventPayout)
	e.add(Clearing, amount-fee)
	e.add(Bank, -amount)
	e.add(ProcessorOther, fee)
	return e
}

// Platform returns the entry of the platform's share, collected or refunded by itself and not with its charge or
// refund.
func Platform(at Context, txn string, amount int64) Entry {
	e := moved(at, txn, EventPlatform)
	e.add(Clearing, amount)
	e.add(BookingFees, -amount)
	return e
}

// Other returns the entry of a processor's fee or credit for no single payment, and of all other transactions.
func Other(at Context, txn string, amount int64) Entry {
	e := moved(at, txn, EventOther)
	e.add(Clearing, amount)
	e.add(ProcessorOther, -amount)
	return e
}

func moved(at Context, txn string, event Event) Entry {
	return Entry{Context: at, Source: Source{SourceBalance, txn}, Event: event}
}
