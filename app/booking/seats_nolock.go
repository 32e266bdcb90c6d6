//go:build nolock

package booking

import "foyer/app/schedule"

// seatsTaken is what everybody writes first: look whether there is room, then take it. It is built only to prove that the race
// tests can fail.
var seatsTaken = `taken as (
	select o.id, o.location_id, o.offering_id, o.starts_at, o.ends_at from ` + wantedFrom + schedule.BookableSQL("$2", "false") + `)
), counted as (
	update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.seats
	from wanted w join taken t on t.id = w.occurrence_id where o.id = t.id
)`

// RoomFor asks nothing again, and UnderLock waits for nobody: what was read before decides.
const (
	RoomFor   = `$8::boolean is not null`
	UnderLock = ``
)
