-- What the console's calendar is looked at with, in business 0: a hall whose coming week has 300 dates, fifty a day but on Sunday.

-- ## a hall with a full week
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
values (bench.hall(), bench.business(0), 'the-hall', 'The Hall', 'America/New_York', 'USD', now(), now());
insert into offerings (id, business_id, location_id, kind, slug, name, state, duration_minutes, price_amount, capacity,
	online_capacity, published_at, created_at, updated_at)
select bench.id(56, i), bench.business(0), bench.hall(), 'class', 'hall-' || i, 'Class in the hall ' || i, 'published', 45, 1500, 20, 20, now(), now(), now()
from generate_series(0, 9) i;
insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
	except_dates, zone, capacity, online_capacity, created_at, updated_at)
select o.id, o.business_id, o.location_id, o.id, 'MO,TU,WE,TH,FR,SA', '2020-01-01', 420, 45, '[]', 'America/New_York', 20, 20, now(), now()
from offerings o where o.location_id = bench.hall();
insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
	member_id, capacity, online_capacity, taken, created_at, updated_at)
select bench.id(57, n), bench.business(0), bench.hall(), bench.id(56, n % 10), bench.id(56, n % 10), date '2020-01-01' + n, day, at, at + interval '45 minutes',
	bench.id(10, n % 8), 20, 20, n % 21, now(), now()
from generate_series(0, 299) n,
	lateral (select bench.week() + n / 50 as day) d,
	lateral (select (day + make_interval(mins => 420 + n % 50 * 15)) at time zone 'America/New_York' as at) t;
