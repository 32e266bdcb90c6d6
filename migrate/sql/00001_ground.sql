-- The ground every later file stands on: the schema of functions, the tenant wall, and the one table without a tenant
-- that the ground itself needs. The roles foyer_owner, foyer_app, foyer_job and foyer_lookup exist before this runs
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

-- replays: what a write with an Idempotency-Key answered, written in the write's own transaction. key is the SHA-256 of
-- credential, method, path and the client's key, so that only the same caller can find the row; seq counts the
-- transactions of one request.
create table replays (
	key bytea not null,
	seq smallint not null,
	request bytea not null,
	result jsonb not null,
	created_at timestamptz not null,
	constraint replays_pkey primary key (key, seq)
);
create index replays_created_at on replays (created_at);
grant select, insert, update, delete on replays to foyer_app, foyer_job;

-- rate_windows: fixed windows of the limits that all processes share. Unlogged: a crash forgives everybody.
create unlogged table rate_windows (
	bucket text not null,
	starts_at timestamptz not null, -- of the window that runs: the bucket's first call in it
	hits integer not null,
	constraint rate_windows_pkey primary key (bucket)
);
create index rate_windows_starts_at on rate_windows (starts_at);
grant select, insert, update, delete on rate_windows to foyer_app, foyer_job;
