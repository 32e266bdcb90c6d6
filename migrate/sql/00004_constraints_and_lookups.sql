-- What package schema cannot say: constraints that look at more than one row, statistics, audit triggers with a condition,
-- and the look-ups that find the business.

-- +goose Up
create extension if not exists btree_gist;
alter table closures add constraint closures_once exclude using gist
	(business_id with =, location_id with =, daterange(starts_on, ends_on, '[]') with &&);
alter table claims
	add constraint claims_member_once exclude using gist (business_id with =, member_id with =, tstzrange(starts_at, ends_at) with &&)
		where (member_id is not null and exclusive and not forced),
	add constraint claims_space_once exclude using gist (business_id with =, space_id with =, tstzrange(starts_at, ends_at) with &&)
		where (space_id is not null and exclusive and not forced);

-- A crash forgives everybody.
alter table rate_windows set unlogged;

-- The planner takes business and location for independent and would expect a hundredth of a location's rows.
create statistics offerings_place (dependencies, ndistinct) on business_id, location_id from offerings;
create statistics occurrences_place (dependencies, ndistinct) on business_id, location_id from occurrences;

-- Dates are written by the hundred from an audited rule; what is done to one of them is told. Holding a seat for some
-- minutes is not told; booking it is.
create trigger audit after update on occurrences for each row execute function app.audit('taken', 'taken_online', 'offered');
create trigger audit after insert or update on bookings for each row when (new.state not in ('held', 'expired'))
	execute function app.audit();

-- The look-ups return ids only, and belong to foyer_lookup, whose own policies let it see. An id alone is looked up in
-- two tables, which have an index for it; all else is found by a hash, a person or a time.
-- +goose StatementBegin
create function app.find_slug(wanted text) returns table (business_id uuid, location_id uuid, current_slug text)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select s.business_id, s.location_id, c.slug::text
	from slugs s
	join slugs c on c.business_id = s.business_id and c.current
		and c.location_id is not distinct from s.location_id
	where s.slug = wanted
