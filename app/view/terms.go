package view

import (
	"errors"
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/words"
)

// Deadlines returns sentences about a booking: the amount due at the studio, the cost of cancelling, and the deadline
// for rescheduling. It returns none for a booking that has begun or does not stand.
func Deadlines(w Words, b booking.Booking, s booking.CostBasis) []string {
	cost, move := CancelTerms(w, b, s), ""
	if _, may := b.CustomerMay(booking.ActCancel, w.Now); b.MayReschedule(w.Now) == nil || b.Course() && may {
		move = Movable(w, b)
	}
	return NonEmpty(DueAtStudio(w, s.DueAmount, b.Currency), cost, move)
}

// DueAtStudio returns the text for an amount due at the studio; empty for zero.
func DueAtStudio(w Words, amount int64, cur money.Currency) string {
	if amount == 0 {
		return ""
	}
	return w.T("Due at the studio: {amount}.", "amount", w.Money(Price{Minor: amount, Currency: cur}))
}

// DeadlinesOf returns the deadlines of an item that is not booked yet. For a course start is that of its first date.
func DeadlinesOf(w Words, t catalog.Terms, start time.Time, cur money.Currency, s booking.CostBasis) []string {
	b := booking.Booking{State: booking.Confirmed, Rules: t.Rules, StartsAt: start, Currency: cur}
	if t.Course {
		b.CourseFrom = &start
	}
	if t.Approval {
		b.State = booking.Requested
	}
	return Deadlines(w, b, s)
}

// Movable returns the deadline for rescheduling a booking, whether ahead or past, or the reason that rescheduling is
// not possible.
func Movable(w Words, b booking.Booking) string {
	err := b.MayReschedule(w.Now)
	switch until := b.Rules.RescheduleUntil(b.StartsAt); {
	case err == nil:
		a, _ := b.CustomerMay(booking.ActReschedule, w.Now)
		return w.UntilWhen(b.StartsAt, a.Until, "You can reschedule until {when}.", "You can reschedule until it begins.")
	case errors.Is(err, booking.ErrTooLate):
		return w.T("You could reschedule until {when}.", "when", w.ShortWhen(until))
	case b.Course():
		return w.T("Cancelling applies to the whole course.")
	case errors.Is(err, booking.ErrNotAllowed) && b.Rules.Reschedule.Allowed:
		return w.T("You have rescheduled as often as the studio allows.")
	case errors.Is(err, booking.ErrNotAllowed):
		return w.T("You cannot reschedule online.")
	}
	return ""
}

// UntilWhen returns a sentence with a deadline. To readers the last instant before the start is the start itself.
func (w Words) UntilWhen(start, until time.Time, at, atStart words.Text) string {
	if start.Sub(until) < time.Second {
		return w.T(atStart)
	}
	return w.T(at, "when", w.ShortWhen(until))
}

// BalanceByCard explains when the balance due after a deposit is charged.
const BalanceByCard words.Text = "If you have a saved card with the studio, the balance due is charged to it on {when}."
