package availability

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	// atTime: a time of an appointment or a rental cannot be booked.
	atTime := []*fault.Error{ErrClosed, ErrPaused, ErrTooEarly, ErrTooLate, ErrFull, ErrPartySize}
	return declare.Domain{
		Package: "app/availability",
		Tables: []declare.Table{
			{Name: "closures", Life: declare.Trade, Record: "Closure", Readers: []string{"app/walkin"}},
			{Name: "member_hours", Life: declare.Trade, Record: "Hours of a person"},
			{
				Name: "space_blocks", Life: declare.Trade, Record: "Room out of use",
				Readers: []string{"app/claim", "app/walkin"},
			},
			{Name: "space_hours", Life: declare.Trade, Record: "Hours of a room", Readers: []string{"app/walkin"}},
			{Name: "time_off", Life: declare.Trade, Record: "Time off", Readers: []string{"app/claim"}},
		},
		Refuses: map[string][]*fault.Error{
			"addClosure":          {ErrClosureOverlaps},
			"createBooking":       atTime,
			"rescheduleBooking":   atTime,
			"rescheduleMyBooking": atTime,
			"addCartItem":         atTime,
			"holdCart":            atTime,
		},
		Messages: []words.Text{
			"No start is offered at this time.",
			"The studio takes no bookings right now.",
			"It cannot be booked that long ahead.",
			"It is too late to book this time.",
			"There is no room left at this time.",
			"It is not sold for this length.",
			"This person does not give it.",
			"It does not take place there.",
		},
	}
}
