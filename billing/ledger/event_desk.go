package ledger

import "github.com/google/uuid"

// DeskSale is money that was taken at the desk: till says where it is. parts are what it was for: their amounts are positive.
func DeskSale(at Place, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventSale, till, parts, -1)
}

// DeskBack is money that was handed back at the desk, taking being what says so.
func DeskBack(at Place, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventBack, till, parts, 1)
}

// DeskVoid takes a DeskSale back that was a mistake, taking being what says so.
func DeskVoid(at Place, taking uuid.UUID, till Account, parts []Posting) Entry {
	return deskEntry(at, taking, EventVoid, till, parts, 1)
}

func deskEntry(at Place, taking uuid.UUID, event Event, till Account, parts []Posting, sign int64) Entry {
	e := Entry{Place: at, Source: Source{SourceTaking, taking.String()}, Event: event}
	e.move(till, parts, sign)
	return e
}

// Credited is credit that was granted to a customer by hand; less than nothing was taken away.
func Credited(at Place, move uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceCredit, move.String()}, EventGranted, IncomeOther, Credit, amount)
}

// CreditRefund is a card payment that was given back as credit, wholly or in part. parts are what it is given back for.
func CreditRefund(at Place, refund uuid.UUID, parts []Posting) Entry {
	e := Entry{Place: at, Source: Source{SourceRefund, refund.String()}, Event: EventBack}
	e.move(Credit, parts, 1)
	return e
}
