-- The least floor: what must be written for a booking, by hand, and nothing else. It does not follow the product: it changes
-- when a promise does. least.go says which promises these are, and makes a script of pgbench of it.
--
-- Both transactions set the business and who acts, as row-level security and the audit trail need it, and send one
-- statement more in the same trip. What a client would send as a parameter is a variable of pgbench: :business, :actor, :rules
-- (the policy of a studio without one) stay, :n is the number of the cart. Every row of it is found by what the client knows:
-- the token of the cart and who is signed in.

-- ## set
select set_config('app.business_id', :business, true), set_config('app.actor', :actor, true);

-- ## set lazily
-- Nobody waits until the disk has a hold: the promise is the booking.
select set_config('app.business_id', :business, true), set_config('app.actor', :actor, true), set_config('synchronous_commit', 'off', true);

-- ## hold
with wanted as (
	select c.id as cart_id, i.occurrence_id, i.attendee, i.party, i.listed_amount, l.currency, u.id as customer_id, u.person_id,
		coalesce(p.rules, :rules::jsonb) as rules
	from carts c
		join cart_items i on i.business_id = c.business_id and i.cart_id = c.id
		join offerings f on f.business_id = c.business_id and f.id = i.offering_id
		join locations l on l.business_id = c.business_id and l.id = c.location_id
		join businesses s on s.business_id = c.business_id
		join customers u on u.business_id = c.business_id and u.person_id = bench.booker(:n)
		left join policies p on p.business_id = c.business_id and p.id = coalesce(f.policy_id, l.policy_id)
	where c.business_id = :business::uuid and c.token_hash = bench.cart_hash(:n) and c.state = 'open'
		and f.state = 'published' and f.price_amount <= i.listed_amount and l.archived_at is null and s.status = 'active'
		and 5 > (select count(*) from holds h where h.business_id = c.business_id and h.person_id = u.person_id
			and h.state = 'live' and h.expires_at > now())
		and not exists (select from bookings b where b.business_id = c.business_id and b.occurrence_id = i.occurrence_id
			and b.customer_id = u.id and b.attendee = i.attendee
			and b.state in ('held', 'requested', 'confirmed', 'checked_in', 'no_show', 'completed'))
), seat as (
	update occurrences o set taken = o.taken + w.party, taken_online = o.taken_online + w.party
	from wanted w
	where o.business_id = :business::uuid and o.id = w.occurrence_id and o.state = 'scheduled'
		and o.starts_at - make_interval(mins => (w.rules ->> 'noticeMinutes')::integer) > now()
		and o.taken + o.offered + w.party <= o.capacity and o.taken_online + o.offered + w.party <= o.online_capacity
	returning o.business_id, o.location_id, o.offering_id, o.starts_at, o.ends_at, w.*
), kept as (
	insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at, extended)
	select bench.fresh_id(:n, 0), business_id, cart_id, person_id, customer_id, 'live', now(), now() + interval '10 minutes', false from seat
), booked as (
	insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, hold_id, state, online,
		attendee, attendee_key, party, starts_at, ends_at, price_amount, currency, policy, version, created_at, updated_at)
	select bench.fresh_id(:n, 1), business_id, location_id, offering_id, occurrence_id, customer_id, bench.fresh_id(:n, 0), 'held', true,
		attendee, case attendee when '' then '' end, party, starts_at, ends_at, listed_amount, currency, rules, 1, now(), now()
	from seat
)
insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, actor_id, actor_name, surface,
	reason, note, created_at)
select bench.fresh_id(:n, 2), business_id, bench.fresh_id(:n, 1), '', 'held', 'person', person_id, :name, 'api', 'held', '', now()
from seat returning bench.fresh_id(:n, 0);

-- ## confirm
with kept as (
	update holds h set state = 'confirmed' from carts c
	where c.business_id = :business::uuid and c.token_hash = bench.cart_hash(:n) and c.state = 'open'
		and h.business_id = c.business_id and h.cart_id = c.id and h.state = 'live' and h.expires_at > now() and h.person_id = bench.booker(:n)
	returning h.business_id, h.id, h.cart_id, h.person_id, h.customer_id
), closed as (
	update carts c set state = 'ordered', person_id = k.person_id, version = c.version + 1, updated_at = now()
	from kept k where c.business_id = k.business_id and c.id = k.cart_id
), moved as (
	update bookings b set state = 'confirmed', order_id = bench.fresh_id(:n, 3), confirmed_at = now(), version = b.version + 1, updated_at = now()
	from kept k where b.business_id = k.business_id and b.hold_id = k.id and b.state = 'held'
	returning b.business_id, b.id, b.location_id, b.offering_id, b.occurrence_id, b.customer_id, b.hold_id, b.online, b.attendee, b.party,
		b.starts_at, b.ends_at, b.price_amount, b.currency, b.policy, b.order_id, b.state, b.confirmed_at, k.cart_id, k.person_id
), sold as (
	insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode,
		subtotal_amount, tax_amount, total_amount, created_at, fulfilled_at)
	select m.order_id, m.business_id, m.location_id, m.customer_id, m.cart_id, bench.fresh_hash(:n), 'fulfilled', m.currency, l.tax_mode,
		m.price_amount, 0, m.price_amount, now(), now()
	from moved m join locations l on l.business_id = m.business_id and l.id = m.location_id
	returning *
), lines as (
	insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, tax_amount, tax_name, tax_ppm,
		income_account)
	select bench.fresh_id(:n, 4), m.business_id, m.order_id, m.id, 1, f.kind, f.name, m.price_amount, 0, '', 0, 'income.class'
	from moved m join offerings f on f.business_id = m.business_id and f.id = m.offering_id
), noted as (
	insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, actor_id, actor_name, surface,
		reason, note, created_at)
	select bench.fresh_id(:n, 5), business_id, id, 'held', 'confirmed', 'person', person_id, :name, 'api', 'confirmed', '', now() from moved
), told as (
	select where false /* audit events */
)
insert into river.river_job (state, args, kind, max_attempts, queue, metadata)
select 'available', jsonb_build_object('business', business_id, 'order', order_id), 'order.confirmation', 10, 'mail',
	jsonb_build_object('until', now() + interval '3 days')
from moved
returning bench.fresh_id(:n, 3);

-- ## event of bookings
insert into audit_events (business_id, at, actor_kind, actor_id, actor_name, surface, action, record, record_id, location_id,
	before, after, reason)
select business_id, now(), 'person', person_id, :name, 'api', 'update', 'bookings', id, location_id,
	jsonb_build_object('state', 'held', 'order_id', null, 'confirmed_at', null),
	jsonb_build_object('state', state, 'order_id', order_id, 'confirmed_at', confirmed_at), ''
from moved

-- ## event of orders
insert into audit_events (business_id, at, actor_kind, actor_id, actor_name, surface, action, record, record_id, location_id,
	before, after, reason)
select s.business_id, now(), 'person', m.person_id, :name, 'api', 'create', 'orders', s.id, s.location_id,
	null, to_jsonb(s) - array['business_id', 'version', 'created_at', 'updated_at', 'receipt_hash'], ''
from sold s, moved m
