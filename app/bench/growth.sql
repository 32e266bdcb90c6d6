-- Businesses that are all alike, bench.businesses of them: what a small studio has, four weeks of it. Rows that come one by
-- one in a real business, bookings and appointments, lie in the table as they would: those of one business are apart.
-- bench.carts is how many carts there are; cart n is of a business, a person and a date that follow from n.

-- ## names of growth
create table bench.growth (businesses bigint not null);
insert into bench.growth values (bench.size('businesses'));
grant select on bench.growth to foyer_app;
-- Businesses and dates of a number, spread evenly and in no order.
create function bench.spread(n bigint, seed integer) returns bigint language sql immutable as $$
	select hashint8(n * 8 + seed)::bigint + 2147483648 $$;
create function bench.growth_business(n bigint) returns bigint language sql stable as $$
	select bench.spread(n, 1) % g.businesses from bench.growth g $$;
create function bench.growth_date(n bigint) returns uuid language sql stable as $$
	select bench.id(14, bench.growth_business(n) * 84 + 32 + bench.spread(n, 2) % 52) $$;
create function bench.growth_cart(n bigint) returns uuid language sql immutable as $$ select bench.id(4, n) $$;
create function bench.growth_person(n bigint) returns uuid language sql immutable as $$ select bench.id(5, n) $$;
create function bench.growth_customer(n bigint) returns uuid language sql immutable as $$ select bench.id(6, n) $$;

-- ## businesses, each with a team of four and two rooms
insert into businesses (business_id, name, slug, currency, zone, created_at, updated_at)
select bench.business(b), 'Studio ' || b, 'studio-' || b, 'USD', 'America/New_York', now(), now()
from generate_series(0, bench.size('businesses') - 1) b;
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
select bench.location(b), bench.business(b), 'harbour-' || b, 'Harbour ' || b, 'America/New_York', 'USD', now(), now()
from generate_series(0, bench.size('businesses') - 1) b;
insert into slugs (slug, business_id, current, created_at) select slug, business_id, true, now() from businesses;
insert into slugs (slug, business_id, location_id, current, created_at) select slug, business_id, id, true, now() from locations;
insert into location_hours (id, business_id, location_id, weekday, opens, closes)
select bench.id(53, b * 7 + w), bench.business(b), bench.location(b), w, 420, 1260
from generate_series(0, bench.size('businesses') - 1) b, generate_series(0, 6) w;
insert into spaces (id, business_id, location_id, name, capacity, created_at, updated_at)
select bench.id(8, b * 2 + i), bench.business(b), bench.location(b), 'Room ' || i, 30, now(), now()
from generate_series(0, bench.size('businesses') - 1) b, generate_series(0, 1) i;
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.id(9, m), 'team' || m || '@example.com', 'Instructor ' || m, now(), now(), now()
from generate_series(0, bench.size('businesses') * 4 - 1) m;
insert into members (id, business_id, person_id, email, name, bookable, created_at, updated_at)
select bench.id(10, m), bench.business(m / 4), bench.id(9, m), 'team' || m || '@example.com', 'Instructor ' || m, true, now(), now()
from generate_series(0, bench.size('businesses') * 4 - 1) m;
insert into member_roles (id, business_id, member_id, role, created_at)
select bench.id(11, m), bench.business(m / 4), bench.id(10, m), case m % 4 when 0 then 'owner' else 'instructor' end, now()
from generate_series(0, bench.size('businesses') * 4 - 1) m;
insert into member_hours (id, business_id, member_id, location_id, weekday, opens, closes)
select bench.id(54, m * 7 + w), bench.business(m / 4), bench.id(10, m), bench.location(m / 4), w, 540, 1020
from generate_series(0, bench.size('businesses') * 4 - 1) m, generate_series(0, 6) w where m % 4 > 0;
-- the owner is signed in
insert into sessions (id, person_id, token_hash, created_at, seen_at, expires_at)
select bench.id(55, b), bench.id(9, b * 4), sha256(bench.session_token(b)::bytea), now(), now(), now() + interval '1 day'
from generate_series(0, bench.size('businesses') - 1) b;

-- ## three classes with 84 dates, and an appointment that three people give
insert into offerings (id, business_id, location_id, kind, slug, name, state, duration_minutes, price_amount, capacity,
	online_capacity, buffer_after_minutes, grid_minutes, published_at, created_at, updated_at)
select bench.id(12, b * 4 + i), bench.business(b), bench.location(b), case i when 3 then 'appointment' else 'class' end, 'offering-' || i,
	'Offering number ' || i, 'published', 60, 2200, case i when 3 then 1 else 10000 end, case i when 3 then 1 else 10000 end,
	case i when 3 then 15 else 0 end, case i when 3 then 15 end, now(), now(), now()
from generate_series(0, bench.size('businesses') - 1) b, generate_series(0, 3) i;
insert into offering_members (id, business_id, location_id, offering_id, member_id, position)
select bench.id(56, b * 3 + i), bench.business(b), bench.location(b), bench.id(12, b * 4 + 3), bench.id(10, b * 4 + i), i
from generate_series(0, bench.size('businesses') - 1) b, generate_series(1, 3) i;
insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
	except_dates, zone, capacity, online_capacity, created_at, updated_at)
