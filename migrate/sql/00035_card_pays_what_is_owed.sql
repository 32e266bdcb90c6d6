-- A kept card pays what a customer owes: an order that pays lines of others, and why it could not be charged.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "order_lines" ADD COLUMN "of_line_id" uuid NULL;
CREATE INDEX "order_lines_paying" ON "order_lines" ("business_id", "of_line_id") WHERE of_line_id is not null;
ALTER TABLE "orders" ADD COLUMN "charge_failed" character varying NOT NULL DEFAULT '';
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_of_line_fkey" FOREIGN KEY ("business_id", "of_line_id") REFERENCES "order_lines" ("business_id", "id");
CALL app.wall(true);
