package ledger

import "github.com/google/uuid"

// CashTransfer is cash that went from the studio's own account into a drawer, or out of it: then amount is negative. id is of the drawer
// for what was in it when it was opened, else of the move.
func CashTransfer(at Context, id uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, id.String()}, EventTransfer, Cash, Bank, amount)
}

// CashCounted is how much more was in a drawer than there should be; less is negative.
func CashCounted(at Context, drawer uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, drawer.String()}, EventCounted, Cash, IncomeOther, amount)
}

// CashBanked is what of a drawer that was counted was taken to the bank.
func CashBanked(at Context, drawer uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, drawer.String()}, EventBanked, Bank, Cash, amount)
}

// SettlementEntry is money that was paid elsewhere and arrived on the studio's account, but for a fee.
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
