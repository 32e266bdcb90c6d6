package ledger

import "github.com/google/uuid"

// ManualPayment returns the entry of a payment at the desk: till is the account of its money. parts are its parts:
// their amounts are positive.
func ManualPayment(at Context, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventSale, till, parts, -1)
}

// ManualRefund returns the entry of a refund at the desk, taking being the id of the refund.
func ManualRefund(at Context, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventRefund, till, parts, 1)
}

// ManualVoid reverses a ManualPayment that was a mistake, taking being the id of the void.
func ManualVoid(at Context, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventVoid, till, parts, 1)
}

func deskEntry(at Context, taking uuid.UUID, event Event, till Account, parts []Posting, sign int64) Entry {
	e := Entry{Context: at, Source: Source{SourceManualPayment, taking.String()}, Event: event}
	e.move(till, parts, sign)
	return e
}

// Credited returns the entry of credit granted to a customer by hand; a negative amount was removed.
func Credited(at Context, move uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceCredit, move.String()}, EventGranted, IncomeOther, Credit, amount)
}

// CreditRefund returns the entry of a card payment refunded as credit, in full or in part. parts are the refunded
// parts.
func CreditRefund(at Context, refund uuid.UUID, parts []Posting) Entry {
	e := Entry{Context: at, Source: Source{SourceRefund, refund.String()}, Event: EventRefund}
	e.move(Credit, parts, 1)
	return e
}
