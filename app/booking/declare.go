package booking

import (
	"slices"
	"time"

	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Reasons for writing a table of another package: where seats change, one statement does all of it under one row
// lock, and a verb of the owner would be a second round trip inside a contended lock.
const (
	seatInOne = "an accepted or promoted entry is one statement: entry, seat, hold and booking, under the date's lock"
	stayInOne = "a walk-in stay is one statement: seat, booking and both of its transitions"
)

// Declare declares the package's tables, jobs and errors.
func (*Service) Declare() declare.Domain {
	// seat: a date of a class or a course cannot be booked. Package availability has the same reasons in other words
	// for the time of an appointment. The document shows one of both, so those that are shown from availability are
	// left out here.
	seat := []*fault.Error{ErrFull, ErrStarted, ErrNotBookable, ErrCancelled, ErrDuplicate, ErrTooLate, ErrTooEarly, ErrCourse}
	return declare.Domain{
		Package: "app/booking",
		Tables: []declare.Table{
			{
				Name: "booking_transitions", Life: declare.Swept(7*declare.Day,
					"not exists (select from bookings b where b.id = x.booking_id and b.order_id is not null)"),
				Readers: []string{"app/integrity"},
			},
			{Name: "bookings", Life: declare.Swept(7*declare.Day,
				"x.order_id is null"), Record: "Booking", OtherWriters: map[string]string{
				"app/waitlist": seatInOne,
				"app/walkin":   stayInOne,
			}, Readers: []string{
				"app/agenda", "app/agreement", "app/availability", "app/checkout", "app/crm", "app/fees",
				"app/integrity", "app/notice", "app/order", "app/owed", "app/plan", "app/sales",
			}},
			{Name: "holds", Life: declare.Swept(7*declare.Day,
				"not exists (select from bookings b where b.hold_id = x.id and b.order_id is not null)"), OtherWriters: map[string]string{
				"app/waitlist": seatInOne,
			}, Readers: []string{"app/checkout", "app/discount", "app/integrity", "app/plan"}},
			{
				Name: "waitlist_rounds", Life: declare.Swept(time.Hour, "true"),
				Readers: []string{"app/schedule", "app/waitlist"},
			},
		},
		Refuses: map[string][]*fault.Error{
			"createBooking":          except(seat, ErrTooEarly, ErrTooLate),
			"createRecurringBooking": append([]*fault.Error{ErrClashes}, seat...),
			"updateBooking":          {ErrState, ErrDuplicate, ErrFull, ErrPriceDifference, ErrCourse},
			"approveBooking":         {ErrState, ErrFull, ErrNotBookable, ErrCancelled, ErrStarted},
			"declineBooking":         {ErrState},
			"cancelBooking":          {ErrState, ErrNotAllowed, ErrStarted, ErrCourse},
			"rescheduleBooking": append([]*fault.Error{
				ErrState, ErrNotAllowed, ErrPriceDifference, ErrCourseDiffers, ErrClashes,
			}, except(seat, ErrTooLate)...),
			"checkInBooking":       {ErrState, ErrTooEarly, ErrTooLate},
			"undoCheckIn":          {ErrState, ErrTooLate},
			"markNoShow":           {ErrState, ErrTooEarly},
			"undoNoShow":           {ErrState, ErrTooLate},
			"freeHold":             {ErrPaymentStarted},
			"cancelMyBooking":      {ErrState, ErrNotAllowed, ErrStarted, ErrCourse},
			"rescheduleMyBooking":  append([]*fault.Error{ErrState, ErrNotAllowed, ErrPriceDifference}, except(seat, ErrFull, ErrTooEarly, ErrTooLate)...),
			"checkInWalkin":        {ErrFull, ErrNotBookable},
			"checkOutWalkin":       {ErrState},
			"joinWaitlist":         {ErrCancelled, ErrStarted, ErrNotBookable, ErrDuplicate},
			"addToWaitlist":        {ErrCancelled, ErrStarted, ErrNotBookable, ErrDuplicate},
			"promoteFromWaitlist":  seat,
			"offerFromWaitlist":    seat,
			"acceptWaitlistOffer":  append([]*fault.Error{ErrHoldExpired}, seat...),
			"addCartItem":          append([]*fault.Error{ErrPaymentStarted}, except(seat, ErrTooLate)...),
			"updateCartItem":       {ErrDuplicate, ErrPaymentStarted},
			"removeCartItem":       {ErrPaymentStarted},
			"applyCartCode":        {ErrPaymentStarted},
			"removeCartCode":       {ErrPaymentStarted},
			"useCartCredit":        {ErrPaymentStarted},
			"acceptCartAgreements": {ErrPaymentStarted},
			"holdCart":             append([]*fault.Error{ErrPaymentStarted, ErrTooManyHolds, ErrHoldExpired}, except(seat, ErrTooLate)...),
			"releaseHold":          {ErrHoldExpired, ErrPaymentStarted},
			"startPayment":         {ErrPaymentStarted, ErrHoldExpired},
			"confirmCart":          append([]*fault.Error{ErrPaymentStarted, ErrHoldExpired}, seat...),
		},
		Messages: []words.Text{
			"This time is full.",
			"This has already begun.",
			"This cannot be booked online.",
			"The studio has cancelled this time.",
			"This person is already booked at this time.",
			"It is too late for this.",
			"It is too early for this.",
			"This has to be booked earlier.",
			"This cannot be booked yet.",
			"This date is part of a course, which is booked as a whole.",
			"This is no longer a course.",
			"There are not enough spots on the other dates.",
			"The studio is not taking bookings right now.",
			"This is archived.",
			"This booking can no longer be changed in this way.",
			"The studio's rules do not allow this. Ask the studio.",
			"The studio's rules do not let you cancel this yourself. Ask the studio.",
			"The studio's rules do not let you reschedule this yourself. Ask the studio.",
			"This booking cannot be rescheduled again. Ask the studio.",
			"The new time costs more. Ask the studio to reschedule the booking.",
			"A course cannot be rescheduled: its dates are booked together.",
			"Reschedule a class to another of its dates, and anything else to another time.",
			"This date is for a different class. Cancel the booking and make a new one.",
			"The booking is already at this time.",
			"The course has begun.",
			"The booking is already for this course.",
			"A course can only be rescheduled to another course, with all its dates.",
			"A course can only be changed as a whole.",
			"The studio cannot take payments for this yet.",
			"More people cost more than the booked price.",
			"You are already holding spots at other times. Finish or release one of those bookings first.",
			"Your hold has expired: the spots are no longer reserved for you.",
			"A payment for this is in progress.",
			"It is too long.",
		},
	}
}

// except returns a list without some.
func except(list []*fault.Error, some ...*fault.Error) []*fault.Error {
	return slices.DeleteFunc(slices.Clone(list), func(f *fault.Error) bool { return slices.Contains(some, f) })
}
