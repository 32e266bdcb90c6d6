package ledger

import "github.com/google/uuid"

// CashMoved is cash that went from the studio's own account into a drawer, or out of it: then amount is negative. id is of the drawer
// for what was in it when it was opened, else of the move.
func CashMoved(at Place, id uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, id.String()}, EventMoved, Cash, Bank, amount)
}

// CashCounted is how much more was in a drawer than there should be; less is negative.
func CashCounted(at Place, drawer uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, drawer.String()}, EventCounted, Cash, IncomeOther, amount)
}

// CashBanked is what of a drawer that was counted was taken to the bank.
func CashBanked(at Place, drawer uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceDrawer, drawer.String()}, EventBanked, Bank, Cash, amount)
}

// Settled is money that was paid elsewhere and arrived on the studio's account, but for a fee.
func Settled(at Place, settlement uuid.UUID, arrived, fee int64) Entry {
	e := Entry{Place: at, Source: Source{SourceSettled, settlement.String()}, Event: EventBanked}
	e.add(Bank, arrived)
	e.add(TrxFees, fee)
	e.add(ClearingElsewhere, -arrived-fee)
	return e
}

func twoSided(at Place, of Source, event Event, debit, credit Account, amount int64) Entry {
	e := Entry{Place: at, Source: of, Event: event}
	e.add(debit, amount)
	e.add(credit, -amount)
	return e
}
