package ledger

// Each of these comes from a balance transaction of the processor, txn, and its amounts have the signs that they have there: what
// comes to the studio's balance is positive, and a fee is positive when it is taken.

// Outside is a charge that the studio made without the product, or, negative, a refund of one.
func Outside(at Context, txn string, amount int64) Entry {
	e := moved(at, txn, EventOutside)
	e.add(Clearing, amount)
	e.add(Uncategorized, -amount)
	return e
}

// Disputed is money that a customer's bank took back, negative, or gave again; fee is the processor's for that. It touches neither
// income nor tax: the sale stands until the studio decides otherwise.
func Disputed(at Context, txn string, amount, fee int64) Entry {
	e := moved(at, txn, EventDispute)
	e.add(Clearing, amount-fee)
	e.add(Disputes, -amount)
	e.add(DisputeFees, fee)
	return e
}

// PaidOut is money that left for the studio's bank account, negative, or came from there: it was taken from it, or a payout failed.
// fee is the processor's for that.
func PaidOut(at Context, txn string, amount, fee int64) Entry {
	e := moved(at, txn, EventPayout)
	e.add(Clearing, amount-fee)
	e.add(Bank, -amount)
	e.add(ProcessorOther, fee)
	return e
}

// Platform is the platform's share, taken or refunded by itself and not with the charge or the refund that it is of.
func Platform(at Context, txn string, amount int64) Entry {
	e := moved(at, txn, EventPlatform)
	e.add(Clearing, amount)
	e.add(BookingFees, -amount)
	return e
}

// Other is what the processor takes or gives for no one payment, and all that has no place of its own.
func Other(at Context, txn string, amount int64) Entry {
	e := moved(at, txn, EventOther)
	e.add(Clearing, amount)
	e.add(ProcessorOther, -amount)
	return e
}

func moved(at Context, txn string, event Event) Entry {
	return Entry{Context: at, Source: Source{SourceBalance, txn}, Event: event}
}
