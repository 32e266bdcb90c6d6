-- The least floor of a booking that a plan pays for: it is held as in least.sql, and this confirms it. The plan is the one that
-- ends first of those that have a credit left. If none has, nothing is booked.

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
), owned as (
	select g.id as grant_id, m.id as membership_id, round(g.unused_amount::numeric / g.balance)::bigint as worth, v.id as booking_id,
		v.business_id, v.location_id, v.person_id
	from moved v join locations l on l.business_id = v.business_id and l.id = v.location_id
		join memberships m on m.business_id = v.business_id and m.customer_id = v.customer_id and m.state = 'active'
			and m.starts_on <= (v.starts_at at time zone l.zone)::date and (m.ends_on is null or m.ends_on > (v.starts_at at time zone l.zone)::date)
		join grants g on g.business_id = m.business_id and g.membership_id = m.id and g.balance >= v.party
	order by m.ends_on, g.id limit 1
	for no key update of m, g
), paid as (
	update grants g set balance = g.balance - 1, unused_amount = g.unused_amount - o.worth
	from owned o where g.business_id = o.business_id and g.id = o.grant_id
	returning g.balance, o.*
), changed as (
	update memberships m set uses = m.uses + 1, updated_at = now()
	from paid p where m.business_id = p.business_id and m.id = p.membership_id
), sold as (
	insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode,
		subtotal_amount, discount_amount, tax_amount, total_amount, created_at, fulfilled_at)
	select m.order_id, m.business_id, m.location_id, m.customer_id, m.cart_id, bench.fresh_hash(:n), 'fulfilled', m.currency, l.tax_mode,
		m.price_amount, m.price_amount, 0, 0, now(), now()
	from moved m join locations l on l.business_id = m.business_id and l.id = m.location_id
), lines as (
	insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, discount_amount, tax_amount,
		tax_name, tax_ppm, income_account, grant_id, credits)
	select bench.fresh_id(:n, 4), m.business_id, m.order_id, m.id, 1, f.kind, f.name, m.price_amount, m.price_amount, 0, '', 0, 'income.class',
		p.grant_id, 1
	from moved m join paid p on p.booking_id = m.id join offerings f on f.business_id = m.business_id and f.id = m.offering_id
), used as (
	insert into redemptions (id, business_id, grant_id, location_id, kind, credits, balance, amount, order_line_id, booking_id,
		actor_kind, actor_id, actor_name, created_at)
	select bench.fresh_id(:n, 6), business_id, grant_id, location_id, 'used', -1, balance, worth, bench.fresh_id(:n, 4), booking_id,
		'person', person_id, :name, now()
	from paid
), unearned as (
	insert into unearned_uses (id, business_id, grant_id, booking_id, amount)
	select bench.fresh_id(:n, 6), business_id, grant_id, booking_id, worth from paid where worth > 0
), noted as (
	insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, actor_id, actor_name, surface,
		reason, note, created_at)
	select bench.fresh_id(:n, 5), business_id, id, 'held', 'confirmed', 'person', person_id, :name, 'api', 'confirmed', '', now() from moved
)
insert into river.river_job (state, args, kind, max_attempts, queue, metadata)
select 'available', jsonb_build_object('business', business_id, 'order', order_id), 'order.confirmation', 10, 'mail',
	jsonb_build_object('until', now() + interval '3 days')
from moved where app.must((select count(*) from paid) = 1)
returning bench.fresh_id(:n, 3);
