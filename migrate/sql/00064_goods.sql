-- What goods need beside their stock: photos of products, discounts for them, and returns of lines of orders.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_of" CHECK (applies_to in ('bookings', 'goods', 'all')),
	ADD COLUMN "applies_to" character varying NOT NULL DEFAULT 'bookings';
DROP INDEX "asset_placements_of_subject";
DROP INDEX "asset_placements_once";
ALTER TABLE "asset_placements" DROP CONSTRAINT "asset_placements_subject",
	ADD CONSTRAINT "asset_placements_subject" CHECK (num_nonnulls(location_id, space_id, member_id, offering_id, product_id) <= 1),
	ADD COLUMN "product_id" uuid NULL, ADD CONSTRAINT "asset_placements_product_fkey" FOREIGN KEY ("business_id", "product_id") REFERENCES "products" ("business_id", "id");
CREATE INDEX "asset_placements_of_subject" ON "asset_placements" ("business_id", (COALESCE(location_id, space_id, member_id, offering_id, product_id, business_id)), "position");
CREATE UNIQUE INDEX "asset_placements_once" ON "asset_placements" ("business_id", "asset_id", (COALESCE(location_id, space_id, member_id, offering_id, product_id, business_id)));

CREATE TABLE "order_returns" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"restocked" boolean NOT NULL,
	"refund_id" uuid NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "order_returns_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "order_returns_refund_fkey" FOREIGN KEY ("business_id", "refund_id") REFERENCES "refunds" ("business_id", "id"),
	CONSTRAINT "order_returns_quantity" CHECK (quantity between 1 and 999)
);
CREATE INDEX "order_returns_of_line" ON "order_returns" ("business_id", "order_line_id");
ALTER TABLE "stock_moves" DROP CONSTRAINT "stock_moves_kind",
	ADD CONSTRAINT "stock_moves_kind" CHECK ((order_line_id is not null) = (kind in ('sell', 'return')) and (return_id is not null) = (kind = 'return') and (transfer_id is not null) = (kind in ('transfer_out', 'transfer_in')) and (counted is not null) = (kind = 'count') and (kind <> 'adjust' or reason <> '') and case kind when 'receive' then quantity > 0 when 'return' then quantity > 0 when 'transfer_in' then quantity > 0 when 'sell' then quantity < 0 when 'transfer_out' then quantity < 0 when 'adjust' then quantity <> 0 when 'count' then counted >= 0 else false end),
	ADD COLUMN "return_id" uuid NULL,
	ADD CONSTRAINT "stock_moves_return_key" UNIQUE ("business_id", "return_id"), ADD CONSTRAINT "stock_moves_return_fkey" FOREIGN KEY ("business_id", "return_id") REFERENCES "order_returns" ("business_id", "id");
CALL app.wall(true);
CALL app.tenant_table('order_returns');
CALL app.append_only('order_returns');
CALL app.audited('order_returns');
