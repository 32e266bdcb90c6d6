package availability

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares the package's tables, jobs and errors.
func (*Service) Declare() declare.Domain {
	// atTime: a time of an appointment or a rental cannot be booked.
	atTime := []*fault.Error{ErrClosed, ErrPaused, ErrTooEarly, ErrTooLate, ErrFull, ErrPartySize}
	return declare.Domain{
		Package: "app/availability",
		Tables: []declare.Table{
			{Name: "closures", Life: declare.Trade, Record: "Closure", Readers: []string{"app/walkin"}},
			{Name: "member_hours", Life: declare.Trade, Record: "Staff hours"},
			{
				Name: "space_blocks", Life: declare.Trade, Record: "Room out of use",
				Readers: []string{"app/claim", "app/walkin"},
			},
			{Name: "space_hours", Life: declare.Trade, Record: "Room hours", Readers: []string{"app/walkin"}},
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
			"This time is not available.",
			"The studio is not taking bookings right now.",
			"This cannot be booked so far in advance.",
			"It is too late to book this time.",
			"No spots are left at this time.",
			"This length is not available.",
			"This instructor does not offer this.",
			"This is not available in this room.",
		},
	}
}
