//go:build nolock

package booking

// claim is what everybody writes first: count, then insert. It is built only to prove that the race tests can fail.
const claim = `taken as (
	select o.id, o.location_id, o.offering_id, o.starts_at, o.ends_at from wanted w, occurrences o, offerings f
	where o.id = w.occurrence_id and ` + bookable + `
		and w.seats + (select count(*) from bookings b where b.business_id = $7 and b.occurrence_id = o.id
			and b.state in ('held', 'confirmed')) <= least(o.capacity, o.online_capacity)
), counted as (
	update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.seats
	from wanted w join taken t on t.id = w.occurrence_id where o.id = t.id
)`
