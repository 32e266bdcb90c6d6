-- Fees, other ends, new prices and other people of memberships.

-- +goose Up
CREATE TABLE "membership_people" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"removed_at" timestamptz NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "membership_people_membership_fkey" FOREIGN KEY ("business_id", "membership_id") REFERENCES "memberships" ("business_id", "id"),
	CONSTRAINT "membership_people_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id")
);
CREATE UNIQUE INDEX "membership_people_key" ON "membership_people" ("business_id", "membership_id", "customer_id") WHERE removed_at is null;
CREATE INDEX "membership_people_of_customer" ON "membership_people" ("business_id", "customer_id") WHERE removed_at is null;

CREATE TABLE "plan_fees" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"kind" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"state" character varying NOT NULL,
	"order_line_id" uuid NULL,
	"freeze_id" uuid NULL,
	"cycle_id" uuid NULL,
	"starts_on" date NOT NULL,
	"ends_on" date NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "plan_fees_line_key" UNIQUE ("business_id", "order_line_id"),
	CONSTRAINT "plan_fees_membership_fkey" FOREIGN KEY ("business_id", "membership_id") REFERENCES "memberships" ("business_id", "id"),
	CONSTRAINT "plan_fees_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "plan_fees_freeze_fkey" FOREIGN KEY ("business_id", "freeze_id") REFERENCES "freezes" ("business_id", "id"),
	CONSTRAINT "plan_fees_cycle_fkey" FOREIGN KEY ("business_id", "cycle_id") REFERENCES "cycles" ("business_id", "id"),
	CONSTRAINT "plan_fees_amount" CHECK (amount between 1 and 99999999),
	CONSTRAINT "plan_fees_kind" CHECK (case kind when 'freeze' then num_nulls(freeze_id, cycle_id, ends_on) = 2 and freeze_id is not null when 'late' then num_nulls(freeze_id, cycle_id, ends_on) = 2 and cycle_id is not null else kind = 'end' and num_nulls(freeze_id, cycle_id, ends_on) = 2 and ends_on is not null end),
	CONSTRAINT "plan_fees_state" CHECK (state in ('open', 'due', 'paid', 'void') and (state in ('open', 'void') or order_line_id is not null))
);
CREATE INDEX "plan_fees_open" ON "plan_fees" ("business_id", "membership_id") WHERE state in ('open', 'due');
CREATE UNIQUE INDEX "plan_fees_freeze_key" ON "plan_fees" ("business_id", "freeze_id", "starts_on") WHERE freeze_id is not null and state <> 'void';
CREATE UNIQUE INDEX "plan_fees_cycle_key" ON "plan_fees" ("business_id", "cycle_id") WHERE cycle_id is not null;
CREATE UNIQUE INDEX "plan_fees_end_key" ON "plan_fees" ("business_id", "membership_id", "kind") WHERE kind = 'end' and state <> 'void';
ALTER TABLE "plans" DROP CONSTRAINT "plans_limits",
	ADD CONSTRAINT "plans_limits" CHECK (customer_max between 0 and 1000 and people_max between 0 and 50),
	ADD COLUMN "people_max" integer NOT NULL DEFAULT 0,
	ADD COLUMN "terms" jsonb NOT NULL DEFAULT ('{}');

CREATE TABLE "price_changes" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"price_amount" bigint NOT NULL,
	"starts_on" date NOT NULL,
	"state" character varying NOT NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "price_changes_plan_fkey" FOREIGN KEY ("business_id", "plan_id") REFERENCES "plans" ("business_id", "id"),
	CONSTRAINT "price_changes_amount" CHECK (price_amount between 0 and 99999999),
	CONSTRAINT "price_changes_state" CHECK (state in ('coming', 'done', 'void'))
);
CREATE UNIQUE INDEX "price_changes_coming" ON "price_changes" ("business_id", "plan_id") WHERE state = 'coming';
CREATE INDEX "price_changes_of_plan" ON "price_changes" ("business_id", "plan_id", "starts_on");
ALTER TABLE "redemptions" DROP CONSTRAINT "redemptions_kind",
	ADD CONSTRAINT "redemptions_kind" CHECK ((num_nonnulls(order_line_id, booking_id) = 2) = (kind in ('used', 'returned')) and num_nonnulls(order_line_id, booking_id) in (0, 2) and (refund_id is not null) = (kind in ('refunded', 'restored')) and amount >= 0 and balance >= 0 and case kind when 'granted' then credits >= 0 when 'used' then credits <= 0 when 'returned' then credits >= 0 when 'expired' then credits <= 0 when 'earned' then credits = 0 and amount > 0 when 'refunded' then credits <= 0 when 'restored' then credits >= 0 when 'ended' then credits <= 0 when 'carried' then credits <= 0 when 'changed' then true when 'transferred' then credits = 0 else kind = 'adjusted' and credits <> 0 and note <> '' end);
CALL app.tenant_table('membership_people');
CALL app.lookup('membership_people', 'business_id, customer_id, removed_at');
CALL app.audited('membership_people');
CALL app.tenant_table('plan_fees');
CALL app.audited('plan_fees');
CALL app.tenant_table('price_changes');
CALL app.audited('price_changes');

-- +goose StatementBegin
create or replace function app.memberships_of(who uuid) returns table (business_id uuid, customer_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select c.business_id, c.id from customers c
	where c.person_id = who
		and (exists (select from memberships m where m.business_id = c.business_id and m.customer_id = c.id)
			or exists (select from membership_people p where p.business_id = c.business_id and p.customer_id = c.id
				and p.removed_at is null))
	order by 1
$$;
-- +goose StatementEnd
