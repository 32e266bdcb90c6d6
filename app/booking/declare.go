package booking

import (
	"slices"
	"time"

	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Why a package writes a table beside its owner: where seats move, one statement does the whole of it under one row lock, and
// an owner's verb would be a second trip inside the lock that everybody waits for.
const (
	seatInOne = "a place that finds its taker is one statement: entry, seat, hold and booking, under the date's lock"
	stayInOne = "a stay at the door is one statement: seat, booking and both of its transitions"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	// seat: a date of a class or a course cannot be booked. Of a time of an appointment availability says the same reasons in other
	// words. The document shows one of both, so that what it shows of availability is left out here.
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
				"app/agreement", "app/agenda", "app/availability", "app/checkout", "app/crm", "app/integrity",
				"app/notice", "app/fees", "app/sales",
			}},
			{Name: "holds", Life: declare.Swept(7*declare.Day,
				"not exists (select from bookings b where b.hold_id = x.id and b.order_id is not null)"), OtherWriters: map[string]string{
				"app/waitlist": seatInOne,
			}, Readers: []string{"app/checkout", "app/discount", "app/integrity"}},
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
			"This is a date of a course, which is booked with all its dates.",
			"This is no course any more.",
			"There is no room for everybody on the other dates.",
			"The studio does not take bookings right now.",
			"This is archived.",
			"This booking cannot be changed like that any more.",
			"The studio's rules do not allow this. Ask the studio.",
			"The studio's rules do not let you cancel this yourself. Ask the studio.",
			"The studio's rules do not let you move this yourself. Ask the studio.",
			"This booking cannot be moved again. Ask the studio.",
			"The new time costs more. Ask the studio to move the booking.",
			"A course is not moved: its dates are booked together.",
			"A class is moved to another of its dates, anything else to another time.",
			"This is a date of something else. Cancel the booking and make another.",
			"The booking is at this time already.",
			"The course has begun.",
			"The booking is of this course already.",
			"A course is moved to another course, with all its dates.",
			"A course is changed as a whole.",
			"The studio cannot take payments for this yet.",
			"More people cost more than what was sold.",
			"You are holding other times already. Finish or release one of them first.",
			"Your time is up: the seats are no longer kept for you.",
			"This is being paid for right now.",
			"It is too long.",
		},
	}
}

// except returns a list without some.
func except(list []*fault.Error, some ...*fault.Error) []*fault.Error {
	return slices.DeleteFunc(slices.Clone(list), func(f *fault.Error) bool { return slices.Contains(some, f) })
}
