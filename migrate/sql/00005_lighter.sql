-- What the database does by itself costs less: the wall, the audit trigger, look-ups, indexes. What it keeps safe is the same.

-- +goose Up

-- The wall. The condition of each policy reads the setting with built-in functions, and calls app.current_business() only when
-- there is none, to raise. A call of a plpgsql function costs more than the rest of a small read does, and there is one for each
-- table that a statement names. It is a sub-select as before: evaluated once a table and statement, not once a row.
-- +goose StatementBegin
create function app.tenant_rule() returns text
language sql immutable
as $$ select '(business_id = (select coalesce(nullif(current_setting(''app.business_id'', true), '''')::uuid, app.current_business())))' $$;
create or replace procedure app.tenant_table(t regclass)
language plpgsql
set search_path = pg_catalog
as $$
begin
	execute format('alter table %s enable row level security', t);
	execute format('alter table %s force row level security', t);
	execute format('create policy tenant on %s to foyer_owner, foyer_app, foyer_job using %s with check %2$s', t, app.tenant_rule());
	execute format('grant select, insert, update, delete on %s to foyer_app, foyer_job', t);
end
$$;
do $$
declare
	t regclass;
begin
	for t in select polrelid from pg_policy where polname = 'tenant' loop
		execute format('alter policy tenant on %s using %s with check %2$s', t, app.tenant_rule());
	end loop;
end
$$;
-- +goose StatementEnd

-- app.audit() is the trigger, as 00001_ground.sql says. It sets no search_path, because to change that and back costs every
-- audited write more than the rest of the function does. It needs none: it runs with its caller's rights, so there are none to
-- borrow; its one table is named in full; its functions and operators are built in, and Postgres looks for those in pg_catalog first
-- unless a path names that schema later, which ours do not and a product role could not use: it may create nothing. A row is
-- made JSON once, and of an update only what differs is looked at closer.
-- +goose StatementBegin
create or replace function app.audit() returns trigger
language plpgsql
as $$
declare
	silent text[] := array['business_id', 'version', 'created_at', 'updated_at'] || tg_argv;
	actor jsonb := nullif(current_setting('app.actor', true), '');
	old_row jsonb := to_jsonb(old);
	new_row jsonb := to_jsonb(new);
	was jsonb;
	is_now jsonb;
begin
	if tg_op = 'UPDATE' then
		select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, new_row -> o.key)
			into was, is_now
			from jsonb_each(old_row) o where new_row -> o.key <> o.value and o.key <> all (silent);
		if was is null then
			return null;
		end if;
	else
		was := old_row - silent;
		is_now := new_row - silent;
	end if;
	insert into public.audit_events (business_id, at, actor_kind, actor_id, actor_name, surface, action, record, record_id, location_id,
		before, after, reason)
	values (coalesce(new.business_id, old.business_id), coalesce((actor ->> 'at')::timestamptz, clock_timestamp()),
		coalesce(actor ->> 'kind', 'system'), (actor ->> 'id')::uuid, coalesce(actor ->> 'name', ''), coalesce(actor ->> 'surface', 'job'),
		case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end,
		tg_table_name,
		coalesce(new_row ->> 'id', old_row ->> 'id', new_row ->> 'business_id')::uuid,
		coalesce(new_row ->> 'location_id', old_row ->> 'location_id', case tg_table_name when 'locations' then new_row ->> 'id' end)::uuid,
		was, is_now, coalesce(actor ->> 'reason', ''));
	return null;
end
$$;
-- +goose StatementEnd

-- Taking a seat does not even call it: an update that sets none of these columns has nothing to tell. The audit test sees that they
-- are all but the silent ones, and that no trigger changes a row before it is written.
drop trigger audit on occurrences;
create trigger audit after update of id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at, member_id,
	space_id, state, capacity, online_capacity, overrides, cancel_reason
	on occurrences for each row execute function app.audit('taken', 'taken_online', 'offered');

-- The look-ups of nearly every request. In plpgsql their plans are kept with the connection; a function in SQL is planned at
-- each call. They set no search_path, and as definer functions need every name in full, the operator too.
-- +goose StatementBegin
create or replace function app.find_location(wanted uuid) returns table (business_id uuid, location_id uuid)
language plpgsql stable security definer rows 1
as $$ begin return query select l.business_id, l.id from public.locations l where l.id operator(pg_catalog.=) wanted; end $$;
create or replace function app.find_offering(wanted uuid) returns table (business_id uuid, location_id uuid)
language plpgsql stable security definer rows 1
as $$ begin return query select o.business_id, o.location_id from public.offerings o where o.id operator(pg_catalog.=) wanted; end $$;
create or replace function app.find_api_key(hash bytea) returns table (business_id uuid, id uuid)
language plpgsql stable security definer rows 1
as $$ begin return query select k.business_id, k.id from public.api_keys k where k.key_hash operator(pg_catalog.=) hash; end $$;
create or replace function app.find_cart(hash bytea) returns table (business_id uuid, location_id uuid, id uuid)
language plpgsql stable security definer rows 1
as $$ begin return query select c.business_id, c.location_id, c.id from public.carts c where c.token_hash operator(pg_catalog.=) hash; end $$;
-- +goose StatementEnd

-- Indexes. What is kept serves:
--   bookings             by_start: the list (booking.List); of_occurrence: the roster, and whether somebody is booked there already;
--                        of_customer: a customer's list, caps, My bookings (app.bookings_of); of_hold: confirm, release, expire;
--                        of_order: refunds and receipts of courses; of_group: courses; over, unanswered: the sweeps (app.due_bookings)
--   occurrences          place_key: what bookings, cart_items and waitlist_entries point at; rule_date_key: a rule writes a date once;
--                        by_location: calendars, times, caps; by_offering: the dates of an offering
--   carts                place_key: what cart_items and orders point at; token_hash_key: app.find_cart
--   cart_items           of_cart: the lines in order
--   holds                one_live: a cart has one hold; of_person: how many somebody has; due: the sweep (app.due_holds)
--   orders               cart_key: a cart is ordered once; receipt_hash_key: app.find_order
--   order_lines          position_key: the lines in order
--   booking_transitions  of_booking: the history
--   audit_events         of_record: the log of one record; pkey: the log, the seals
--   claims               of_member, of_space: who is busy when; of_occurrence: freeing them; the exclusion constraints
--   customers            person_key: who has signed in; by_age: the list; of_person: one person's studios
-- bookings_of_customer finds the same rows, because customers and bookings meet by business.
drop index bookings_across;
-- cart_items_pkey has the item and cart_items_of_cart the cart.
alter table cart_items drop constraint cart_items_place_key;
-- An update that changes no indexed column stays on its page and writes to no index, if there is room on the page. Columns that an
-- index merely includes count as indexed, and taking a seat changed two of those.
drop index occurrences_by_location;
create index occurrences_by_location on occurrences (business_id, location_id, starts_at, id);
alter table occurrences set (fillfactor = 90);
alter table carts set (fillfactor = 85);
-- Any condition "state = 'live'" made holds_due one of the indexes to choose from, and after a quiet night, when no hold is live, the
-- planner takes all of them for empty: then a cart or a person was looked for among the live holds of all businesses. This way of
-- saying it is met by nobody but the sweep.
drop index holds_due;
create index holds_due on holds ((case when state = 'live' then expires_at end)) where (case when state = 'live' then expires_at end) is not null;
-- +goose StatementBegin
create or replace function app.due_holds(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select business_id, id from holds where (case when state = 'live' then expires_at end) <= at
	order by (case when state = 'live' then expires_at end) limit most
$$;
-- +goose StatementEnd

-- An order is where its cart is: one foreign key says what two did, and more.
call app.wall(false);
alter table orders drop constraint orders_location_fkey, drop constraint orders_cart_fkey,
	add constraint orders_cart_fkey foreign key (business_id, location_id, cart_id) references carts (business_id, location_id, id);
call app.wall(true);
