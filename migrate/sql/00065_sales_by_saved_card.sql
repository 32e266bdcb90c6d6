-- Stock is also reserved for a line of an order, while a saved card is charged for it at the desk. An item of a cart
-- can be removed after an order of it was given up.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "stock_reservations" DROP CONSTRAINT "stock_reservations_item_fkey",
	ADD COLUMN "at_desk" boolean NOT NULL DEFAULT false,
	ADD COLUMN "cart_item_id" uuid NULL GENERATED ALWAYS AS (case when not at_desk then item_id end) STORED,
	ADD COLUMN "order_line_id" uuid NULL GENERATED ALWAYS AS (case when at_desk then item_id end) STORED,
	ADD CONSTRAINT "stock_reservations_cart_item_fkey" FOREIGN KEY ("business_id", "cart_item_id") REFERENCES "cart_items" ("business_id", "id"),
	ADD CONSTRAINT "stock_reservations_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id");
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_cart_item_fkey",
	ADD CONSTRAINT "order_lines_cart_item_fkey" FOREIGN KEY ("business_id", "cart_item_id") REFERENCES "cart_items" ("business_id", "id") ON DELETE SET NULL ("cart_item_id");
CREATE INDEX "order_lines_of_cart_item" ON "order_lines" ("business_id", "cart_item_id") WHERE cart_item_id is not null;
CALL app.wall(true);
