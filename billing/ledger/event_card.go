package ledger

import "github.com/google/uuid"

// CardSale is the sale of a payment that succeeded. parts are what it was for: their amounts are positive, and their sum was put on
// the card.
func CardSale(at Context, payment uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourcePayment, payment.String()}, Event: EventSale}
	e.move(Clearing, parts, -1)
	return e
}

// CardRefund is money that has left the processor's balance for the customer. parts are what it is refunded for.
func CardRefund(at Context, refund uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourceRefund, refund.String()}, Event: EventRefund}
	e.move(Clearing, parts, 1)
	return e
}

// RefundFailed is CardRefund taken back: the customer's bank did not take the money, and the processor has it again.
func RefundFailed(at Context, refund uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourceRefund, refund.String()}, Event: EventFailed}
	e.move(Clearing, parts, -1)
	return e
}

// move posts parts with a sign, and their sum against where the money is.
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

// Fees are what was taken from the processor's balance for a payment, its own fee and the platform's, or what came back of them
// with a refund: then they are negative. txn is the balance transaction that says so.
func Fees(at Context, txn string, processor, platform int64) Entry {
	e := Entry{Context: at, Source: Source{SourceBalance, txn}, Event: EventFees}
	e.add(ProcessorFees, processor)
	e.add(BookingFees, platform)
	e.add(Clearing, -processor-platform)
	return e
}