$$;
create function app.find_location(wanted uuid) returns table (business_id uuid, location_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from locations where id = wanted $$;
create function app.find_api_key(hash bytea) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from api_keys where key_hash = hash $$;
create function app.find_account(environment text, external text) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id from processor_accounts where env = environment and external_id = external $$;
create function app.businesses_of(person uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id from members where person_id = person and deactivated_at is null order by business_id $$;
create function app.find_offering(wanted uuid) returns table (business_id uuid, location_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, location_id from offerings where id = wanted $$;
create function app.due_series(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from series where due_at <= at order by due_at limit most $$;
create function app.find_cart(hash bytea) returns table (business_id uuid, location_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, location_id, id from carts where token_hash = hash $$;
create function app.find_order(hash bytea) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from orders where receipt_hash = hash $$;
create function app.due_holds(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from holds where state = 'live' and expires_at <= at order by expires_at limit most $$;
create function app.due_payments(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from payments where due_at <= at order by due_at limit most $$;
create function app.due_refunds(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from refunds where due_at <= at order by due_at limit most $$;
-- bookings_of: a person's bookings across businesses, ids only, by keyset. Upcoming ones (ends_at > at) come soonest
-- first after the key, past ones latest first before it. Held and expired rows are no bookings yet.
create function app.bookings_of(person uuid, at timestamptz, upcoming boolean, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, starts_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	(select b.business_id, b.id, b.starts_at
	from customers c join bookings b on b.business_id = c.business_id and b.customer_id = c.id
	where upcoming and c.person_id = person and b.ends_at > at and b.state not in ('held', 'expired')
		and (key_at is null or (b.starts_at, b.id) > (key_at, key_id))
	order by b.starts_at, b.id limit most)
	union all
	(select b.business_id, b.id, b.starts_at
	from customers c join bookings b on b.business_id = c.business_id and b.customer_id = c.id
	where not upcoming and c.person_id = person and b.ends_at <= at and b.state not in ('held', 'expired')
		and (key_at is null or (b.starts_at, b.id) < (key_at, key_id))
	order by b.starts_at desc, b.id desc limit most)
$$;
-- a person's one booking, whichever business it is in
create function app.booking_of(person uuid, wanted uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from bookings b join customers c on c.business_id = b.business_id and c.id = b.customer_id
	where b.id = wanted and c.person_id = person and b.state not in ('held', 'expired')
$$;
create function app.find_waitlist_offer(hash bytea) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from waitlist_entries where token_hash = hash $$;
create function app.due_offers(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from waitlist_entries where state = 'offered' and offer_until <= at order by offer_until limit most $$;
create function app.due_rounds(at timestamptz, most integer) returns table (business_id uuid, occurrence_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, occurrence_id from waitlist_rounds where due_at <= at order by due_at limit most $$;
-- waitlist_of: a person's entries across businesses, newest first, by keyset.
create function app.waitlist_of(person uuid, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select e.business_id, e.id, e.created_at
	from customers c join waitlist_entries e on e.business_id = c.business_id and e.customer_id = c.id
	where c.person_id = person and (key_at is null or (e.created_at, e.id) < (key_at, key_id))
	order by e.created_at desc, e.id desc limit most
$$;
create function app.waitlist_entry_of(person uuid, wanted uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select e.business_id from waitlist_entries e join customers c on c.business_id = e.business_id and c.id = e.customer_id
	where e.id = wanted and c.person_id = person
$$;
-- businesses_after: all businesses, by keyset, for the sweeps that look after each of them in the night.
create function app.businesses_after(key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id from businesses where key is null or business_id > key order by business_id limit most $$;
-- due_bookings: the businesses that have some of them, by keyset.
create function app.due_bookings(at timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select d.business_id from (
		select b.business_id from bookings b where b.state = 'checked_in' and b.ends_at <= at
		union select b.business_id from bookings b where b.state = 'requested' and b.starts_at <= at
	) d where key is null or d.business_id > key order by 1 limit most
$$;
-- due_seals: the businesses with events up to that time that are not sealed, by keyset.
create function app.due_seals(at timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from businesses b
	where (key is null or b.business_id > key) and exists (select from audit_events e
		where e.business_id = b.business_id and e.at <= due_seals.at
			and e.seq > coalesce((select max(s.to_seq) from audit_seals s where s.business_id = b.business_id), 0))
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.find_slug(text)');
call app.lookup_function('app.find_location(uuid)');
call app.lookup_function('app.find_api_key(bytea)');
call app.lookup_function('app.find_account(text, text)');
call app.lookup_function('app.businesses_of(uuid)');
call app.lookup_function('app.find_offering(uuid)');
call app.lookup_function('app.due_series(timestamptz, integer)');
call app.lookup_function('app.find_cart(bytea)');
call app.lookup_function('app.find_order(bytea)');
call app.lookup_function('app.due_holds(timestamptz, integer)');
call app.lookup_function('app.due_payments(timestamptz, integer)');
call app.lookup_function('app.due_refunds(timestamptz, integer)');
call app.lookup_function('app.bookings_of(uuid, timestamptz, boolean, timestamptz, uuid, integer)');
call app.lookup_function('app.booking_of(uuid, uuid)');
call app.lookup_function('app.find_waitlist_offer(bytea)');
call app.lookup_function('app.due_offers(timestamptz, integer)');
call app.lookup_function('app.due_rounds(timestamptz, integer)');
call app.lookup_function('app.waitlist_of(uuid, timestamptz, uuid, integer)');
call app.lookup_function('app.waitlist_entry_of(uuid, uuid)');
call app.lookup_function('app.businesses_after(uuid, integer)');
call app.lookup_function('app.due_bookings(timestamptz, uuid, integer)');
call app.lookup_function('app.due_seals(timestamptz, uuid, integer)');
