package view

import (
	"errors"
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/money"
)

// withdrawTerms is until when a request costs nothing to take back.
const withdrawTerms = "Until the studio answers, you can withdraw it, and all that you paid comes back."

const notCancelled = "This cannot be cancelled online."

// Deadlines says until when a booking costs nothing to cancel, what it costs later, and until when it can be moved: as
// instants on the location's wall clock, because a length of time before the start is a riddle. Nothing for one that has
// begun or does not stand.
func Deadlines(w Words, b booking.Booking) []string {
	if !w.Now.Before(b.StartsAt) || b.State != booking.Confirmed && b.State != booking.Requested {
		return nil
	}
	if b.State == booking.Requested {
		return []string{withdrawTerms}
	}
	cancel, fee := notCancelled, ""
	if a, may := b.CustomerMay(booking.ActCancel, w.Now); may {
		cancel, fee = freeUntil(w, b, a), feeFrom(w, b, a)
	}
	move := ""
	if b.MayReschedule(w.Now) == nil || b.Course() && cancel != notCancelled {
		move = Movable(w, b)
	}
	return Said(cancel, fee, move)
}

// Movable says until when somebody can move their booking to another time, until when they could, or why not.
func Movable(w Words, b booking.Booking) string {
	err := b.MayReschedule(w.Now)
	switch until := b.Rules.RescheduleUntil(b.StartsAt); {
	case err == nil:
		a, _ := b.CustomerMay(booking.ActReschedule, w.Now)
		return "It can be moved to another time until " + InstantIn(w, b.StartsAt, a.Until) + "."
	case errors.Is(err, booking.ErrTooLate):
		return "It could be moved to another time until " + InstantIn(w, b.StartsAt, until) + "."
	case b.Course():
		return "Cancelling is for the whole course."
	case errors.Is(err, booking.ErrNotAllowed) && b.Rules.Reschedule.Allowed:
		return "It has been moved as often as the studio allows."
	case errors.Is(err, booking.ErrNotAllowed):
		return "It cannot be moved to another time online."
	}
	return ""
}

// DeadlinesOf are the deadlines of something that is yet to be booked; of a course start is that of its first date.
func DeadlinesOf(w Words, t catalog.Terms, start time.Time, cur money.Currency) []string {
	b := booking.Booking{State: booking.Confirmed, Rules: t.Rules, StartsAt: start, Currency: cur}
	if t.Course {
		b.CourseFrom = &start
	}
	return Deadlines(w, b)
}

func freeUntil(w Words, b booking.Booking, a booking.Allowance) string {
	if w.Now.After(a.FreeUntil) {
		return "Cancelling does not give the price back any more."
	}
	return "Free to cancel until " + InstantIn(w, b.StartsAt, a.FreeUntil) + "."
}

func feeFrom(w Words, b booking.Booking, a booking.Allowance) string {
	fee := w.Money(Price{Minor: a.FeeAmount, Currency: b.Currency})
	switch {
	case a.FeeAmount == 0 || !a.LateFrom.Before(b.StartsAt):
		return ""
	case w.Now.Before(a.LateFrom):
		return "From " + w.ShortWhen(a.LateFrom) + " on, cancelling costs a fee of " + fee + "."
	}
	return "Cancelling costs a fee of " + fee + " now."
}

// InstantIn is a deadline in words. The last instant before the start is the start to everybody but a clock.
func InstantIn(w Words, start, until time.Time) string {
	if start.Sub(until) < time.Second {
		return "it begins"
	}
	return w.ShortWhen(until)
}
