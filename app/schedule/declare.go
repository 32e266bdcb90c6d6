package schedule

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Reasons for writing a table of another package: where seats change, one statement does all of it under one row
// lock, and a verb of the owner would be a second round trip inside a contended lock.
const (
	seatCounters = "the guarded counter of seats feeds the insert of bookings in one statement, and is lowered in the one that ends them: only taken, taken_online, and the state of a single whose last seat goes; when that seat is forgotten, so is the single"
	offerCounter = "an entry's offer and the counter of seats on offer change in one statement: only offered, taken and taken_online"
	stayInOne    = "a walk-in stay is one statement: seat, booking and both of its transitions"
)

// Declare declares the package's tables, jobs and errors.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/schedule",
		Tables: []declare.Table{
			{Name: "occurrences", Life: declare.Swept(7*declare.Day,
				"x.series_id is null and not exists (select from bookings b where b.occurrence_id = x.id and b.order_id is not null)"), Record: "Date", OtherWriters: map[string]string{
				"app/booking":  seatCounters,
				"app/waitlist": offerCounter,
				"app/walkin":   stayInOne,
			}, Readers: []string{
				"app/agenda", "app/availability", "app/checkout", "app/claim", "app/crm", "app/integrity",
				"app/notice", "app/order", "app/plan",
			}},
			{Name: "series", Life: declare.Trade, Record: "Series"},
			{Name: "series_edits", Life: declare.Trade},
		},
		Refuses: map[string][]*fault.Error{
			"createSeries":         {ErrNotAClass},
			"updateSeries":         {ErrDatesBooked, ErrDatesTooFull, ErrBegun, ErrDateCancelled},
			"endSeries":            {ErrDatesBooked, fault.ErrStale},
			"undoSeriesEdit":       {ErrEditedSince, ErrNotUndoable, ErrUndoExpired, ErrUndone},
			"updateOccurrence":     {ErrDatesBooked, ErrDatesTooFull, ErrBegun, ErrDateCancelled},
			"cancelOccurrence":     {ErrBegun, ErrDateCancelled},
			"restoreOccurrence":    {ErrBegun, ErrNotCancelled, ErrNotInSeries},
			"assignInstructor":     {ErrBegun, ErrDateCancelled, fault.ErrStale},
			"substituteOccurrence": {ErrBegun, ErrDateCancelled},
		},
	}
}
