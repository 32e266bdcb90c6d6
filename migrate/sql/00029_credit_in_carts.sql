-- Account credit in a cart of its customer: whether they want to pay with it, how much of an order is paid with it, and until when that is kept.

-- +goose Up
ALTER TABLE "carts" ADD COLUMN "use_credit" boolean NULL;
ALTER TABLE "orders" ADD CONSTRAINT "orders_credit" CHECK (credit_amount between 0 and total_amount - due_amount and (credit_until is null or credit_amount > 0)),
	ADD COLUMN "credit_amount" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "credit_until" timestamptz NULL;
CREATE INDEX "orders_keeping_credit" ON "orders" ("business_id", "customer_id", "credit_until") WHERE state = 'open' and credit_until is not null;
DROP TRIGGER audit ON "orders";
CALL app.audited('orders', 'receipt_hash', 'credit_until');
