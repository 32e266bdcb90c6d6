-- Money that is taken at the desk (takings), the drawers it goes into and what arrives of it at the bank; what is sold there without a
-- cart, fees that are paid, and how much of a payment the front desk may give back.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "locations" ADD CONSTRAINT "locations_refund_cap" CHECK (refund_cap_amount >= 0),
	ADD COLUMN "refund_cap_amount" bigint NOT NULL DEFAULT 0;
CREATE INDEX "payments_by_age" ON "payments" ("business_id", "created_at", "id");
ALTER TABLE "refunds" ADD COLUMN "note" character varying NOT NULL DEFAULT '';
CREATE INDEX "refunds_of_payment" ON "refunds" ("business_id", "payment_id", "id");

CREATE TABLE "drawers" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"currency" character varying NOT NULL,
	"float_amount" bigint NOT NULL,
	"found_amount" bigint NOT NULL,
	"opened_by" character varying NOT NULL DEFAULT '',
	"closed_at" timestamptz NULL,
	"closed_by" character varying NOT NULL DEFAULT '',
	"expected_amount" bigint NULL,
	"counted_amount" bigint NULL,
	"left_amount" bigint NULL,
	"note" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "drawers_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "drawers_amounts" CHECK (float_amount >= 0 and counted_amount >= 0 and left_amount between 0 and counted_amount),
	CONSTRAINT "drawers_closed" CHECK (num_nonnulls(closed_at, expected_amount, counted_amount, left_amount) in (0, 4))
);
CREATE UNIQUE INDEX "drawers_one_open" ON "drawers" ("business_id", "location_id") WHERE closed_at is null;
CREATE INDEX "drawers_of_location" ON "drawers" ("business_id", "location_id", "created_at", "id");

CREATE TABLE "drawer_moves" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"drawer_id" uuid NOT NULL,
	"kind" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"note" character varying NOT NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "drawer_moves_drawer_fkey" FOREIGN KEY ("business_id", "drawer_id") REFERENCES "drawers" ("business_id", "id"),
	CONSTRAINT "drawer_moves_amount" CHECK (amount > 0),
	CONSTRAINT "drawer_moves_kind" CHECK (kind in ('pay_in', 'pay_out'))
);
CREATE INDEX "drawer_moves_of_drawer" ON "drawer_moves" ("business_id", "drawer_id", "created_at", "id");
ALTER TABLE "penalties" DROP CONSTRAINT "penalties_state",
	ADD CONSTRAINT "penalties_state" CHECK (state in ('due', 'paid', 'waived', 'forgiven', 'withdrawn'));
ALTER TABLE "order_lines" ADD COLUMN "penalty_id" uuid NULL, ADD CONSTRAINT "order_lines_penalty_fkey" FOREIGN KEY ("business_id", "penalty_id") REFERENCES "penalties" ("business_id", "id");

CREATE TABLE "settlements" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"currency" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "settlements_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "settlements_amounts" CHECK (amount >= 0 and fee_amount >= 0 and amount + fee_amount > 0)
);
CREATE INDEX "settlements_of_location" ON "settlements" ("business_id", "location_id", "created_at", "id");
ALTER TABLE "orders" ALTER COLUMN "cart_id" DROP NOT NULL;
CREATE INDEX "orders_of_customer" ON "orders" ("business_id", "customer_id");

CREATE TABLE "takings" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"of_id" uuid NULL,
	"drawer_id" uuid NULL,
	"kind" character varying NOT NULL,
	"method" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"currency" character varying NOT NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "takings_order_fkey" FOREIGN KEY ("business_id", "order_id") REFERENCES "orders" ("business_id", "id"),
	CONSTRAINT "takings_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "takings_of_fkey" FOREIGN KEY ("business_id", "of_id") REFERENCES "takings" ("business_id", "id"),
	CONSTRAINT "takings_drawer_fkey" FOREIGN KEY ("business_id", "drawer_id") REFERENCES "drawers" ("business_id", "id"),
	CONSTRAINT "takings_amount" CHECK (amount > 0),
	CONSTRAINT "takings_drawer" CHECK (method = 'cash' or drawer_id is null),
	CONSTRAINT "takings_kind" CHECK (kind in ('taken', 'given_back', 'void') and (kind = 'taken') = (of_id is null)),
	CONSTRAINT "takings_method" CHECK (method in ('cash', 'elsewhere'))
);
CREATE INDEX "takings_of_order" ON "takings" ("business_id", "order_id");
CREATE INDEX "takings_by_age" ON "takings" ("business_id", "created_at", "id");
CREATE INDEX "takings_of_drawer" ON "takings" ("business_id", "drawer_id") WHERE drawer_id is not null;
CREATE INDEX "takings_back" ON "takings" ("business_id", "of_id") WHERE of_id is not null;
CREATE UNIQUE INDEX "takings_one_void" ON "takings" ("business_id", "of_id") WHERE kind = 'void';

CREATE TABLE "taking_parts" (
	"business_id" uuid NOT NULL,
	"taking_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"line_id" uuid NOT NULL,
	"account" character varying NOT NULL,
	"amount" bigint NOT NULL,
	PRIMARY KEY ("business_id", "taking_id", "seq"),
	CONSTRAINT "taking_parts_taking_fkey" FOREIGN KEY ("business_id", "taking_id") REFERENCES "takings" ("business_id", "id"),
	CONSTRAINT "taking_parts_line_fkey" FOREIGN KEY ("business_id", "line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "taking_parts_amount" CHECK (amount > 0)
);
CREATE INDEX "taking_parts_of_line" ON "taking_parts" ("business_id", "line_id");
CALL app.wall(true);
CALL app.tenant_table('drawers');
CALL app.audited('drawers');
CALL app.tenant_table('drawer_moves');
CALL app.append_only('drawer_moves');
CALL app.audited('drawer_moves');
CALL app.tenant_table('settlements');
CALL app.append_only('settlements');
CALL app.audited('settlements');
CALL app.tenant_table('takings');
CALL app.append_only('takings');
CALL app.audited('takings');
CALL app.tenant_table('taking_parts');
CALL app.append_only('taking_parts');
