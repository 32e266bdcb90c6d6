-- The tables of package app/oauth, and the assistant in the activity log.

-- +goose Up
ALTER TABLE "audit_events" ADD COLUMN "connection_id" uuid NULL,
	ADD COLUMN "client" character varying NOT NULL DEFAULT '';

CREATE TABLE "oauth_clients" (
	"id" uuid NOT NULL,
	"client_id" character varying NOT NULL,
	"kind" character varying NOT NULL,
	"name" character varying NOT NULL,
	"redirect_uris" jsonb NOT NULL,
	"auth_method" character varying NOT NULL,
	"secret_hash" bytea NULL,
	"used_at" timestamptz NULL,
	"fresh_until" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("id"),
	CONSTRAINT "oauth_clients_client_id_key" UNIQUE ("client_id"),
	CONSTRAINT "oauth_clients_kind" CHECK (kind in ('registered', 'document') and (kind = 'document') = (fresh_until is not null)),
	CONSTRAINT "oauth_clients_method" CHECK (auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
	CONSTRAINT "oauth_clients_secret" CHECK ((auth_method = 'none') = (secret_hash is null))
);
CREATE INDEX "oauth_clients_unused" ON "oauth_clients" ("created_at") WHERE used_at is null;

CREATE TABLE "oauth_families" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"client_name" character varying NOT NULL,
	"redirect_host" character varying NOT NULL,
	"used_at" timestamptz NULL,
	"ended_at" timestamptz NULL,
	"ended_by" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "oauth_families_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "oauth_families_person_fkey" FOREIGN KEY ("person_id") REFERENCES "persons" ("id"),
	CONSTRAINT "oauth_families_client_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients" ("id"),
	CONSTRAINT "oauth_families_by" CHECK (ended_by in ('', 'disconnected', 'revoked', 'reuse', 'expired')),
	CONSTRAINT "oauth_families_ended" CHECK ((ended_at is null) = (ended_by = ''))
);

CREATE TABLE "oauth_codes" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"code_hash" bytea NOT NULL,
	"redirect_uri" character varying NOT NULL,
	"challenge" character varying NOT NULL,
	"expires_at" timestamptz NOT NULL,
	"family_id" uuid NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "oauth_codes_hash_key" UNIQUE ("business_id", "code_hash"),
	CONSTRAINT "oauth_codes_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "oauth_codes_person_fkey" FOREIGN KEY ("person_id") REFERENCES "persons" ("id"),
	CONSTRAINT "oauth_codes_client_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients" ("id"),
	CONSTRAINT "oauth_codes_family_fkey" FOREIGN KEY ("business_id", "family_id") REFERENCES "oauth_families" ("business_id", "id")
);
CREATE INDEX "oauth_codes_by_time" ON "oauth_codes" ("created_at");

CREATE TABLE "oauth_tokens" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"family_id" uuid NOT NULL,
	"kind" character varying NOT NULL,
	"token_hash" bytea NOT NULL,
	"expires_at" timestamptz NOT NULL,
	"used_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "oauth_tokens_hash_key" UNIQUE ("business_id", "token_hash"),
	CONSTRAINT "oauth_tokens_family_fkey" FOREIGN KEY ("business_id", "family_id") REFERENCES "oauth_families" ("business_id", "id"),
	CONSTRAINT "oauth_tokens_kind" CHECK (kind in ('access', 'refresh') and (kind = 'refresh' or used_at is null))
);
CREATE INDEX "oauth_tokens_of_family" ON "oauth_tokens" ("business_id", "family_id");
CREATE INDEX "oauth_tokens_expired" ON "oauth_tokens" ("expires_at");
GRANT SELECT, INSERT, UPDATE, DELETE ON "oauth_clients" TO foyer_app, foyer_job;
CALL app.tenant_table('oauth_codes');
CALL app.lookup('oauth_codes', 'business_id, created_at');
CALL app.tenant_table('oauth_families');
CALL app.audited('oauth_families', 'client_id', 'used_at');
CALL app.tenant_table('oauth_tokens');
CALL app.lookup('oauth_tokens', 'business_id, expires_at');

-- +goose StatementBegin
create function app.note_connection(business uuid, connection uuid, minute timestamptz) returns boolean
language plpgsql
as $$
begin
	update public.oauth_families set used_at = minute
		where business_id = business and id = connection and (used_at is null or used_at < minute);
	return found;
end
$$;

create function app.old_oauth_codes(before timestamptz, most integer) returns table (business_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select distinct c.business_id from oauth_codes c where c.created_at < before limit most;
end
$$;

create function app.old_oauth_tokens(before timestamptz, most integer) returns table (business_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select distinct t.business_id from oauth_tokens t where t.expires_at < before limit most;
end
$$;

-- app.audit() is the trigger of 00005_lighter.sql, with the assistant of a person.
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
		before, after, reason, connection_id, client)
	values (coalesce(new.business_id, old.business_id), coalesce((actor ->> 'at')::timestamptz, clock_timestamp()),
		coalesce(actor ->> 'kind', 'system'), (actor ->> 'id')::uuid, coalesce(actor ->> 'name', ''), coalesce(actor ->> 'surface', 'job'),
		case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end,
		tg_table_name,
		coalesce(new_row ->> 'id', old_row ->> 'id', new_row ->> 'business_id')::uuid,
		coalesce(new_row ->> 'location_id', old_row ->> 'location_id', case tg_table_name when 'locations' then new_row ->> 'id' end)::uuid,
		was, is_now, coalesce(actor ->> 'reason', ''), (actor ->> 'via')::uuid, coalesce(actor ->> 'client', ''));
	return null;
end
$$;
-- +goose StatementEnd
call app.lookup_function('app.old_oauth_codes(timestamptz, integer)');
call app.lookup_function('app.old_oauth_tokens(timestamptz, integer)');
