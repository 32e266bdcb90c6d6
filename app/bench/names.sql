-- The names of what the benches measure on. Every id follows from a tag and a number, so that pgbench, which knows numbers
-- only, can name rows. The settings bench.* say how much there is.

-- ## names
create schema bench;
grant usage on schema bench to foyer_app;
create function bench.size(what text) returns integer language sql stable as $$ select current_setting('bench.' || what)::integer $$;
-- Ids differ in front, as those do that begin with the time: indexes of ranges are slow to tell others apart.
create function bench.id(tag integer, n bigint) returns uuid language sql immutable as $$
	select (lpad(to_hex(n), 12, '0') || '7' || lpad(to_hex(tag), 3, '0') || '8000000000000000')::uuid $$;
create function bench.business(n bigint) returns uuid language sql immutable as $$ select bench.id(1, n) $$;
create function bench.location(n bigint) returns uuid language sql immutable as $$ select bench.id(2, n) $$;
create function bench.free_location() returns uuid language sql immutable as $$ select bench.id(3, 0) $$;
create function bench.session_token(n bigint) returns text language sql immutable as $$ select lpad(n::text, 42, '0') || 'A' $$;
-- Cart n is for date n % 997, and for booker n % 251: no two of the first 250,000 are for the same seat of the same person,
-- and neighbours meet neither at a row of a person nor at one of a date.
create function bench.bookers() returns integer language sql immutable as $$ select 251 $$;
create function bench.free_dates() returns integer language sql immutable as $$ select 997 $$;
create function bench.cart(n bigint) returns uuid language sql immutable as $$ select bench.id(4, n) $$;
create function bench.cart_token(n bigint) returns text language sql immutable as $$ select lpad(n::text, 32, '0') $$;
create function bench.cart_hash(n bigint) returns bytea language sql immutable as $$ select sha256(lpad(n::text, 32, '0')::bytea) $$;
create function bench.booker(n bigint) returns uuid language sql immutable as $$ select bench.id(5, n % 251) $$;
create function bench.customer(n bigint) returns uuid language sql immutable as $$ select bench.id(6, n % 251) $$;
create function bench.free_date(n bigint) returns uuid language sql immutable as $$ select bench.id(7, n % 997) $$;
-- What the product makes anew for each booking, and a null, which pgbench does not have.
create function bench.fresh_id(n bigint, which integer) returns uuid language sql immutable as $$ select bench.id(64 + which, n) $$;
create function bench.fresh_hash(n bigint) returns bytea language sql immutable as $$ select sha256(('fresh' || n)::bytea) $$;
create view bench.numbered_bookings as select row_number() over (order by created_at desc, id) as n, * from bookings;
create function bench.nothing(n bigint) returns text language sql immutable as $$ select null::text $$;
-- Line i of ten of a sale at the desk: neighbouring sales meet at no variant.
create function bench.shelf(n bigint, i integer) returns uuid language sql immutable as $$ select bench.id(161, n % 61 * 10 + i - 1) $$;
-- The salon of business 0: people whose appointments are searched.
create function bench.salon() returns uuid language sql immutable as $$ select bench.id(26, 0) $$;
create function bench.salon_offering(n bigint) returns uuid language sql immutable as $$ select bench.id(29, n) $$;
-- The hall of business 0, and the Monday of its full week: the coming one.
create function bench.hall() returns uuid language sql immutable as $$ select bench.id(55, 0) $$;
create function bench.week() returns date language sql stable as $$ select date_trunc('week', (now() at time zone 'America/New_York')::date + 7)::date $$;
-- The rush: a business where everybody wants the same. Rush cart n belongs to racer n % 20011. Of the first two thirds 32 in a
-- row want the same half hour with the same one of 8 people, or of 8 rooms; the rest are for seats of classes, see
-- seed_rush.sql.
create function bench.rush() returns uuid language sql immutable as $$ select bench.id(37, 0) $$;
create function bench.rush_location() returns uuid language sql immutable as $$ select bench.id(37, 1) $$;
create function bench.rush_racers() returns integer language sql immutable as $$ select 20011 $$;
create function bench.rush_member(n bigint) returns uuid language sql immutable as $$ select bench.id(39, n % 8) $$;
create function bench.rush_space(n bigint) returns uuid language sql immutable as $$ select bench.id(40, n % 8) $$;
create function bench.rush_racer(n bigint) returns uuid language sql immutable as $$ select bench.id(43, n % 20011) $$;
create function bench.rush_time(n bigint) returns timestamptz language sql stable as $$
	select ((now() at time zone 'America/New_York')::date + 2 + (n / 160)::integer + make_interval(mins => 480 + 30 * (n / 8 % 20)::integer))
		at time zone 'America/New_York' $$;

-- ## indexes away
-- They are made again when the rows are there (indexes.sql), which takes less time. What a foreign key refers to stays, and so
-- does a list in a condition, which Postgres would not write again as it stood.
create table bench.indexes as
select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as away,
	format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as again
from pg_constraint c
where c.connamespace = 'public'::regnamespace and c.contype in ('u', 'x')
	and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = c.conindid)
union all
select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
from pg_index i join pg_class t on t.oid = i.indrelid
where t.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
	and pg_get_indexdef(i.indexrelid) not like '%ARRAY%';
do $$ declare sql text; begin for sql in select away from bench.indexes loop execute sql; end loop; end $$;
