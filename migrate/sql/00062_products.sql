-- Products with their options and variants, and the stock of variants: a level by location, its moves, and what is kept
-- for carts. Items of carts and lines of orders can sell a variant, which a generated column of theirs refers to.

-- +goose Up
CALL app.wall(false);

CREATE TABLE "products" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"name" character varying NOT NULL,
	"description" character varying NOT NULL DEFAULT '',
	"state" character varying NOT NULL DEFAULT 'draft',
	"currency" character varying NOT NULL,
	"tax_rate_id" uuid NULL,
	"revenue_category_id" uuid NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "products_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "products_tax_rate_fkey" FOREIGN KEY ("business_id", "tax_rate_id") REFERENCES "tax_rates" ("business_id", "id"),
	CONSTRAINT "products_revenue_category_fkey" FOREIGN KEY ("business_id", "revenue_category_id") REFERENCES "revenue_categories" ("business_id", "id"),
	CONSTRAINT "products_name" CHECK (name <> ''),
	CONSTRAINT "products_state" CHECK (state in ('draft', 'published', 'archived'))
);
CREATE INDEX "products_directory" ON "products" ("id");

CREATE TABLE "product_variants" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"choices" jsonb NOT NULL DEFAULT ('[]'),
	"sku" character varying NULL,
	"barcode" character varying NULL,
	"barcode_kind" character varying NULL,
	"price_amount" bigint NOT NULL,
	"cost_amount" bigint NULL,
	"tracked_at" timestamptz NULL,
	"below_zero" boolean NOT NULL DEFAULT false,
	"archived_at" timestamptz NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "product_variants_product_fkey" FOREIGN KEY ("business_id", "product_id") REFERENCES "products" ("business_id", "id"),
	CONSTRAINT "product_variants_amounts" CHECK (price_amount between 0 and 99999999 and cost_amount between 0 and 99999999),
	CONSTRAINT "product_variants_barcode" CHECK ((barcode is null) = (barcode_kind is null) and case barcode_kind when 'ean_13' then barcode ~ '^[0-9]{13}$' when 'upc_a' then barcode ~ '^[0-9]{12}$' when 'ean_8' then barcode ~ '^[0-9]{8}$' else barcode_kind = 'code_128' and barcode <> '' end),
	CONSTRAINT "product_variants_choices" CHECK (jsonb_array_length(choices) <= 3),
	CONSTRAINT "product_variants_sku" CHECK (sku <> '')
);
CREATE UNIQUE INDEX "product_variants_choices_key" ON "product_variants" ("business_id", "product_id", "choices") WHERE archived_at is null;
CREATE UNIQUE INDEX "product_variants_sku_key" ON "product_variants" ("business_id", (lower(sku))) WHERE archived_at is null;
CREATE UNIQUE INDEX "product_variants_barcode_key" ON "product_variants" ("business_id", (case when barcode_kind = 'upc_a' then '0' || barcode else barcode end)) WHERE archived_at is null;
CREATE INDEX "product_variants_of_product" ON "product_variants" ("business_id", "product_id", "id");
ALTER TABLE "cart_items" DROP CONSTRAINT "cart_items_kind",
	ADD CONSTRAINT "cart_items_kind" CHECK (kind in ('class', 'appointment', 'rental') or kind = 'product'), DROP CONSTRAINT "cart_items_what",
	ADD CONSTRAINT "cart_items_what" CHECK (case when kind in ('class', 'appointment', 'rental') then offering_id is not null and quantity = 1 and num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0 and num_nonnulls(subject_id, hold_id, reserved_amount) = 0 else num_nonnulls(offering_id, occurrence_id, starts_at, minutes, member_id, space_id) = 0 and num_nonnulls(hold_id, reserved_amount) in (0, 2) and (kind <> 'product' or subject_id is not null) end),
	ADD COLUMN "variant_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'product' then subject_id end) STORED, ADD CONSTRAINT "cart_items_variant_fkey" FOREIGN KEY ("business_id", "variant_id") REFERENCES "product_variants" ("business_id", "id");
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_kind",
	ADD CONSTRAINT "order_lines_kind" CHECK (kind in ('class', 'appointment', 'rental') or kind in ('fee', 'product')), DROP CONSTRAINT "order_lines_subject",
	ADD CONSTRAINT "order_lines_subject" CHECK ((booking_id is not null) = (kind in ('class', 'appointment', 'rental')) and (fee_id is not null) = (kind = 'fee') and (of_line_id is null or booking_id is not null) and (num_nonnulls(subject_id, cart_item_id) = 0 or num_nonnulls(booking_id, fee_id) = 0) and (kind <> 'product' or subject_id is not null)),
	ADD COLUMN "variant_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'product' then subject_id end) STORED, ADD CONSTRAINT "order_lines_variant_fkey" FOREIGN KEY ("business_id", "variant_id") REFERENCES "product_variants" ("business_id", "id");

