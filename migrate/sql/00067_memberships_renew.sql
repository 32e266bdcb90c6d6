-- Memberships that are paid by the period: their billing periods, and the grants of each.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_consent" CHECK ((consented_at is null) = (consent_text = '') and (kind = 'plan' or consented_at is null)),
	ADD COLUMN "consent_text" character varying NOT NULL DEFAULT '',
	ADD COLUMN "consented_at" timestamptz NULL;
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_kind",
	ADD CONSTRAINT "memberships_kind" CHECK (kind in ('pack', 'pass', 'intro', 'comp', 'membership')),
	ADD CONSTRAINT "memberships_consent" CHECK ((consented_at is null) = (consent_text = '')),
	ADD COLUMN "consent_text" character varying NOT NULL DEFAULT '',
	ADD COLUMN "consented_at" timestamptz NULL,
	ADD COLUMN "canceled_at" timestamptz NULL;
ALTER TABLE "plans" DROP CONSTRAINT "plans_kind",
	ADD CONSTRAINT "plans_kind" CHECK (kind in ('pack', 'pass', 'intro', 'comp', 'membership')),
	ADD CONSTRAINT "plans_renewal" CHECK (intro_amount between 0 and 99999999 and intro_periods between 0 and 60 and min_periods between 0 and 120 and notice_days between 0 and 366 and (not ends or min_periods > 0) and (intro_periods > 0 or intro_amount = 0) and case kind when 'membership' then valid_count is not null and not from_first_use else intro_periods = 0 and min_periods = 0 and not ends and notice_days = 0 end),
	ADD COLUMN "intro_amount" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "intro_periods" integer NOT NULL DEFAULT 0,
	ADD COLUMN "min_periods" integer NOT NULL DEFAULT 0,
	ADD COLUMN "ends" boolean NOT NULL DEFAULT false,
	ADD COLUMN "notice_days" integer NOT NULL DEFAULT 0;

CREATE TABLE "cycles" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date NOT NULL,
	"price_amount" bigint NOT NULL,
	"state" character varying NOT NULL,
	"order_line_id" uuid NULL,
	"tries" integer NOT NULL DEFAULT 0,
	"tried_at" timestamptz NULL,
	"first_tried_at" timestamptz NULL,
	"noticed_at" timestamptz NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "cycles_number_key" UNIQUE ("business_id", "membership_id", "number"),
	CONSTRAINT "cycles_line_key" UNIQUE ("business_id", "order_line_id"),
	CONSTRAINT "cycles_membership_fkey" FOREIGN KEY ("business_id", "membership_id") REFERENCES "memberships" ("business_id", "id"),
	CONSTRAINT "cycles_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "cycles_amount" CHECK (price_amount between 0 and 99999999),
	CONSTRAINT "cycles_days" CHECK (starts_on < ends_on and number >= 1 and tries >= 0),
	CONSTRAINT "cycles_state" CHECK (state in ('coming', 'due', 'paid', 'void') and (state <> 'due' or order_line_id is not null))
);
CREATE INDEX "cycles_due" ON "cycles" ("starts_on") WHERE state in ('coming', 'due');
ALTER TABLE "grants" DROP CONSTRAINT "grants_benefit_key",
	ADD CONSTRAINT "grants_days" CHECK (num_nonnulls(cycle_id, starts_on, ends_on) in (0, 3)),
	ADD COLUMN "cycle_id" uuid NULL,
	ADD COLUMN "starts_on" date NULL,
	ADD COLUMN "ends_on" date NULL,
	ADD CONSTRAINT "grants_cycle_key" UNIQUE ("business_id", "cycle_id", "benefit"), ADD CONSTRAINT "grants_cycle_fkey" FOREIGN KEY ("business_id", "cycle_id") REFERENCES "cycles" ("business_id", "id");
CREATE UNIQUE INDEX "grants_benefit_key" ON "grants" ("business_id", "membership_id", "benefit") WHERE (cycle_id IS NULL);
CREATE INDEX "grants_ending" ON "grants" ("ends_on") WHERE ends_on is not null and (balance > 0 or unused_amount > 0);
CREATE INDEX "grants_of_membership" ON "grants" ("business_id", "membership_id", "ends_on");
CALL app.wall(true);
CALL app.tenant_table('cycles');
CALL app.lookup('cycles', 'business_id, starts_on, state');
CALL app.audited('cycles', 'tries', 'tried_at', 'first_tried_at', 'noticed_at');
GRANT SELECT (balance, ends_on) ON "grants" TO foyer_lookup;

-- +goose StatementBegin
create function app.renewals_due(before date, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct c.business_id from cycles c
	where c.state in ('coming', 'due') and c.starts_on <= before and (key is null or c.business_id > key)
	order by 1 limit most
$$;
create function app.grants_ending(before date, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct g.business_id from grants g
	where g.ends_on is not null and (g.balance > 0 or g.unused_amount > 0) and g.ends_on <= before
		and (key is null or g.business_id > key)
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.renewals_due(date, uuid, integer)');
call app.lookup_function('app.grants_ending(date, uuid, integer)');
