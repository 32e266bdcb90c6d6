package integrity

// takesSeat are the states in which a booking counts, and standing those in which the customer has, or may get, this
// very seat: as in package booking.
const (
	takesSeat = `('held', 'confirmed', 'checked_in', 'no_show', 'completed')`
	standing  = `('held', 'requested', 'confirmed', 'checked_in', 'no_show', 'completed')`
)

// seatChecks are about occurrences, bookings and holds.
var seatChecks = []check{
	{"seats", `select 'occurrences', o.id,
			coalesce(b.seats, 0) || ' taken, ' || coalesce(b.online, 0) || ' of them online',
			o.taken || ' taken, ' || o.taken_online || ' of them online'
		from occurrences o left join (
			select occurrence_id, sum(party) as seats, coalesce(sum(party) filter (where online), 0) as online
			from bookings where business_id = $1 and state in ` + takesSeat + ` group by occurrence_id
		) b on b.occurrence_id = o.id
		where o.business_id = $1 and (o.taken <> coalesce(b.seats, 0) or o.taken_online <> coalesce(b.online, 0))`},

	{"capacity", `select 'occurrences', id, 'at most ' || capacity, taken || ' taken and ' || offered || ' on offer'
		from occurrences where business_id = $1 and taken + offered > capacity`},

	{"one_seat_each", `select 'occurrences', occurrence_id, '1 booking of customer ' || customer_id, count(*)::text
		from bookings where business_id = $1 and state in ` + standing + `
		group by occurrence_id, customer_id, attendee having count(*) > 1`},

	{"times", `select 'bookings', b.id, o.starts_at || ' to ' || o.ends_at, b.starts_at || ' to ' || b.ends_at
		from bookings b join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
		where b.business_id = $1 and b.state in ` + standing + ` and (b.starts_at <> o.starts_at or b.ends_at <> o.ends_at)`},

	{"bookings_of_cancelled", `select 'bookings', b.id, 'no seat of a cancelled date', b.state
		from bookings b join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id
		where b.business_id = $1 and b.state in ` + takesSeat + ` and o.state = 'cancelled'`},

	{"bookings_of_closed", `select 'bookings', b.id, 'none ahead of a closed business', b.state
		from bookings b join businesses s on s.business_id = b.business_id and s.status = 'closed'
		where b.business_id = $1 and b.state in ('requested', 'confirmed') and b.starts_at > s.closed_at`},

	{"bookings_of_archived", `select 'bookings', b.id, 'none ahead of an archived location', b.state
		from bookings b join locations l on l.business_id = b.business_id and l.id = b.location_id and l.archived_at is not null
		where b.business_id = $1 and b.state in ('held', 'requested', 'confirmed') and b.starts_at > l.archived_at`},

	{"holds", `select 'holds', h.id, 'seats or items that are kept', 'none'
		from holds h where h.business_id = $1 and h.state = 'live'
			and not exists (select from bookings b where b.business_id = $1 and b.hold_id = h.id and b.state = 'held')
			and not exists (select from cart_items i where i.business_id = $1 and i.hold_id = h.id)
		union all
		select 'cart_items', i.id, 'reserved for a hold that was not booked', h.state
		from cart_items i join holds h on h.business_id = i.business_id and h.id = i.hold_id
		where i.business_id = $1 and h.state = 'confirmed'
		union all
		select 'bookings', b.id, 'a live hold', coalesce(h.state, 'none')
		from bookings b left join holds h on h.business_id = b.business_id and h.id = b.hold_id
		where b.business_id = $1 and b.state = 'held' and h.state is distinct from 'live'`},

	// Bookings of a course differ by date only if the studio cancels dates, and in attendance. A course that
	// continued at another location has one offering at each. Dates that the studio had cancelled stay behind when a
	// booking is rescheduled to another group.
	{"courses", `select 'bookings', min(b.id::text)::uuid, 'held, asked for or booked as a whole, by one customer',
			string_agg(distinct b.state, ', ' order by b.state) || ' by ' || count(distinct b.customer_id)
		from bookings b join offerings f on f.business_id = b.business_id and f.id = b.offering_id and f.enrolment = 'series'
		where b.business_id = $1 and b.group_id is not null group by b.group_id
		having count(distinct b.customer_id) > 1 or count(distinct b.offering_id) filter (where b.state in ` + standing + `) > count(distinct b.location_id)
			or count(distinct coalesce(b.order_id::text, '')) > 1 or count(*) filter (where b.price_amount > 0) > 1
			or bool_or(b.state = 'held') and bool_or(b.state <> 'held') or bool_or(b.state = 'expired') and bool_or(b.state <> 'expired')
			or bool_or(b.state = 'requested') and bool_or(b.state in ` + takesSeat + `)`},

	{"moves", movesSQL("bookings", `select booking_id as row_id, id, from_state, to_state, created_at
		from booking_transitions where business_id = $1`)},
}

// movesSQL compares the states of a table's rows with their transitions. They are added up and not ordered: two
// within a millisecond have the times at which their transactions began. A transition from a state to the same one
// only adds a reason, and changes nothing.
func movesSQL(table, moves string) string {
	return `with moves as (` + moves + `)
		select '` + table + `', b.id, b.state, coalesce((select string_agg(m.from_state || ' to ' || m.to_state, ', ' order by m.created_at, m.id)
				from moves m where m.row_id = b.id), 'no move')
		from ` + table + ` b left join (
			select row_id, jsonb_object_agg(state, n) filter (where n <> 0) as net from (
				select row_id, state, sum(n) as n from (
					select row_id, to_state as state, 1 as n from moves union all select row_id, from_state, -1 from moves
				) m group by row_id, state
			) s group by row_id
		) m on m.row_id = b.id
		where b.business_id = $1 and m.net is distinct from jsonb_build_object('', -1, b.state, 1)`
}