CREATE TABLE "product_options" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" character varying NOT NULL,
	"choices" jsonb NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "product_options_position_key" UNIQUE ("business_id", "product_id", "position"),
	CONSTRAINT "product_options_product_fkey" FOREIGN KEY ("business_id", "product_id") REFERENCES "products" ("business_id", "id") ON DELETE CASCADE,
	CONSTRAINT "product_options_choices" CHECK (jsonb_array_length(choices) between 1 and 100),
	CONSTRAINT "product_options_position" CHECK (position between 1 and 3)
);

CREATE TABLE "stock_levels" (
	"business_id" uuid NOT NULL,
	"variant_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"on_hand" integer NOT NULL DEFAULT 0,
	"held" integer NOT NULL DEFAULT 0,
	"below_zero" boolean NOT NULL,
	"moves" integer NOT NULL DEFAULT 0,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "variant_id", "location_id"),
	CONSTRAINT "stock_levels_variant_fkey" FOREIGN KEY ("business_id", "variant_id") REFERENCES "product_variants" ("business_id", "id"),
	CONSTRAINT "stock_levels_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "stock_levels_held" CHECK (held >= 0),
	CONSTRAINT "stock_levels_least" CHECK (below_zero or held <= on_hand),
	CONSTRAINT "stock_levels_moves" CHECK (moves >= 0),
	CONSTRAINT "stock_levels_range" CHECK (on_hand between -999999 and 999999)
);

CREATE TABLE "stock_moves" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"variant_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" character varying NOT NULL,
	"quantity" integer NOT NULL,
	"on_hand" integer NOT NULL,
	"order_line_id" uuid NULL,
	"transfer_id" uuid NULL,
	"counted" integer NULL,
	"reason" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL DEFAULT '',
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "stock_moves_number_key" UNIQUE ("business_id", "variant_id", "location_id", "number"),
	CONSTRAINT "stock_moves_level_fkey" FOREIGN KEY ("business_id", "variant_id", "location_id") REFERENCES "stock_levels" ("business_id", "variant_id", "location_id"),
	CONSTRAINT "stock_moves_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "stock_moves_kind" CHECK ((order_line_id is not null) = (kind in ('sell', 'return')) and (transfer_id is not null) = (kind in ('transfer_out', 'transfer_in')) and (counted is not null) = (kind = 'count') and (kind <> 'adjust' or reason <> '') and case kind when 'receive' then quantity > 0 when 'return' then quantity > 0 when 'transfer_in' then quantity > 0 when 'sell' then quantity < 0 when 'transfer_out' then quantity < 0 when 'adjust' then quantity <> 0 when 'count' then counted >= 0 else false end),
	CONSTRAINT "stock_moves_number" CHECK (number > 0)
);
CREATE INDEX "stock_moves_of_variant" ON "stock_moves" ("business_id", "variant_id", "created_at", "id");
CREATE UNIQUE INDEX "stock_moves_sold_once" ON "stock_moves" ("business_id", "order_line_id") WHERE kind = 'sell';

CREATE TABLE "stock_reservations" (
	"business_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"variant_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	PRIMARY KEY ("business_id", "item_id"),
	CONSTRAINT "stock_reservations_item_fkey" FOREIGN KEY ("business_id", "item_id") REFERENCES "cart_items" ("business_id", "id"),
	CONSTRAINT "stock_reservations_level_fkey" FOREIGN KEY ("business_id", "variant_id", "location_id") REFERENCES "stock_levels" ("business_id", "variant_id", "location_id"),
	CONSTRAINT "stock_reservations_quantity" CHECK (quantity between 1 and 999)
);
CREATE INDEX "stock_reservations_of_level" ON "stock_reservations" ("business_id", "variant_id", "location_id");
CALL app.wall(true);
CALL app.tenant_table('products');
CALL app.lookup('products', 'id, business_id');
CALL app.audited('products');
CALL app.tenant_table('product_options');
CALL app.audited('product_options');
CALL app.tenant_table('product_variants');
CALL app.audited('product_variants');
CALL app.tenant_table('stock_levels');
CALL app.tenant_table('stock_moves');
CALL app.append_only('stock_moves');
CALL app.audited('stock_moves', 'number');
CALL app.tenant_table('stock_reservations');

-- find_product: the business of a product.
-- +goose StatementBegin
create function app.find_product(wanted uuid) returns table (business_id uuid)
language plpgsql stable security definer rows 1 set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select p.business_id from products p where p.id = wanted;
end
$$;
-- +goose StatementEnd
call app.lookup_function('app.find_product(uuid)');
