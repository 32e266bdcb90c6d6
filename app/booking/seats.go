//go:build !nolock

package booking

// claim takes the seats of table wanted (occurrence_id, seats) and gives the occurrences it got them of, as table taken.
//
// The rows are locked in the order of their ids, so that two carts with the same two classes wait for each other and
// never in a ring. A row that is seen to be full is not waited for. The update then looks at the row as it is under the
// lock: nobody else's seat can be taken, however many ask at once. The key share lock of the offering keeps it from being
// archived or unpublished meanwhile, and is no obstacle to others who take seats.
const claim = `queue as (
	select o.id from wanted w, occurrences o, offerings f
	where o.id = w.occurrence_id and ` + bookable + `
		and o.taken + w.seats <= o.capacity and o.taken_online + w.seats <= o.online_capacity
	order by o.id for key share of f for no key update of o
), taken as (
	update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.seats
	from wanted w join queue q on q.id = w.occurrence_id
	where o.business_id = $7 and o.id = w.occurrence_id
		and o.taken + w.seats <= o.capacity and o.taken_online + w.seats <= o.online_capacity
	returning o.id, o.location_id, o.offering_id, o.starts_at, o.ends_at
)`
