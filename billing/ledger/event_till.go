package ledger

import "github.com/google/uuid"

// CashTransfer returns the entry of cash paid into a drawer from the studio's own account, or out of it: then amount
// is negative. id is that of the drawer for its opening float, else of the pay in or pay out.
func CashTransfer(at Context, id uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, id.String()}, EventTransfer, Cash, Bank, amount)
}

// CashCounted returns the entry of a counted drawer that is over; short is negative.
func CashCounted(at Context, drawer uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, drawer.String()}, EventCounted, Cash, IncomeOther, amount)
}

// CashBanked returns the entry of the cash taken to the bank from a counted drawer.
func CashBanked(at Context, drawer uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, drawer.String()}, EventBanked, Bank, Cash, amount)
}

// SettlementEntry returns the entry of money paid by another method that arrived on the studio's account, less a fee.
func SettlementEntry(at Context, settlement uuid.UUID, arrived, fee int64) Entry {
	e := Entry{Context: at, Source: Source{SourceSettlement, settlement.String()}, Event: EventBanked}
	e.add(Bank, arrived)
	e.add(TrxFees, fee)
	e.add(ClearingOther, -arrived-fee)
	return e
}

func twoSided(at Context, of Source, event Event, debit, credit Account, amount int64) Entry {
	e := Entry{Context: at, Source: of, Event: event}
	e.add(debit, amount)
	e.add(credit, -amount)
	return e
}
