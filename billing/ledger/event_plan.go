package ledger

import "github.com/google/uuid"

// PlanEarned returns the entry of a part of the price of a plan that is earned, by its redemption.
func PlanEarned(at Context, redemption uuid.UUID, deferred, income Account, amount int64) Entry {
	return twoSided(at, Source{SourceRedemption, redemption.String()}, EventEarned, deferred, income, amount)
}

// PlanLost returns the entry of a part of the price of a plan that was earned, and refunded all the same, by the
// refund; none for 0. With a negative amount it reverses that: the refund failed.
func PlanLost(at Context, refund uuid.UUID, deferred, income Account, amount int64) []Entry {
	event := EventRefund
	if amount < 0 {
		event = EventFailed
	}
	if amount == 0 {
		return nil
	}
	return []Entry{twoSided(at, Source{SourceRedemption, refund.String()}, event, income, deferred, amount)}
}
