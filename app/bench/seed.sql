-- What the bench measures on. It runs as the superuser, past the policies and without triggers; names.sql is its
-- beginning.
--
-- Business 0 is measured; the others are there so that its rows are found among others. A second location of business 0
-- sells the classes that cost nothing.

-- ## businesses
insert into businesses (business_id, name, slug, currency, zone, created_at, updated_at)
select bench.business(b), 'Studio ' || b, 'studio-' || b, 'USD', 'America/New_York', now(), now()
from generate_series(0, bench.size('businesses') - 1) b;
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
select bench.location(b), bench.business(b), 'harbour-' || b, 'Harbour ' || b, 'America/New_York', 'USD', now(), now()
from generate_series(0, bench.size('businesses') - 1) b
union all select bench.free_location(), bench.business(0), 'the-park', 'The Park', 'America/New_York', 'USD', now(), now();
insert into slugs (slug, business_id, current, created_at)
select slug, business_id, true, now() from businesses;
insert into slugs (slug, business_id, location_id, current, created_at)
select slug, business_id, id, true, now() from locations;
insert into spaces (id, business_id, location_id, name, capacity, created_at, updated_at)
select bench.id(8, b * 4 + i), bench.business(b), bench.location(b), 'Room ' || i, 30, now(), now()
from generate_series(0, bench.size('businesses') - 1) b, generate_series(0, 3) i;

-- ## the team, eight a business; the first is the owner
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.id(9, m), 'team' || m || '@example.com', 'Instructor ' || m, now(), now(), now()
from generate_series(0, bench.size('businesses') * 8 - 1) m;
insert into members (id, business_id, person_id, email, name, bookable, created_at, updated_at)
select bench.id(10, m), bench.business(m / 8), bench.id(9, m), 'team' || m || '@example.com', 'Instructor ' || m, true, now(), now()
from generate_series(0, bench.size('businesses') * 8 - 1) m;
insert into member_roles (id, business_id, member_id, role, created_at)
select bench.id(11, m), bench.business(m / 8), bench.id(10, m), case m % 8 when 0 then 'owner' else 'instructor' end, now()
from generate_series(0, bench.size('businesses') * 8 - 1) m;

-- ## offerings and 2,900 dates a business, ten a day
insert into offerings (id, business_id, location_id, kind, slug, name, state, duration_minutes, price_amount, capacity,
	online_capacity, published_at, created_at, updated_at)
select bench.id(12, b * 40 + i), bench.business(b), bench.location(b), 'class', 'class-' || i, 'Class number ' || i,
	'published', 60, 2200, 20, 16, now(), now(), now()
from generate_series(0, bench.size('businesses') - 1) b, generate_series(0, 39) i
union all
select bench.id(13, i), bench.business(0), bench.free_location(), 'class', 'free-' || i, 'Class in the park ' || i,
	'published', 60, 0, 10000, 10000, now(), now(), now()
from generate_series(0, 19) i;
insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
	except_dates, zone, capacity, online_capacity, created_at, updated_at)
select o.id, o.business_id, o.location_id, o.id, 'MO,TU,WE,TH,FR,SA,SU', '2020-01-01', 420, 60, '[]', 'America/New_York',
	o.capacity, o.online_capacity, now(), now()
from offerings o;
insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
	member_id, space_id, capacity, online_capacity, created_at, updated_at)
select bench.id(14, b * 2900 + (d + 200) * 10 + i), bench.business(b), bench.location(b), o.id, o.id, day, day, at, at + interval '1 hour',
	bench.id(10, b * 8 + i % 8), bench.id(8, b * 4 + i % 4), 20, 16, now(), now()
from generate_series(0, bench.size('businesses') - 1) b, generate_series(-200, 89) d, generate_series(0, 9) i,
	lateral (select (now() at time zone 'America/New_York')::date + d as day, bench.id(12, b * 40 + (d + 200) % 4 * 10 + i) as id) o,
	lateral (select (day + make_interval(hours => 7 + i)) at time zone 'America/New_York' as at) t;
insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
	capacity, online_capacity, created_at, updated_at)
select bench.free_date(i), bench.business(0), bench.free_location(), bench.id(13, i % 20), bench.id(13, i % 20), date '2020-01-01' + i,
	(at at time zone 'America/New_York')::date, at, at + interval '1 hour', 10000, 10000, now(), now()
from generate_series(0, bench.free_dates() - 1) i, lateral (select date_trunc('hour', now()) + make_interval(days => 1, hours => i) as at) t;
insert into claims (id, business_id, occurrence_id, member_id, space_id, starts_at, ends_at, exclusive)
select gen_random_uuid(), o.business_id, o.id, r.member_id, r.space_id, o.starts_at, o.ends_at, true
from occurrences o, lateral (values (o.member_id, null::uuid), (null::uuid, o.space_id)) r (member_id, space_id)
where num_nonnulls(r.member_id, r.space_id) = 1;

