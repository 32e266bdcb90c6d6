package claim

import (
	"time"

	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// lastSeat is the reason why booking writes claims, too: one statement does all of it under one row lock, and a verb
// of this package would be a second round trip inside a contended lock.
const lastSeat = "a single whose last seat is freed frees its person and space in the same statement"

// Declare declares the package's tables and errors.
func Declare() declare.Domain {
	// busy: a person or a space is busy at the time.
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
			"The instructor is busy at this time.",
			"The room is in use at this time.",
		},
	}
}
