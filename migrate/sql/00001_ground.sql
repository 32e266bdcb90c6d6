-- The ground every later file stands on: the schema of functions, the tenant wall, and the audit trigger. The roles foyer_owner, foyer_app, foyer_job and foyer_lookup exist before this runs
-- ("foyer migrate roles" prints them); migrations run as foyer_owner.

-- +goose Up
create schema app;
grant usage on schema app to foyer_app, foyer_job, foyer_lookup;
grant create on schema app to foyer_lookup;
grant usage on schema public to foyer_app, foyer_job, foyer_lookup;
grant select on goose_db_version to foyer_app, foyer_job;

-- app.current_business() is the business that this transaction acts for. It raises when none is set, so that a query
-- outside a tenant transaction fails loudly instead of finding nothing. A recycled connection reads '' and not NULL.
-- Policies call it inside a sub-select: one evaluation a statement. It sets no search_path, because that alone would cost
-- every statement of the product several microseconds; it runs with its caller's rights and uses built-in names only,
-- which no search_path of ours hides. It is plpgsql because the planner unfolds an SQL function in each policy of a
-- statement, each time it plans one, and that costs more than the calls.
-- +goose StatementBegin
create function app.current_business() returns uuid
language plpgsql stable
as $$
declare
	business uuid := nullif(current_setting('app.business_id', true), '')::uuid;
begin
	if business is null then
		raise exception 'no business is set for this transaction' using errcode = '42501';
	end if;
	return business;
end
$$;
-- +goose StatementEnd

-- app.tenant_table(t) puts table t behind the wall: forced row level security for the three login roles and DML grants
-- for the two that serve. Every table with a business_id calls it; the audit test in this package says so.
-- +goose StatementBegin
create procedure app.tenant_table(t regclass)
language plpgsql
set search_path = pg_catalog
as $$
begin
	execute format('alter table %s enable row level security', t);
	execute format('alter table %s force row level security', t);
	execute format('create policy tenant on %s to foyer_owner, foyer_app, foyer_job '
		'using (business_id = (select app.current_business())) '
		'with check (business_id = (select app.current_business()))', t);
	execute format('grant select, insert, update, delete on %s to foyer_app, foyer_job', t);
end
$$;
-- +goose StatementEnd

-- app.append_only(t) takes away what a table of facts must never see.
-- +goose StatementBegin
create procedure app.append_only(t regclass)
language plpgsql
set search_path = pg_catalog
as $$
begin
	execute format('revoke update, delete on %s from foyer_app, foyer_job', t);
end
$$;
-- +goose StatementEnd

-- app.lookup(t, columns) lets the definer functions of foyer_lookup read those columns of t across businesses.
-- +goose StatementBegin
create procedure app.lookup(t regclass, columns text)
language plpgsql
set search_path = pg_catalog
as $$
begin
	execute format('create policy lookup on %s for select to foyer_lookup using (true)', t);
	execute format('grant select (%s) on %s to foyer_lookup', columns, t);
end
$$;
-- +goose StatementEnd

-- app.lookup_function(f) hands a definer function to foyer_lookup and lets the serving roles, and nobody else, call it.
-- +goose StatementBegin
create procedure app.lookup_function(f regprocedure)
language plpgsql
set search_path = pg_catalog
as $$
begin
	execute format('revoke all on function %s from public', f);
	execute format('grant execute on function %s to foyer_app, foyer_job', f);
	execute format('alter function %s owner to foyer_lookup', f);
end
$$;
-- +goose StatementEnd

-- app.wall(stands) lifts the wall for the owner while a migration changes tables that have rows, and sets it up again. A
-- foreign key that is added looks at all businesses' rows. Nobody else sees the transaction in which it is down.
-- +goose StatementBegin
create procedure app.wall(stands boolean)
language plpgsql
set search_path = pg_catalog, public
as $$
declare
	t regclass;
begin
	for t in select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity loop
		execute format('alter table %s %s row level security', t, case when stands then 'force' else 'no force' end);
	end loop;
end
$$;
-- +goose StatementEnd

-- app.audit() is the trigger. The transaction says who acts in the setting app.actor, a JSON object that package pg sets
-- beside app.business_id; without one the change is the system's. Arguments: columns that say nothing to a reader
-- (counters, hashes) and whose change alone is no event.
-- +goose StatementBegin
create function app.audit() returns trigger
language plpgsql
set search_path = pg_catalog, public
as $$
declare
	setting text := current_setting('app.actor', true);
	actor jsonb := coalesce(nullif(setting, ''), '{}')::jsonb;
	silent text[] := array['business_id', 'version', 'created_at', 'updated_at'] || tg_argv::text[];
	was jsonb;
	is_now jsonb;
	old_row jsonb;
	new_row jsonb;
begin
	if tg_op <> 'INSERT' then
		old_row := to_jsonb(old) - silent;
	end if;
	if tg_op <> 'DELETE' then
		new_row := to_jsonb(new) - silent;
	end if;
	if tg_op = 'UPDATE' then
		select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, new_row -> o.key)
			into was, is_now
			from jsonb_each(old_row) o where new_row -> o.key is distinct from o.value;
		if was is null then
			return null;
		end if;
	else
		was := old_row;
		is_now := new_row;
	end if;
	insert into audit_events (business_id, at, actor_kind, actor_id, actor_name, surface, action, record, record_id, location_id,
		before, after, reason)
	values (coalesce(to_jsonb(new) ->> 'business_id', to_jsonb(old) ->> 'business_id')::uuid,
		coalesce((actor ->> 'at')::timestamptz, clock_timestamp()),
		coalesce(actor ->> 'kind', 'system'), (actor ->> 'id')::uuid, coalesce(actor ->> 'name', ''), coalesce(actor ->> 'surface', 'job'),
		case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end,
		tg_table_name,
		coalesce(new_row ->> 'id', old_row ->> 'id', to_jsonb(new) ->> 'business_id')::uuid,
		coalesce(new_row ->> 'location_id', old_row ->> 'location_id', case tg_table_name when 'locations' then new_row ->> 'id' end)::uuid,
		was, is_now, coalesce(actor ->> 'reason', ''));
	return null;
end
$$;
-- app.audited(t, silent) writes every change of table t down.
create procedure app.audited(t regclass, variadic silent text[] default '{}')
language plpgsql
set search_path = pg_catalog
as $$
begin
	execute format('create trigger audit after insert or update or delete on %s for each row execute function app.audit(%s)',
		t, (select coalesce(string_agg(quote_literal(s), ', '), '') from unnest(silent) s));
end
$$;
-- +goose StatementEnd
