//go:build !nolock

package booking

import "foyer/app/schedule"

// seatsTaken takes the seats of table wanted (occurrence_id, seats, course, follows) and gives the occurrences it got them of, as table taken.
//
// The rows are locked in the order of their ids, so that two carts with the same two classes wait for each other and
// never in a ring. A row that is seen to be full is not waited for. The update then looks at the row as it is under the
// lock: nobody else's seat can be taken, however many ask at once. Seats on offer to the waitlist count as taken, and so
// does a date whose free seats the waitlist is about to be given. The key share lock of the offering keeps it
// from being archived or unpublished meanwhile, and is no obstacle to others who take seats.
var seatsTaken = `queue as (
	select o.id from ` + wantedFrom + schedule.BookableSQL("$2", schedule.ReservedSQL("$2")) + `)
	order by o.id for key share of f for no key update of o
), taken as (
	update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.seats
	from wanted w join queue q on q.id = w.occurrence_id
	where o.business_id = $1 and o.id = w.occurrence_id and ` + schedule.RoomSQL("w.seats", "true") + `
	returning o.id, o.location_id, o.offering_id, o.starts_at, o.ends_at
)`

// RoomFor is the condition under which an occurrence o has room for the party of an entry w of its waitlist; $8 tells
// whether the seats count among those sold online. It is asked of the row under its lock.
var RoomFor = schedule.RoomSQL("w.party", "$8")

// UnderLock ends the statement that locks occurrences o of offerings f, with which whoever takes or gives seats there, or
// changes a waitlist, begins. The offerings cannot be archived meanwhile.
const UnderLock = ` for key share of f for no key update of o`
