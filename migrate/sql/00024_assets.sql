-- Photos: what they are, where they are shown, and which files nobody needs.

-- +goose Up
CREATE TABLE "asset_leftovers" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"due_at" timestamptz NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "asset_leftovers_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id")
);
CREATE INDEX "asset_leftovers_due" ON "asset_leftovers" ("due_at");

CREATE TABLE "assets" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"sha256" character varying NOT NULL,
	"format" character varying NOT NULL,
	"bytes" bigint NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"color" character varying NOT NULL,
	"blur" bytea NOT NULL,
	"title" character varying NOT NULL,
	"alt" character varying NOT NULL DEFAULT '',
	"tags" jsonb NOT NULL DEFAULT ('[]'),
	"sizes" jsonb NOT NULL DEFAULT ('[]'),
	"made" integer NOT NULL DEFAULT 0,
	"state" character varying NOT NULL DEFAULT 'processing',
	"archived_at" timestamptz NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "assets_bytes_key" UNIQUE ("business_id", "sha256"),
	CONSTRAINT "assets_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "assets_color" CHECK (color ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "assets_format" CHECK (format in ('jpeg', 'png', 'gif', 'webp')),
	CONSTRAINT "assets_made" CHECK (made between 0 and jsonb_array_length(sizes) and (state <> 'ready' or made = jsonb_array_length(sizes))),
	CONSTRAINT "assets_sha256" CHECK (sha256 ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "assets_size" CHECK (bytes > 0 and width between 1 and 12000 and height between 1 and 12000),
	CONSTRAINT "assets_state" CHECK (state in ('processing', 'ready', 'failed'))
);
CREATE INDEX "assets_by_time" ON "assets" ("business_id", "created_at");
CREATE INDEX "assets_directory" ON "assets" ("id");
CREATE INDEX "assets_due" ON "assets" ("updated_at") WHERE state = 'processing';

CREATE TABLE "asset_placements" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"location_id" uuid NULL,
	"space_id" uuid NULL,
	"member_id" uuid NULL,
	"offering_id" uuid NULL,
	"position" integer NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "asset_placements_asset_fkey" FOREIGN KEY ("business_id", "asset_id") REFERENCES "assets" ("business_id", "id") ON DELETE CASCADE,
	CONSTRAINT "asset_placements_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "asset_placements_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "asset_placements_space_fkey" FOREIGN KEY ("business_id", "space_id") REFERENCES "spaces" ("business_id", "id"),
	CONSTRAINT "asset_placements_member_fkey" FOREIGN KEY ("business_id", "member_id") REFERENCES "members" ("business_id", "id"),
	CONSTRAINT "asset_placements_offering_fkey" FOREIGN KEY ("business_id", "offering_id") REFERENCES "offerings" ("business_id", "id"),
	CONSTRAINT "asset_placements_position" CHECK (position >= 1),
	CONSTRAINT "asset_placements_subject" CHECK (num_nonnulls(location_id, space_id, member_id, offering_id) <= 1)
);
CREATE UNIQUE INDEX "asset_placements_once" ON "asset_placements" ("business_id", "asset_id", (coalesce(location_id, space_id, member_id, offering_id, business_id)));
CREATE INDEX "asset_placements_of_subject" ON "asset_placements" ("business_id", (coalesce(location_id, space_id, member_id, offering_id, business_id)), "position");
CALL app.tenant_table('assets');
CALL app.lookup('assets', 'id, business_id, state, updated_at');
CALL app.audited('assets', 'blur', 'sha256', 'made', 'color');
CALL app.tenant_table('asset_leftovers');
CALL app.lookup('asset_leftovers', 'id, business_id, due_at');
CALL app.tenant_table('asset_placements');
CALL app.audited('asset_placements');

-- +goose StatementBegin
create function app.find_asset(wanted uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id from assets where id = wanted $$;
-- due_assets: photos whose sizes are not all made and whom nobody has worked on since then.
create function app.due_assets(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from assets where state = 'processing' and updated_at <= at order by updated_at limit most $$;
create function app.due_leftovers(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from asset_leftovers where due_at <= at order by due_at limit most $$;
-- +goose StatementEnd
call app.lookup_function('app.find_asset(uuid)');
call app.lookup_function('app.due_assets(timestamptz, integer)');
call app.lookup_function('app.due_leftovers(timestamptz, integer)');