-- ## customers and bookings
insert into customers (id, business_id, name, email, phone, created_at, updated_at)
select bench.id(15, b * 5000 + i), bench.business(b), 'Customer ' || i, 'customer' || i || '@example.com', '+1 555 ' || i,
	now() - make_interval(mins => i), now()
from generate_series(0, bench.size('businesses') - 1) b, generate_series(0, case b when 0 then 4999 else 499 end) i;
insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, hold_id, order_id, state, online,
	starts_at, ends_at, price_amount, currency, confirmed_at, created_at, updated_at)
select bench.id(16, n), o.business_id, o.location_id, o.offering_id, o.id,
	bench.id(15, b * 5000 + i::bigint * 7919 % case b when 0 then 5000 else 500 end), bench.id(19, n), bench.id(20, n), 'confirmed', true,
	o.starts_at, o.ends_at, 2200, 'USD', now(), now() - make_interval(mins => i), now()
from generate_series(0, bench.size('businesses') - 1) b,
	generate_series(0, case b when 0 then bench.size('bookings') else bench.size('bookings') / 10 end - 1) i
	join lateral (select b * 100000 + i as n) k on true
	join lateral (select * from occurrences where id = bench.id(14, b * 2900 + i % 2900)) o on true;
update occurrences o set taken = n.n, taken_online = n.n
from (select occurrence_id, count(*) as n from bookings group by occurrence_id) n where o.id = n.occurrence_id;

-- ## what the bookings were bought with
insert into carts (id, business_id, location_id, token_hash, state, created_at, updated_at)
select bench.id(21, n), business_id, location_id, sha256(('bought' || n)::bytea), 'ordered', created_at, created_at
from bench.numbered_bookings;
insert into cart_items (id, business_id, cart_id, location_id, kind, offering_id, occurrence_id, listed_amount, created_at)
select bench.id(22, n), business_id, bench.id(21, n), location_id, 'class', offering_id, occurrence_id, price_amount, created_at
from bench.numbered_bookings;
insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at)
select hold_id, business_id, bench.id(21, n), bench.booker(n), customer_id, 'confirmed', created_at, created_at + interval '10 minutes'
from bench.numbered_bookings;
insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode, subtotal_amount,
	tax_amount, total_amount, created_at, fulfilled_at)
select order_id, business_id, location_id, customer_id, bench.id(21, n), sha256(('receipt' || n)::bytea), 'fulfilled', currency,
	'exclusive', price_amount, 0, price_amount, created_at, created_at
from bench.numbered_bookings;
insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, tax_amount, income_account)
select bench.id(23, n), business_id, order_id, id, 1, 'class', 'A class', price_amount, 0, 'income.class' from bench.numbered_bookings;
with paid as (
	insert into order_tenders (id, business_id, location_id, order_id, position, kind, state, amount, currency, captured_at, created_at)
	select gen_random_uuid(), business_id, location_id, order_id, 1, 'card', 'captured', price_amount, currency, created_at, created_at
	from bench.numbered_bookings where price_amount > 0
	returning business_id, id, order_id, amount
)
insert into tender_parts (business_id, tender_id, seq, line_id, account, amount)
select p.business_id, p.id, 1, x.id, 'income.class', p.amount from paid p join order_lines x on x.business_id = p.business_id and x.order_id = p.order_id;
insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, created_at)
select bench.id(24 + s, n), business_id, id, case s when 0 then '' else 'held' end, case s when 0 then 'held' else 'confirmed' end,
	'person', 'api', created_at
from bench.numbered_bookings, generate_series(0, 1) s;

-- ## people who will book, signed in
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.booker(p), 'booker' || p || '@example.com', 'Booker ' || p, now(), now(), now() from generate_series(0, bench.bookers() - 1) p;
insert into customers (id, business_id, person_id, name, email, created_at, updated_at)
select bench.customer(p), bench.business(0), bench.booker(p), 'Booker ' || p, 'booker' || p || '@example.com', now() - interval '1 year', now()
from generate_series(0, bench.bookers() - 1) p;
insert into sessions (id, person_id, token_hash, created_at, seen_at, expires_at)
select bench.id(17, p), bench.booker(p), sha256(bench.session_token(p)::bytea), now(), now(), now() + interval '1 day'
from generate_series(0, bench.bookers() - 1) p
union all
select bench.id(17, 1000), bench.id(9, 0), sha256(bench.session_token(1000)::bytea), now(), now(), now() + interval '1 day';

-- ## their carts, filled
insert into carts (id, business_id, location_id, token_hash, created_at, updated_at)
select bench.cart(n), bench.business(0), bench.free_location(), bench.cart_hash(n), now(), now() from generate_series(0, bench.size('carts') - 1) n;
insert into cart_items (id, business_id, cart_id, location_id, kind, offering_id, occurrence_id, listed_amount, created_at)
select bench.id(18, n), bench.business(0), bench.cart(n), bench.free_location(), 'class', bench.id(13, n % bench.free_dates() % 20), bench.free_date(n), 0, now()
from generate_series(0, bench.size('carts') - 1) n;
