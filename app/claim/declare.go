package claim

import (
	"time"

	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// lastSeat is why booking writes claims, too: one statement does the whole of it under one row lock, and a verb of this package
// would be a second trip inside the lock that everybody waits for.
const lastSeat = "a single whose last seat is freed frees its person and space in the same statement"

// Declare tells the product about this package.
func Declare() declare.Domain {
	// busy: somebody or something is taken at the time.
	busy := []*fault.Error{ErrStaffBusy, ErrSpaceBusy}
	return declare.Domain{
		Package: "app/claim",
		Tables: []declare.Table{
			{Name: "claims", Life: declare.Swept(time.Hour,
				"not exists (select from bookings b where b.occurrence_id = x.occurrence_id and b.order_id is not null)"), OtherWriters: map[string]string{
				"app/booking": lastSeat,
			}, Readers: []string{"app/availability", "app/integrity", "app/schedule", "app/walkin"}},
		},
		Refuses: map[string][]*fault.Error{
			"archiveLocation":      {ErrSpaceBusy},
			"createSeries":         busy,
			"updateSeries":         busy,
			"undoSeriesEdit":       busy,
			"updateOccurrence":     busy,
			"restoreOccurrence":    busy,
			"assignInstructor":     busy,
			"substituteOccurrence": busy,
			"createBooking":        busy,
			"approveBooking":       busy,
			"rescheduleBooking":    busy,
			"rescheduleMyBooking":  busy,
			"addCartItem":          busy,
			"holdCart":             busy,
		},
		Messages: []words.Text{
			"The person is busy at this time.",
			"The space is in use at this time.",
		},
	}
}
