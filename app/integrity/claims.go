package integrity

// claimChecks are about the busy time of people and spaces.
var claimChecks = []check{
	// A scheduled date keeps its instructor and its space busy, from its first minute to its last, and only those. A
	// walk-in that leaves early frees the space before the end.
	{"claims", `with needed as (
			select o.id, r.member_id, r.space_id, o.starts_at, o.ends_at
			from occurrences o, lateral (values (o.member_id, null::uuid), (null::uuid, o.space_id)) r (member_id, space_id)
			where o.business_id = $1 and o.state = 'scheduled' and num_nonnulls(r.member_id, r.space_id) = 1
				and not exists (select from bookings b where b.business_id = $1 and b.occurrence_id = o.id and b.checked_out_at is not null)
		)
		select 'occurrences', n.id, 'a claim of ' || coalesce('member ' || n.member_id, 'space ' || n.space_id), 'none'
		from needed n where not exists (select from claims c where c.business_id = $1 and c.occurrence_id = n.id and c.direct
			and (c.member_id = n.member_id or c.space_id = n.space_id) and c.starts_at <= n.starts_at and c.ends_at >= n.ends_at)
		union all
		select 'claims', c.id, case o.state when 'scheduled' then 'a claim of the date''s own' else 'no claim of a cancelled date' end,
			coalesce('member ' || c.member_id, 'space ' || c.space_id)
		from claims c join occurrences o on o.business_id = c.business_id and o.id = c.occurrence_id
		where c.business_id = $1 and (o.state <> 'scheduled'
			or c.direct and c.member_id is distinct from o.member_id and c.space_id is distinct from o.space_id)`},

	// Sorted by their start, a claim overlaps one before it when that one, or any before, ends later. A claim of the whole
	// bears no other; claims of seats bear each other.
	{"overlaps", `with c as (
			select id, coalesce(member_id, space_id) as resource, exclusive, starts_at, ends_at,
				max(ends_at) over before as busy_until, max(ends_at) filter (where exclusive) over before as closed_until
			from claims where business_id = $1 and not forced
			window before as (partition by coalesce(member_id, space_id) order by starts_at, id rows between unbounded preceding and 1 preceding)
		)
		select 'claims', id, 'free from ' || starts_at, 'busy until ' || case when exclusive then busy_until else closed_until end
		from c where exclusive and busy_until > starts_at or closed_until > starts_at`},

	// Seats of shared spaces, added up in the order of time; a departure frees seats before the next arrival.
	{"shared_seats", `with change as (
			select space_id, starts_at as at, seats from claims
			where business_id = $1 and space_id is not null and not exclusive and not forced and direct
			union all
			select space_id, ends_at, -seats from claims
			where business_id = $1 and space_id is not null and not exclusive and not forced and direct
		), level as (
			select space_id, at, sum(seats) over (partition by space_id order by at, seats rows unbounded preceding) as seats from change
		)
		select 'spaces', s.id, 'at most ' || s.capacity || ' people', l.seats || ' at ' || l.at
		from level l join spaces s on s.business_id = $1 and s.id = l.space_id where l.seats > s.capacity`},
}
