-- Memberships that are frozen, change their plan, keep unused credits and are paid on a fixed day; guest passes; discounts
-- for members.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "discounts" ADD COLUMN "plan_ids" jsonb NOT NULL DEFAULT ('[]');
ALTER TABLE "grants" DROP CONSTRAINT "grants_cycle_key",
	ADD COLUMN "carried" boolean NOT NULL DEFAULT false,
	ADD COLUMN "replaced_at" timestamptz NULL;
CREATE UNIQUE INDEX "grants_cycle_key" ON "grants" ("business_id", "cycle_id", "benefit", "carried") WHERE replaced_at is null;
ALTER TABLE "memberships" ADD COLUMN "anchor_on" date NULL,
	ADD COLUMN "anchor_number" integer NOT NULL DEFAULT 1;
ALTER TABLE "memberships" DISABLE TRIGGER USER;
UPDATE "memberships" SET anchor_on = starts_on;
ALTER TABLE "memberships" ENABLE TRIGGER USER;
ALTER TABLE "memberships" ALTER COLUMN "anchor_on" SET NOT NULL;
ALTER TABLE "plan_benefits" DROP CONSTRAINT "plan_benefits_limits",
	ADD CONSTRAINT "plan_benefits_limits" CHECK (day_max between 0 and 100 and week_max between 0 and 100 and upcoming_max between 0 and 1000 and rollover_max between 0 and 10000),
	ADD CONSTRAINT "plan_benefits_guests" CHECK (not (for_guests and guests_only) and (credits is not null or not guests_only and rollover_max = 0)),
	ADD COLUMN "guests_only" boolean NOT NULL DEFAULT false,
	ADD COLUMN "rollover_max" integer NOT NULL DEFAULT 0;
ALTER TABLE "redemptions" DROP CONSTRAINT "redemptions_kind",
	ADD CONSTRAINT "redemptions_kind" CHECK ((num_nonnulls(order_line_id, booking_id) = 2) = (kind in ('used', 'returned')) and num_nonnulls(order_line_id, booking_id) in (0, 2) and (refund_id is not null) = (kind in ('refunded', 'restored')) and amount >= 0 and balance >= 0 and case kind when 'granted' then credits >= 0 when 'used' then credits <= 0 when 'returned' then credits >= 0 when 'expired' then credits <= 0 when 'earned' then credits = 0 and amount > 0 when 'refunded' then credits <= 0 when 'restored' then credits >= 0 when 'ended' then credits <= 0 when 'carried' then credits <= 0 when 'changed' then true else kind = 'adjusted' and credits <> 0 and note <> '' end);

CREATE TABLE "freezes" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date NULL,
	"canceled_at" timestamptz NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "freezes_membership_fkey" FOREIGN KEY ("business_id", "membership_id") REFERENCES "memberships" ("business_id", "id"),
	CONSTRAINT "freezes_days" CHECK (starts_on < ends_on)
);
CREATE INDEX "freezes_of_membership" ON "freezes" ("business_id", "membership_id", "starts_on");
ALTER TABLE "plans" ADD CONSTRAINT "plans_billing_day" CHECK (billing_day = 0 or billing_day between 1 and 28 and kind = 'membership' and valid_unit in ('month', 'year')),
	ADD CONSTRAINT "plans_change" CHECK (downgrade_periods between 0 and 120 and (kind = 'membership' or change_ids = '[]' and downgrade_periods = 0)),
	ADD COLUMN "billing_day" integer NOT NULL DEFAULT 0,
	ADD COLUMN "freeze" jsonb NULL,
	ADD COLUMN "change_ids" jsonb NOT NULL DEFAULT ('[]'),
	ADD COLUMN "downgrade_periods" integer NOT NULL DEFAULT 0;

CREATE TABLE "plan_changes" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"cycle_id" uuid NOT NULL,
	"from_plan_id" uuid NOT NULL,
	"to_plan_id" uuid NOT NULL,
	"from_amount" bigint NOT NULL,
	"to_amount" bigint NOT NULL,
	"changes_on" date NOT NULL,
	"amount" bigint NOT NULL DEFAULT 0,
	"state" character varying NOT NULL,
	"order_line_id" uuid NULL,
	"sold" jsonb NOT NULL,
	"held" jsonb NOT NULL,
	"allowances" jsonb NOT NULL,
	"consent_text" character varying NOT NULL DEFAULT '',
	"name" character varying NOT NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "plan_changes_line_key" UNIQUE ("business_id", "order_line_id"),
	CONSTRAINT "plan_changes_membership_fkey" FOREIGN KEY ("business_id", "membership_id") REFERENCES "memberships" ("business_id", "id"),
	CONSTRAINT "plan_changes_cycle_fkey" FOREIGN KEY ("business_id", "cycle_id") REFERENCES "cycles" ("business_id", "id"),
	CONSTRAINT "plan_changes_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "plan_changes_from_fkey" FOREIGN KEY ("business_id", "from_plan_id") REFERENCES "plans" ("business_id", "id"),
	CONSTRAINT "plan_changes_to_fkey" FOREIGN KEY ("business_id", "to_plan_id") REFERENCES "plans" ("business_id", "id"),
	CONSTRAINT "plan_changes_amount" CHECK (from_amount >= 0 and to_amount >= 0 and amount >= 0),
	CONSTRAINT "plan_changes_plans" CHECK (name <> ''),
	CONSTRAINT "plan_changes_state" CHECK (state in ('coming', 'due', 'done', 'void') and (state <> 'due' or order_line_id is not null))
);
CREATE UNIQUE INDEX "plan_changes_open" ON "plan_changes" ("business_id", "membership_id") WHERE state in ('coming', 'due');
CREATE INDEX "plan_changes_of_cycle" ON "plan_changes" ("business_id", "cycle_id");
CALL app.wall(true);
CALL app.tenant_table('freezes');
CALL app.audited('freezes');
CALL app.tenant_table('plan_changes');
CALL app.audited('plan_changes');
