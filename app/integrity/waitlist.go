package integrity

// waitlistChecks are about waitlist entries.
var waitlistChecks = []check{
	{"offered", `select 'occurrences', o.id, coalesce(e.seats, 0) || ' on offer', o.offered || ' on offer'
		from occurrences o left join (
			select occurrence_id, sum(party) as seats from waitlist_entries where business_id = $1 and state = 'offered' group by occurrence_id
		) e on e.occurrence_id = o.id
		where o.business_id = $1 and o.offered <> coalesce(e.seats, 0)`},

	{"waitlist", `select 'waitlist_entries', e.id, 'a booking of customer ' || e.customer_id, 'of customer ' || b.customer_id
		from waitlist_entries e join bookings b on b.business_id = e.business_id and b.id = e.booking_id
		where e.business_id = $1 and b.customer_id <> e.customer_id
		union all
		select 'waitlist_entries', e.id, 'closed with its date', e.state
		from waitlist_entries e join occurrences o on o.business_id = e.business_id and o.id = e.occurrence_id
		where e.business_id = $1 and e.state in ('waiting', 'offered') and o.state = 'cancelled'`},

	{"waitlist_transitions", movesSQL("waitlist_entries", `select entry_id as row_id, id, from_state, to_state, created_at
		from waitlist_transitions where business_id = $1`)},
}
