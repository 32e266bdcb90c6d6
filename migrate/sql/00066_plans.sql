-- Plans: what a customer buys once and books with, their credits, and the part of the price that is not earned yet.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "cart_items" DROP CONSTRAINT "cart_items_kind",
	ADD CONSTRAINT "cart_items_kind" CHECK (kind in ('class', 'appointment', 'rental') or kind in ('product', 'gift_card', 'plan')), DROP CONSTRAINT "cart_items_quantity",
	ADD CONSTRAINT "cart_items_quantity" CHECK (quantity between 1 and 999 and (kind not in ('gift_card', 'plan') or quantity = 1)), DROP CONSTRAINT "cart_items_what",
	ADD CONSTRAINT "cart_items_what" CHECK (case when kind in ('class', 'appointment', 'rental') then offering_id is not null and quantity = 1 and num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0 and num_nonnulls(subject_id, hold_id, reserved_amount) = 0 else num_nonnulls(offering_id, occurrence_id, starts_at, minutes, member_id, space_id, grant_id) = 0 and num_nonnulls(hold_id, reserved_amount) in (0, 2) and not pays_price and (kind not in ('product', 'gift_card', 'plan') or subject_id is not null) end),
	ADD CONSTRAINT "cart_items_choice" CHECK (grant_id is null or not pays_price),
	ADD COLUMN "grant_id" uuid NULL,
	ADD COLUMN "pays_price" boolean NOT NULL DEFAULT false,
	ADD COLUMN "plan_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'plan' then subject_id end) STORED;
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_income",
	ADD CONSTRAINT "order_lines_income" CHECK (case kind when 'gift_card' then income_account = 'stored_value.gift' when 'plan' then income_account in ('deferred.pack', 'deferred.membership') else income_account like 'income.%' end), DROP CONSTRAINT "order_lines_kind",
	ADD CONSTRAINT "order_lines_kind" CHECK (kind in ('class', 'appointment', 'rental') or kind in ('fee', 'product', 'gift_card', 'plan')), DROP CONSTRAINT "order_lines_quantity",
	ADD CONSTRAINT "order_lines_quantity" CHECK (quantity between 1 and 999 and (kind not in ('gift_card', 'plan') or quantity = 1)), DROP CONSTRAINT "order_lines_subject",
	ADD CONSTRAINT "order_lines_subject" CHECK ((booking_id is not null) = (kind in ('class', 'appointment', 'rental')) and (fee_id is not null) = (kind = 'fee') and (of_line_id is null or booking_id is not null) and (num_nonnulls(subject_id, cart_item_id) = 0 or num_nonnulls(booking_id, fee_id) = 0) and (kind not in ('product', 'gift_card', 'plan') or subject_id is not null)),
	ADD CONSTRAINT "order_lines_credits" CHECK (credits >= 0 and (grant_id is not null or credits = 0) and (grant_id is null or booking_id is not null and of_line_id is null and discount_amount = listed_amount)),
	ADD COLUMN "grant_id" uuid NULL,
	ADD COLUMN "credits" integer NOT NULL DEFAULT 0,
	ADD COLUMN "plan_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'plan' then subject_id end) STORED;
CREATE INDEX "order_lines_of_grant" ON "order_lines" ("business_id", "grant_id") WHERE grant_id is not null;

CREATE TABLE "grants" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"benefit" integer NOT NULL,
	"amount" integer NULL,
	"balance" integer NOT NULL DEFAULT 0,
	"value_amount" bigint NOT NULL,
	"unused_amount" bigint NOT NULL,
	"deferred_account" character varying NOT NULL,
	"income_account" character varying NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "grants_benefit_key" UNIQUE ("business_id", "membership_id", "benefit"),
	CONSTRAINT "grants_accounts" CHECK (deferred_account in ('deferred.pack', 'deferred.membership') and income_account in ('income.pack', 'income.membership')),
	CONSTRAINT "grants_balance" CHECK (balance >= 0 and (amount is not null or balance = 0)),
	CONSTRAINT "grants_value" CHECK (0 <= unused_amount and unused_amount <= value_amount)
);

CREATE TABLE "memberships" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"order_line_id" uuid NULL,
	"name" character varying NOT NULL,
	"kind" character varying NOT NULL,
	"currency" character varying NOT NULL,
	"state" character varying NOT NULL DEFAULT 'active',
	"sold" jsonb NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date NULL,
	"activated_on" date NULL,
	"uses" integer NOT NULL DEFAULT 0,
	"reminded_at" timestamptz NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "memberships_line_key" UNIQUE ("business_id", "order_line_id"),
	CONSTRAINT "memberships_days" CHECK (starts_on <= ends_on and uses >= 0),
	CONSTRAINT "memberships_kind" CHECK (kind in ('pack', 'pass', 'intro', 'comp')),
	CONSTRAINT "memberships_state" CHECK (state in ('active', 'ended', 'canceled'))
);
CREATE INDEX "memberships_of_customer" ON "memberships" ("business_id", "customer_id", "id");
CREATE INDEX "memberships_of_plan" ON "memberships" ("business_id", "plan_id");
CREATE INDEX "memberships_ending" ON "memberships" ("ends_on") WHERE state = 'active' and ends_on is not null;

