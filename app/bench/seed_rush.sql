-- The rush: a business of its own, so that its rows are in nobody's way. bench.rush is how many carts want a person, and
-- how many want a room; bench.races is how many races there are for the last seat of a class.

-- ## a rush
insert into businesses (business_id, name, slug, currency, zone, created_at, updated_at)
values (bench.rush(), 'The Rush', 'the-rush', 'USD', 'America/New_York', now(), now());
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
values (bench.rush_location(), bench.rush(), 'the-rush-here', 'The Rush', 'America/New_York', 'USD', now(), now());
insert into location_hours (id, business_id, location_id, weekday, opens, closes)
select gen_random_uuid(), bench.rush(), bench.rush_location(), w, 480, 1080 from generate_series(0, 6) w;
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.id(38, i), 'rush' || i || '@example.com', 'Rush ' || i, now(), now(), now() from generate_series(0, 7) i;
insert into members (id, business_id, person_id, email, name, bookable, created_at, updated_at)
select bench.rush_member(i), bench.rush(), bench.id(38, i), 'rush' || i || '@example.com', 'Rush ' || i, true, now(), now()
from generate_series(0, 7) i;
insert into member_hours (id, business_id, member_id, location_id, weekday, opens, closes)
select gen_random_uuid(), bench.rush(), bench.rush_member(i), bench.rush_location(), w, 480, 1080
from generate_series(0, 7) i, generate_series(0, 6) w;
insert into spaces (id, business_id, location_id, name, capacity, created_at, updated_at)
select bench.rush_space(i), bench.rush(), bench.rush_location(), 'Room ' || i, 10, now(), now() from generate_series(0, 7) i;
insert into offerings (id, business_id, location_id, kind, slug, name, state, duration_minutes, price_amount, capacity,
	online_capacity, grid_minutes, sold_as, published_at, created_at, updated_at)
select bench.id(41, i), bench.rush(), bench.rush_location(), kind, slug, slug, 'published', 30, 3000, capacity, capacity, grid, sold_as,
	now(), now(), now()
from (values (0, 'appointment', 'a-person', 1, 30, 'person'), (1, 'rental', 'a-room', 10, 30, 'space'),
	(2, 'class', 'a-class', 20, null, 'person')) o (i, kind, slug, capacity, grid, sold_as);
insert into offering_members (id, business_id, location_id, offering_id, member_id, position)
select gen_random_uuid(), bench.rush(), bench.rush_location(), bench.id(41, 0), bench.rush_member(i), i from generate_series(0, 7) i;
insert into offering_spaces (id, business_id, location_id, offering_id, space_id, position)
select gen_random_uuid(), bench.rush(), bench.rush_location(), bench.id(41, 1), bench.rush_space(i), i from generate_series(0, 7) i;

-- ## dates with one seat left, and as many with room for all
insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
	except_dates, zone, capacity, online_capacity, created_at, updated_at)
select o.id, o.business_id, o.location_id, o.id, 'MO,TU,WE,TH,FR,SA,SU', '2020-01-01', 420, 60, '[]', 'America/New_York',
	o.capacity, o.online_capacity, now(), now()
from offerings o where o.id = bench.id(41, 2);
insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
	capacity, online_capacity, taken, taken_online, created_at, updated_at)
select bench.id(48, i), bench.rush(), bench.rush_location(), bench.id(41, 2), bench.id(41, 2), date '2020-01-01' + i,
	(at at time zone 'America/New_York')::date, at, at + interval '1 hour', capacity, capacity, taken, taken, now(), now()
from generate_series(0, bench.size('races') + 199) i,
	lateral (select case when i < bench.size('races') then 20 else 10000 end as capacity,
		case when i < bench.size('races') then 19 else 0 end as taken) c,
	lateral (select date_trunc('hour', now()) + make_interval(days => 1, hours => i) as at) t;

-- ## who wants them, signed in
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.rush_racer(p), 'racer' || p || '@example.com', 'Racer ' || p, now(), now(), now()
from generate_series(0, least(bench.rush_racers(), 2 * bench.size('rush') + 600 * bench.size('races')) - 1) p;
insert into customers (id, business_id, person_id, name, email, created_at, updated_at)
select bench.id(44, p), bench.rush(), bench.rush_racer(p), 'Racer ' || p, 'racer' || p || '@example.com', now(), now()
from generate_series(0, least(bench.rush_racers(), 2 * bench.size('rush') + 600 * bench.size('races')) - 1) p;
insert into sessions (id, person_id, token_hash, created_at, seen_at, expires_at)
select bench.id(45, p), bench.rush_racer(p), sha256(bench.session_token(10000 + p)::bytea), now(), now(), now() + interval '1 day'
from generate_series(0, least(bench.rush_racers(), 2 * bench.size('rush') + 600 * bench.size('races')) - 1) p;

-- ## their carts: who wants a person, who wants a room, and for each race 600 who want a seat
-- Of 600 the first 200 want the last seat, the others the seats of dates that have room, each of one of 200.
insert into carts (id, business_id, location_id, token_hash, created_at, updated_at)
select bench.id(46, n), bench.rush(), bench.rush_location(), bench.cart_hash(1000000000 + n), now(), now()
from generate_series(0, 2 * bench.size('rush') + 600 * bench.size('races') - 1) n;
insert into cart_items (id, business_id, cart_id, location_id, kind, offering_id, starts_at, minutes, member_id, space_id, listed_amount, created_at)
select bench.id(47, n), bench.rush(), bench.id(46, n), bench.rush_location(), case which when 0 then 'appointment' else 'rental' end, bench.id(41, which), bench.rush_time(k), 30,
	case which when 0 then bench.rush_member(k) end, case which when 1 then bench.rush_space(k) end, 3000, now()
from generate_series(0, 2 * bench.size('rush') - 1) n, lateral (select n / bench.size('rush') as which, n % bench.size('rush') / 32 as k) w;
insert into cart_items (id, business_id, cart_id, location_id, kind, offering_id, occurrence_id, listed_amount, created_at)
select bench.id(47, n), bench.rush(), bench.id(46, n), bench.rush_location(), 'class', bench.id(41, 2),
	bench.id(48, case when i % 600 < 200 then i / 600 else bench.size('races') + i % 200 end), 3000, now()
from generate_series(0, 600 * bench.size('races') - 1) i, lateral (select 2 * bench.size('rush') + i as n) c;
