package ledger

import "github.com/google/uuid"

// CardSale returns the entry of a payment that succeeded. parts are its parts: their amounts are positive, and their
// sum is the amount on the card.
func CardSale(at Context, payment uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourcePayment, payment.String()}, Event: EventSale}
	e.move(Clearing, parts, -1)
	return e
}

// CardRefund returns the entry of a refund that has left the processor's balance. parts are the refunded parts.
func CardRefund(at Context, refund uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourceRefund, refund.String()}, Event: EventRefund}
	e.move(Clearing, parts, 1)
	return e
}

// RefundFailed reverses CardRefund: the customer's bank did not accept the refund, and the money is at the processor
// again.
func RefundFailed(at Context, refund uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourceRefund, refund.String()}, Event: EventFailed}
	e.move(Clearing, parts, -1)
	return e
}

// move posts parts with a sign, and the opposite of their sum to the account of the money.
func (e *Entry) move(where Account, parts []Posting, sign int64) {
	var sum int64
	for _, p := range parts {
		sum += p.Amount
	}
	e.add(where, -sign*sum)
	for _, p := range parts {
		e.post(Posting{p.Account, sign * p.Amount, sign * p.Base})
	}
}

// Fees returns the entry of the fees of a payment, the processor's own and the platform's, or of those refunded with
// a refund: then they are negative. txn is their balance transaction.
func Fees(at Context, txn string, processor, platform int64) Entry {
	e := Entry{Context: at, Source: Source{SourceBalance, txn}, Event: EventFees}
	e.add(ProcessorFees, processor)
	e.add(BookingFees, platform)
	e.add(Clearing, -processor-platform)
	return e
}
