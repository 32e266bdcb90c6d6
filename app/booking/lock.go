//go:build !nolock

package booking

import "foyer/app/schedule"

// UnderLock ends the statement that locks occurrences o of offerings f, with which whoever takes or gives seats there, or
// changes a waitlist, begins. The offerings cannot be archived or unpublished meanwhile; the key share lock that sees to that
// is no obstacle to others who take seats.
const UnderLock = ` for key share of f for no key update of o`

// Conditions under which an occurrence o has room, asked of the row under its lock.
var (
	roomWanted = schedule.RoomSQL("w.seats", "true")    // for the seats of table wanted w, all sold online
	RoomFor    = schedule.RoomSQL("w.party", "@online") // for the party of an entry w of its waitlist; @online tells whether they count as sold online
)
