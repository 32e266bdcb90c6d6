-- Discounts: what takes something off a cart, by itself or with a code, and what was taken off orders.

-- +goose Up
ALTER TABLE "carts" ADD COLUMN "code" character varying NOT NULL DEFAULT '';
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_amounts",
	ADD CONSTRAINT "order_lines_amounts" CHECK (discount_amount between 0 and listed_amount and tax_amount >= 0),
	ADD COLUMN "discount_amount" bigint NOT NULL DEFAULT 0;
ALTER TABLE "orders" DROP CONSTRAINT "orders_amounts",
	ADD CONSTRAINT "orders_amounts" CHECK (discount_amount between 0 and subtotal_amount and tax_amount >= 0 and service_fee_amount >= 0 and total_amount = subtotal_amount - discount_amount + service_fee_amount + case tax_mode when 'exclusive' then tax_amount else 0 end),
	ADD COLUMN "discount_amount" bigint NOT NULL DEFAULT 0;

CREATE TABLE "discounts" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"name" character varying NOT NULL,
	"code" character varying NULL,
	"ppm" bigint NOT NULL DEFAULT 0,
	"amount" bigint NOT NULL DEFAULT 0,
	"currency" character varying NOT NULL,
	"least_amount" bigint NOT NULL DEFAULT 0,
	"first_day" date NULL,
	"last_day" date NULL,
	"location_ids" jsonb NOT NULL DEFAULT ('[]'),
	"offering_ids" jsonb NOT NULL DEFAULT ('[]'),
	"weekdays" jsonb NOT NULL DEFAULT ('[]'),
	"uses_max" integer NOT NULL DEFAULT 0,
	"customer_uses_max" integer NOT NULL DEFAULT 0,
	"first_time" boolean NOT NULL DEFAULT false,
	"position" integer NOT NULL DEFAULT 0,
	"combines" boolean NOT NULL DEFAULT true,
	"archived_at" timestamptz NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "discounts_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "discounts_code" CHECK (code ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
	CONSTRAINT "discounts_days" CHECK (first_day <= last_day),
	CONSTRAINT "discounts_limits" CHECK (least_amount >= 0 and uses_max >= 0 and customer_uses_max >= 0),
	CONSTRAINT "discounts_worth" CHECK (ppm between 0 and 1000000 and amount between 0 and 99999999 and (ppm = 0) <> (amount = 0))
);
CREATE UNIQUE INDEX "discounts_code_key" ON "discounts" ("business_id", "code") WHERE archived_at is null;

CREATE TABLE "order_discounts" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"discount_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" character varying NOT NULL,
	"code" character varying NOT NULL DEFAULT '',
	"amount" bigint NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "order_discounts_once" UNIQUE ("business_id", "order_id", "discount_id"),
	CONSTRAINT "order_discounts_order_fkey" FOREIGN KEY ("business_id", "order_id") REFERENCES "orders" ("business_id", "id"),
	CONSTRAINT "order_discounts_discount_fkey" FOREIGN KEY ("business_id", "discount_id") REFERENCES "discounts" ("business_id", "id"),
	CONSTRAINT "order_discounts_amount" CHECK (amount > 0)
);
CREATE INDEX "order_discounts_of_discount" ON "order_discounts" ("business_id", "discount_id");
CALL app.tenant_table('discounts');
CALL app.audited('discounts');
CALL app.tenant_table('order_discounts');
CALL app.append_only('order_discounts');
