package owed

import (
	"slices"
	"time"

	"foyer/app/plan"
)

// Attempt is the next attempt to have a billing period paid.
type Attempt struct {
	At   time.Time // zero: there is none, and the customer has the link that was mailed
	Card bool      // the saved card is charged; else a link is mailed
}

// NextAttempt returns the next attempt of RenewDue for an unpaid billing period. There is none after the last one,
// after a decline for which the same card is not tried again, and on the day on which the membership ends.
func NextAttempt(u plan.Unpaid, now time.Time) Attempt {
	next, days := Attempt{Card: u.CardSavedAt != nil}, linkDays
	if next.Card {
		since := func(at time.Time) bool { return u.TriedAt != nil && at.After(*u.TriedAt) }
		if since(*u.CardSavedAt) || since(*u.ConsentedAt) {
			next.At = now
			return next
		}
		if slices.Contains(hardDeclines, u.Failed) {
			return next
		}
		days = chargeDays
	}
	if u.Tries >= len(days) {
		return next
	}
	at := triedAt(u.Period, days[u.Tries])
	if u.TriedAt != nil && at.Before(u.TriedAt.Add(tryApart)) {
		at = u.TriedAt.Add(tryApart)
	}
	if at.Before(now) {
		at = now
	}
	if u.Today(at).Before(u.LapsesOn()) {
		next.At = at
	}
	return next
}
