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