select o.id, o.business_id, o.location_id, o.id, 'MO,TU,WE,TH,FR,SA,SU', '2020-01-01', 420, 60, '[]', 'America/New_York',
	o.capacity, o.online_capacity, now(), now()
from offerings o where o.kind = 'class';
insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
	member_id, space_id, capacity, online_capacity, taken, taken_online, created_at, updated_at)
select bench.id(14, b * 84 + (d + 7) * 4 + i), bench.business(b), bench.location(b), o.id, o.id, date '2020-01-01' + (d + 7) * 4 + i, day, at,
	at + interval '1 hour', bench.id(10, b * 4), bench.id(8, b * 2 + i % 2), 10000, 10000, 1, 1, now(), now()
from generate_series(0, bench.size('businesses') - 1) b, generate_series(-7, 13) d, generate_series(0, 3) i,
	lateral (select (now() at time zone 'America/New_York')::date + d as day, bench.id(12, b * 4 + (d * 4 + i + 28) % 3) as id) o,
	lateral (select (day + make_interval(hours => 8 + 3 * i)) at time zone 'America/New_York' as at) t;

-- ## 84 appointments, two a day and person
insert into occurrences (id, business_id, location_id, offering_id, local_date, starts_at, ends_at, member_id, capacity,
	online_capacity, taken, taken_online, created_at, updated_at)
select bench.id(30, k::bigint * bench.size('businesses') + b), bench.business(b), bench.location(b), bench.id(12, b * 4 + 3), day, at,
	at + interval '1 hour', bench.id(10, b * 4 + 1 + k % 3), 1, 1, 1, 1, now(), now()
from generate_series(0, 83) k, generate_series(0, bench.size('businesses') - 1) b,
	lateral (select (now() at time zone 'America/New_York')::date + k / 6 as day) d,
	lateral (select (day + make_interval(mins => 600 + k / 3 % 2 * 210 + (b + k) % 3 * 30)) at time zone 'America/New_York' as at) t;

-- ## what dates and appointments keep busy
insert into claims (id, business_id, occurrence_id, member_id, space_id, starts_at, ends_at, exclusive)
select bench.id(case when r.member_id is null then 57 else 58 end, row_number() over ()), o.business_id, o.id, r.member_id, r.space_id, o.starts_at,
	o.ends_at + case when o.series_id is null then interval '15 minutes' else interval '0' end, true
from occurrences o, lateral (values (o.member_id, null::uuid), (null::uuid, o.space_id)) r (member_id, space_id)
where num_nonnulls(r.member_id, r.space_id) = 1 and o.ends_at > now();

-- ## 40 customers and a booking for each date
insert into customers (id, business_id, name, email, phone, created_at, updated_at)
select bench.id(15, i::bigint * bench.size('businesses') + b), bench.business(b), 'Customer ' || i, 'customer' || i || '@example.com',
	'+1 555 ' || i, now() - make_interval(mins => i), now()
from generate_series(0, 39) i, generate_series(0, bench.size('businesses') - 1) b;
insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, starts_at, ends_at,
	price_amount, currency, confirmed_at, created_at, updated_at)
select bench.id(16, k::bigint * bench.size('businesses') + b), bench.business(b), bench.location(b), o.offering_id, o.id,
	bench.id(15, (k * 7 + b) % 40 * bench.size('businesses')::bigint + b), 'confirmed', true, o.starts_at, o.ends_at, 2200, 'USD',
	now(), now(), now()
from generate_series(0, 167) k, generate_series(0, bench.size('businesses') - 1) b
	join lateral (select case when k < 84 then bench.id(14, b * 84 + k) else bench.id(30, (k - 84)::bigint * bench.size('businesses') + b) end as id) w on true
	join lateral (select * from occurrences o where o.id = w.id) o on true;

-- ## people with a cart each, signed in
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.growth_person(n), 'booker' || n || '@example.com', 'Booker ' || n, now(), now(), now()
from generate_series(0, bench.size('carts') - 1) n;
insert into sessions (id, person_id, token_hash, created_at, seen_at, expires_at)
select bench.id(17, n), bench.growth_person(n), sha256(bench.session_token(1000000000 + n)::bytea), now(), now(), now() + interval '1 day'
from generate_series(0, bench.size('carts') - 1) n;
insert into customers (id, business_id, person_id, name, email, created_at, updated_at)
select bench.growth_customer(n), bench.business(bench.growth_business(n)), bench.growth_person(n), 'Booker ' || n,
	'booker' || n || '@example.com', now() - interval '1 year', now()
from generate_series(0, bench.size('carts') - 1) n;
insert into carts (id, business_id, location_id, token_hash, created_at, updated_at)
select bench.growth_cart(n), bench.business(b), bench.location(b), bench.cart_hash(n), now(), now()
from generate_series(0, bench.size('carts') - 1) n, lateral (select bench.growth_business(n) as b) x;
insert into cart_items (id, business_id, cart_id, location_id, kind, offering_id, occurrence_id, listed_amount, created_at)
select bench.id(18, n), o.business_id, bench.growth_cart(n), o.location_id, 'class', o.offering_id, o.id, 2200, now()
from generate_series(0, bench.size('carts') - 1) n join occurrences o on o.id = bench.growth_date(n);
