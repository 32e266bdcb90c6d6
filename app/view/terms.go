package view

import (
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
	cancel, fee, move := notCancelled, "", ""
	if a, may := b.CustomerMay(booking.ActCancel, w.Now); may {
		cancel, fee = freeUntil(w, b, a), feeFrom(w, b, a)
	}
	if a, may := b.CustomerMay(booking.ActReschedule, w.Now); may {
		move = "It can be moved to another time until " + InstantIn(w, b.StartsAt, a.Until) + "."
	}
	if b.Course() && cancel != notCancelled {
		move = "Cancelling is for the whole course."
	}
	return Said(cancel, fee, move)
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