CREATE TABLE "plan_benefits" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"credits" integer NULL,
	"offering_ids" jsonb NOT NULL DEFAULT ('[]'),
	"kinds" jsonb NOT NULL DEFAULT ('[]'),
	"location_ids" jsonb NOT NULL DEFAULT ('[]'),
	"excluded_ids" jsonb NOT NULL DEFAULT ('[]'),
	"costs" jsonb NOT NULL DEFAULT ('{}'),
	"for_guests" boolean NOT NULL DEFAULT false,
	"day_max" integer NOT NULL DEFAULT 0,
	"week_max" integer NOT NULL DEFAULT 0,
	"upcoming_max" integer NOT NULL DEFAULT 0,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "plan_benefits_position_key" UNIQUE ("business_id", "plan_id", "position"),
	CONSTRAINT "plan_benefits_credits" CHECK (credits between 1 and 10000),
	CONSTRAINT "plan_benefits_limits" CHECK (day_max between 0 and 100 and week_max between 0 and 100 and upcoming_max between 0 and 1000),
	CONSTRAINT "plan_benefits_position" CHECK (position between 1 and 10)
);

CREATE TABLE "plans" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"name" character varying NOT NULL,
	"description" character varying NOT NULL DEFAULT '',
	"kind" character varying NOT NULL,
	"state" character varying NOT NULL DEFAULT 'draft',
	"currency" character varying NOT NULL,
	"price_amount" bigint NOT NULL,
	"tax_rate_id" uuid NULL,
	"sold_online" boolean NOT NULL DEFAULT true,
	"location_ids" jsonb NOT NULL DEFAULT ('[]'),
	"valid_count" integer NULL,
	"valid_unit" character varying NULL,
	"from_first_use" boolean NOT NULL DEFAULT false,
	"customer_max" integer NOT NULL DEFAULT 0,
	"new_customers" boolean NOT NULL DEFAULT false,
	"position" integer NOT NULL DEFAULT 0,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "plans_kind" CHECK (kind in ('pack', 'pass', 'intro', 'comp')),
	CONSTRAINT "plans_limits" CHECK (customer_max between 0 and 1000),
	CONSTRAINT "plans_name" CHECK (name <> ''),
	CONSTRAINT "plans_price" CHECK (price_amount between 0 and 99999999),
	CONSTRAINT "plans_state" CHECK (state in ('draft', 'published', 'archived')),
	CONSTRAINT "plans_valid" CHECK (num_nonnulls(valid_count, valid_unit) in (0, 2) and valid_count between 1 and 3660 and valid_unit in ('day', 'week', 'month', 'year') and (not from_first_use or valid_count is not null))
);

CREATE TABLE "redemptions" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"grant_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"kind" character varying NOT NULL,
	"credits" integer NOT NULL,
	"balance" integer NOT NULL,
	"amount" bigint NOT NULL,
	"order_line_id" uuid NULL,
	"booking_id" uuid NULL,
	"refund_id" uuid NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "redemptions_line_key" UNIQUE ("business_id", "order_line_id", "kind"),
	CONSTRAINT "redemptions_refund_key" UNIQUE ("business_id", "refund_id", "grant_id", "kind"),
	CONSTRAINT "redemptions_kind" CHECK ((num_nonnulls(order_line_id, booking_id) = 2) = (kind in ('used', 'returned')) and num_nonnulls(order_line_id, booking_id) in (0, 2) and (refund_id is not null) = (kind in ('refunded', 'restored')) and amount >= 0 and balance >= 0 and case kind when 'granted' then credits >= 0 when 'used' then credits <= 0 when 'returned' then credits >= 0 when 'expired' then credits <= 0 when 'earned' then credits = 0 and amount > 0 when 'refunded' then credits <= 0 when 'restored' then credits >= 0 when 'ended' then credits <= 0 else kind = 'adjusted' and credits <> 0 and note <> '' end)
);
CREATE INDEX "redemptions_of_grant" ON "redemptions" ("business_id", "grant_id", "created_at", "id");
CREATE INDEX "redemptions_of_booking" ON "redemptions" ("business_id", "booking_id", "kind") WHERE booking_id is not null;

