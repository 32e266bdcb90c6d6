package owed

import (
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
	next := Attempt{Card: u.CardSavedAt != nil}
	at, left := nextTry(u.Period, u.CardSavedAt)
	if at.Before(now) {
		at = now
	}
	if left && u.Today(at).Before(u.LapsesOn()) {
		next.At = at
	}
	return next
}
