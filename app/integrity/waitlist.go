package integrity

// waitlistChecks are about those who wait.
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

	// Added up like those of bookings: a line of the log that only says why changes nothing.
	{"waitlist_transitions", `select 'waitlist_entries', e.id, e.state, coalesce((select string_agg(m.from_state || ' to ' || m.to_state, ', ' order by m.created_at, m.id)
				from waitlist_transitions m where m.business_id = $1 and m.entry_id = e.id), 'no move')
		from waitlist_entries e left join (
			select entry_id, jsonb_object_agg(state, n) filter (where n <> 0) as net from (
				select entry_id, state, sum(n) as n from (
					select entry_id, to_state as state, 1 as n from waitlist_transitions where business_id = $1
					union all select entry_id, from_state, -1 from waitlist_transitions where business_id = $1
				) m group by entry_id, state
			) s group by entry_id
		) m on m.entry_id = e.id
		where e.business_id = $1 and m.net is distinct from jsonb_build_object('', -1, e.state, 1)`},
}