CREATE TABLE "unearned_uses" (
	"business_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"grant_id" uuid NOT NULL,
	"booking_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "unearned_uses_amount" CHECK (amount > 0)
);
CREATE INDEX "unearned_uses_of_booking" ON "unearned_uses" ("business_id", "booking_id");
CREATE INDEX "unearned_uses_of_grant" ON "unearned_uses" ("business_id", "grant_id");
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_grant_fkey" FOREIGN KEY ("business_id", "grant_id") REFERENCES "grants" ("business_id", "id"), ADD CONSTRAINT "cart_items_plan_fkey" FOREIGN KEY ("business_id", "plan_id") REFERENCES "plans" ("business_id", "id");
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_grant_fkey" FOREIGN KEY ("business_id", "grant_id") REFERENCES "grants" ("business_id", "id"), ADD CONSTRAINT "order_lines_plan_fkey" FOREIGN KEY ("business_id", "plan_id") REFERENCES "plans" ("business_id", "id");
ALTER TABLE "grants" ADD CONSTRAINT "grants_membership_fkey" FOREIGN KEY ("business_id", "membership_id") REFERENCES "memberships" ("business_id", "id");
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"), ADD CONSTRAINT "memberships_plan_fkey" FOREIGN KEY ("business_id", "plan_id") REFERENCES "plans" ("business_id", "id"), ADD CONSTRAINT "memberships_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"), ADD CONSTRAINT "memberships_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id");
ALTER TABLE "plan_benefits" ADD CONSTRAINT "plan_benefits_plan_fkey" FOREIGN KEY ("business_id", "plan_id") REFERENCES "plans" ("business_id", "id") ON DELETE CASCADE;
ALTER TABLE "plans" ADD CONSTRAINT "plans_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"), ADD CONSTRAINT "plans_tax_rate_fkey" FOREIGN KEY ("business_id", "tax_rate_id") REFERENCES "tax_rates" ("business_id", "id");
ALTER TABLE "redemptions" ADD CONSTRAINT "redemptions_grant_fkey" FOREIGN KEY ("business_id", "grant_id") REFERENCES "grants" ("business_id", "id"), ADD CONSTRAINT "redemptions_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"), ADD CONSTRAINT "redemptions_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id"), ADD CONSTRAINT "redemptions_booking_fkey" FOREIGN KEY ("business_id", "booking_id") REFERENCES "bookings" ("business_id", "id"), ADD CONSTRAINT "redemptions_refund_fkey" FOREIGN KEY ("business_id", "refund_id") REFERENCES "refunds" ("business_id", "id");
ALTER TABLE "unearned_uses" ADD CONSTRAINT "unearned_uses_redemption_fkey" FOREIGN KEY ("business_id", "id") REFERENCES "redemptions" ("business_id", "id"), ADD CONSTRAINT "unearned_uses_grant_fkey" FOREIGN KEY ("business_id", "grant_id") REFERENCES "grants" ("business_id", "id"), ADD CONSTRAINT "unearned_uses_booking_fkey" FOREIGN KEY ("business_id", "booking_id") REFERENCES "bookings" ("business_id", "id");
CALL app.wall(true);
CALL app.tenant_table('grants');
CALL app.lookup('grants', 'business_id, amount, unused_amount');
CALL app.tenant_table('memberships');
CALL app.lookup('memberships', 'business_id, customer_id, state, ends_on');
CALL app.audited('memberships', 'uses', 'reminded_at');
CALL app.tenant_table('plans');
CALL app.audited('plans');
CALL app.tenant_table('plan_benefits');
CALL app.audited('plan_benefits');
CALL app.tenant_table('redemptions');
CALL app.append_only('redemptions');
CALL app.audited('redemptions');
CALL app.tenant_table('unearned_uses');
CALL app.lookup('unearned_uses', 'business_id');

-- +goose StatementBegin
create function app.memberships_ending(before date, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct m.business_id from memberships m
	where m.state = 'active' and m.ends_on is not null and m.ends_on <= before and (key is null or m.business_id > key)
	order by 1 limit most
$$;
create function app.memberships_of(who uuid) returns table (business_id uuid, customer_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select c.business_id, c.id from customers c
	where c.person_id = who
		and exists (select from memberships m where m.business_id = c.business_id and m.customer_id = c.id)
	order by 1
$$;
create function app.unearned_plans(key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select x.business_id from (
		select u.business_id from unearned_uses u
		union
		select g.business_id from grants g where g.amount is null and g.unused_amount > 0
	) x
	where key is null or x.business_id > key
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.memberships_ending(date, uuid, integer)');
call app.lookup_function('app.memberships_of(uuid)');
call app.lookup_function('app.unearned_plans(uuid, integer)');
