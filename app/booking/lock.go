//go:build !nolock

package booking

import "foyer/app/schedule"

// UnderLock ends a statement that locks occurrences o of offerings f, the first step of every change of seats there
// or of a waitlist. The offerings cannot be archived or unpublished meanwhile; the key share lock for that does not
// block other changes of seats.
const UnderLock = ` for key share of f for no key update of o`

// severalWanted reports whether table wanted has several occurrences.
const severalWanted = `(select count(*) from wanted) > 1`

// Conditions of an occurrence o with room, evaluated on the row under its lock.
var (
	roomWanted = schedule.RoomSQL("w.seats", "true")    // for the seats of table wanted w, all sold online
	RoomFor    = schedule.RoomSQL("w.party", "@online") // party of a waitlist entry w; @online: sold online
)
