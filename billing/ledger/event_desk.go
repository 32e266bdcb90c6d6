package ledger

import "github.com/google/uuid"

// ManualPayment is money that was taken at the desk: till says where it is. parts are what it was for: their amounts are positive.
func ManualPayment(at Context, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventSale, till, parts, -1)
}

// ManualRefund is money that was handed back at the desk, taking being what says so.
func ManualRefund(at Context, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventRefund, till, parts, 1)
}

// ManualVoid takes a ManualPayment back that was a mistake, taking being what says so.
func ManualVoid(at Context, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventVoid, till, parts, 1)
}

func deskEntry(at Context, taking uuid.UUID, event Event, till Account, parts []Posting, sign int64) Entry {
	e := Entry{Context: at, Source: Source{SourceManualPayment, taking.String()}, Event: event}
	e.move(till, parts, sign)
	return e
}

// Credited is credit that was granted to a customer by hand; less than nothing was taken away.
func Credited(at Context, move uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceCredit, move.String()}, EventGranted, IncomeOther, Credit, amount)
}

// CreditRefund is a card payment that was refunded as credit, wholly or in part. parts are what it is refunded for.
func CreditRefund(at Context, refund uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourceRefund, refund.String()}, Event: EventRefund}
	e.move(Credit, parts, 1)
	return e
}
