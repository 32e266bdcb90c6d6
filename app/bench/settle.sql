-- The least floor of a card payment that succeeded: what must be written from its event to the books, by hand, and nothing else. settle.go
-- says which promises these are. $1 is the number of the cart and $2 the business; the event, the intent and the charge are named after it.

-- ## event
with came as (
	insert into webhook_events (id, env, account, type, object, received_at)
	values ('evt_least_' || $1::bigint, 'simulated', 'acct_sim_least', 'payment_intent.succeeded', 'pi_least_' || $1::bigint, now())
	on conflict (env, id) do nothing returning id
)
insert into river.river_job (state, args, kind, max_attempts, queue)
select 'available', jsonb_build_object('env', 'simulated', 'event', id), 'billing.webhook', 10, 'webhooks' from came;

-- ## settle
with known as (
	update webhook_events set processed_at = now() where env = 'simulated' and id = 'evt_least_' || $1::bigint and processed_at is null returning id
), paid as (
	update payments p set status = 'succeeded', charge = 'ch_least_' || $1::bigint, card_brand = 'visa', card_last4 = '4242', outcome = 'fulfilled',
		due_at = now() + interval '1 minute', succeeded_at = now(), updated_at = now()
	from orders o, known
	where o.business_id = $2::uuid and o.cart_id = bench.cart($1) and o.state = 'open'
		and p.business_id = o.business_id and p.order_id = o.id and p.status not in ('succeeded', 'failed', 'canceled')
	returning p.id, p.business_id, p.order_id, p.location_id, p.amount, p.currency, o.cart_id
), sold as (
	update orders o set state = 'fulfilled', fulfilled_at = now() from paid p where o.business_id = p.business_id and o.id = p.order_id
), kept as (
	update holds h set state = 'confirmed' from paid p
	where h.business_id = p.business_id and h.cart_id = p.cart_id and h.state = 'live' and h.expires_at > now()
	returning h.business_id, h.id, h.person_id, p.order_id, p.cart_id
), closed as (
	update carts c set state = 'ordered', version = c.version + 1, updated_at = now() from kept k where c.business_id = k.business_id and c.id = k.cart_id
), moved as (
	update bookings b set state = 'confirmed', order_id = k.order_id, confirmed_at = now(), version = b.version + 1, updated_at = now()
	from kept k where b.business_id = k.business_id and b.hold_id = k.id and b.state = 'held'
	returning b.business_id, b.id, b.location_id, b.order_id
), noted as (
	insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, actor_name, surface, reason, note, created_at)
	select bench.fresh_id($1, 5), business_id, id, 'held', 'confirmed', 'system', '', 'job', 'confirmed', '', now() from moved
), books as (
	select c.closed_through from ledger_closings c, paid p where c.business_id = p.business_id and c.location_id = p.location_id for share of c
), written as (
	insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at, local_date, size, created_at)
	select bench.fresh_id($1, 6), p.business_id, p.location_id, 'payment', p.id, 'sale', p.currency, now(),
		greatest((now() at time zone l.zone)::date, b.closed_through + 1), 2, now()
	from paid p join locations l on l.business_id = p.business_id and l.id = p.location_id, books b
	on conflict on constraint ledger_entries_source_key do nothing
	returning id, business_id, currency, local_date
), posted as (
	insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount, base)
	select w.business_id, w.id, x.seq, a.id, w.currency, w.local_date, x.sign * p.amount, 0
	from written w, paid p, (values (0, 'clearing.processor', 1), (1, 'income.class', -1)) x (seq, code, sign)
	join ledger_accounts a on a.business_id = $2::uuid and a.code = x.code and a.currency = 'USD'
)
insert into river.river_job (state, args, kind, max_attempts, queue, metadata)
select 'available', jsonb_build_object('business', business_id, 'order', order_id), 'order.confirmation', 10, 'mail',
	jsonb_build_object('until', now() + interval '3 days')
from moved
