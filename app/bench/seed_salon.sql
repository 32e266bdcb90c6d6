-- What a search and a fragment look at, in business 0: a salon of 20 people, of whom 5 each give the same, with
-- bench.appointments appointments, six a day and person. A working day is 8 hours, of which each has two in a row free.

-- ## a salon of 20 people
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
values (bench.salon(), bench.business(0), 'the-salon', 'The Salon', 'America/New_York', 'USD', now(), now());
insert into location_hours (id, business_id, location_id, weekday, opens, closes)
select gen_random_uuid(), bench.business(0), bench.salon(), w, 540, 1020 from generate_series(0, 6) w;
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.id(27, i), 'salon' || i || '@example.com', 'Therapist ' || i, now(), now(), now() from generate_series(0, 19) i;
insert into members (id, business_id, person_id, email, name, bookable, created_at, updated_at)
select bench.id(28, i), bench.business(0), bench.id(27, i), 'salon' || i || '@example.com', 'Therapist ' || i, true, now(), now()
from generate_series(0, 19) i;
insert into member_roles (id, business_id, member_id, role, created_at)
select gen_random_uuid(), bench.business(0), bench.id(28, i), 'instructor', now() from generate_series(0, 19) i;
insert into member_hours (id, business_id, member_id, location_id, weekday, opens, closes)
select gen_random_uuid(), bench.business(0), bench.id(28, i), bench.salon(), w, 540, 1020
from generate_series(0, 19) i, generate_series(0, 6) w;
insert into offerings (id, business_id, location_id, kind, slug, name, state, duration_minutes, price_amount, capacity,
	online_capacity, buffer_before_minutes, buffer_after_minutes, grid_minutes, published_at, created_at, updated_at)
select bench.salon_offering(k), bench.business(0), bench.salon(), 'appointment', 'massage-' || k, 'Massage number ' || k,
	'published', 45, 6000, 1, 1, 5, 10, 15, now(), now(), now()
from generate_series(0, 3) k;
insert into offering_members (id, business_id, location_id, offering_id, member_id, position)
select gen_random_uuid(), bench.business(0), bench.salon(), bench.salon_offering(i / 5), bench.id(28, i), i % 5
from generate_series(0, 19) i;

-- ## their appointments, six a day and person
insert into occurrences (id, business_id, location_id, offering_id, local_date, starts_at, ends_at, member_id, capacity,
	online_capacity, taken, taken_online, created_at, updated_at)
select bench.id(30, n), bench.business(0), bench.salon(), bench.salon_offering(n % 20 / 5), day, at, at + interval '45 minutes',
	bench.id(28, n % 20), 1, 1, 1, 1, now(), now()
from generate_series(0, bench.size('appointments') - 1) n,
	lateral (select (now() at time zone 'America/New_York')::date + n / 120 - bench.size('appointments') / 120 * 4 / 5 as day) d,
	lateral (select (day + make_interval(mins => 540 + (n / 20 % 6 + n % 20 + n / 120) % 8 * 60)) at time zone 'America/New_York' as at) t;
insert into claims (id, business_id, occurrence_id, member_id, starts_at, ends_at, exclusive)
select bench.id(31, n), business_id, id, member_id, starts_at - interval '5 minutes', ends_at + interval '10 minutes', true
from generate_series(0, bench.size('appointments') - 1) n join occurrences on id = bench.id(30, n);
insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, starts_at, ends_at,
	price_amount, currency, confirmed_at, created_at, updated_at)
select bench.id(32, n), business_id, location_id, offering_id, id, bench.id(15, n::bigint * 7919 % 5000), 'confirmed', false,
	starts_at, ends_at, 6000, 'USD', created_at, created_at, created_at
from generate_series(0, bench.size('appointments') - 1) n join occurrences on id = bench.id(30, n);
insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, created_at)
select bench.id(33, n), business_id, id, '', 'confirmed', 'person', 'api', created_at
from generate_series(0, bench.size('appointments') - 1) n join bookings on id = bench.id(32, n);

-- ## a loft, whose two weeks are a page of 30 KB
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
values (bench.id(50, 0), bench.business(0), 'the-loft', 'The Loft', 'America/New_York', 'USD', now(), now());
insert into slugs (slug, business_id, location_id, current, created_at) values ('the-loft', bench.business(0), bench.id(50, 0), true, now());
insert into offerings (id, business_id, location_id, kind, slug, name, state, duration_minutes, price_amount, capacity,
	online_capacity, published_at, created_at, updated_at)
values (bench.id(51, 0), bench.business(0), bench.id(50, 0), 'class', 'loft', 'A class in the loft', 'published', 60, 2200, 20, 16, now(), now(), now());
insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
	except_dates, zone, capacity, online_capacity, created_at, updated_at)
select o.id, o.business_id, o.location_id, o.id, 'MO,TU,WE,TH,FR,SA,SU', '2020-01-01', 420, 60, '[]', 'America/New_York',
	o.capacity, o.online_capacity, now(), now()
from offerings o where o.id = bench.id(51, 0);
insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
	member_id, capacity, online_capacity, created_at, updated_at)
select bench.id(52, n), bench.business(0), bench.id(50, 0), bench.id(51, 0), bench.id(51, 0), date '2020-01-01' + n, day, at, at + interval '1 hour',
	bench.id(28, n % 4), 20, 16, now(), now()
from generate_series(0, 79) n,
	lateral (select (now() at time zone 'America/New_York')::date + n / 4 as day) d,
	lateral (select (day + make_interval(hours => 8 + n % 4 * 3)) at time zone 'America/New_York' as at) t;
