package ledger

import "github.com/google/uuid"

// GiftCardAdjusted returns the entry of an amount added to a gift card by hand; a negative amount was taken off it.
func GiftCardAdjusted(at Context, transaction uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceGiftCard, transaction.String()}, EventGranted, IncomeOther, GiftCards, amount)
}

// GiftCardExpired returns the entry of what was left of a gift card that has expired.
func GiftCardExpired(at Context, transaction uuid.UUID, amount int64) Entry {
	return twoSided(at, Source{SourceGiftCard, transaction.String()}, EventExpired, GiftCards, IncomeOther, amount)
}

// GiftCardLost returns the entry of what a gift card had paid when its purchase was refunded, by the refund; none for
// 0.
func GiftCardLost(at Context, refund uuid.UUID, amount int64) []Entry {
	return giftCardLoss(at, refund, EventRefund, amount)
}

// GiftCardFound reverses GiftCardLost: the refund failed.
func GiftCardFound(at Context, refund uuid.UUID, amount int64) []Entry {
	return giftCardLoss(at, refund, EventFailed, -amount)
}

func giftCardLoss(at Context, refund uuid.UUID, event Event, amount int64) []Entry {
	if amount == 0 {
		return nil
	}
	return []Entry{twoSided(at, Source{SourceGiftCard, refund.String()}, event, IncomeOther, GiftCards, amount)}
}
