package view

import (
	"errors"
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/words"
)

// Deadlines says what is to be paid for a booking at the studio, what it costs to cancel it, in one sentence, and until when it can be moved. Nothing for one that has
// begun or does not stand.
func Deadlines(w Words, b booking.Booking, s booking.CostBasis) []string {
	cost, move := CancelTerms(w, b, s), ""
	if _, may := b.CustomerMay(booking.ActCancel, w.Now); b.MayReschedule(w.Now) == nil || b.Course() && may {
		move = Movable(w, b)
	}
	return NonEmpty(DueAtStudio(w, s.DueAmount, b.Currency), cost, move)
}

// DueAtStudio says what is to be paid at the studio; nothing where nothing is.
func DueAtStudio(w Words, amount int64, cur money.Currency) string {
	if amount == 0 {
		return ""
	}
	return w.T("To pay at the studio: {amount}.", "amount", w.Money(Price{Minor: amount, Currency: cur}))
}

// DeadlinesOf are the deadlines of something that is yet to be booked; of a course start is that of its first date.
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

// Movable says until when somebody can move their booking to another time, until when they could, or why not.
func Movable(w Words, b booking.Booking) string {
	err := b.MayReschedule(w.Now)
	switch until := b.Rules.RescheduleUntil(b.StartsAt); {
	case err == nil:
		a, _ := b.CustomerMay(booking.ActReschedule, w.Now)
		return w.UntilWhen(b.StartsAt, a.Until, "It can be moved to another time until {when}.", "It can be moved to another time until it begins.")
	case errors.Is(err, booking.ErrTooLate):
		return w.T("It could be moved to another time until {when}.", "when", w.ShortWhen(until))
	case b.Course():
		return w.T("Cancelling is for the whole course.")
	case errors.Is(err, booking.ErrNotAllowed) && b.Rules.Reschedule.Allowed:
		return w.T("It has been moved as often as the studio allows.")
	case errors.Is(err, booking.ErrNotAllowed):
		return w.T("It cannot be moved to another time online.")
	}
	return ""
}

// UntilWhen says until when something is possible. The last instant before the start is the start to everybody but a clock.
func (w Words) UntilWhen(start, until time.Time, at, atStart words.Text) string {
	if start.Sub(until) < time.Second {
		return w.T(atStart)
	}
	return w.T(at, "when", w.ShortWhen(until))
}

// BalanceByCard tells when what a deposit has left is charged.
const BalanceByCard words.Text = "If the studio keeps your card, the rest is charged to it on {when}."
