-- Deposits: whether the customer of a cart pays all of it where a deposit would do, and what of each line was paid when it was booked while
-- the rest is due at the studio.

-- +goose Up
ALTER TABLE "carts" ADD COLUMN "pay_in_full" boolean NOT NULL DEFAULT false;
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_paid" CHECK (card_amount >= 0 and credit_amount >= 0 and card_amount + credit_amount <= listed_amount - discount_amount + tax_amount),
	ADD COLUMN "card_amount" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "credit_amount" bigint NOT NULL DEFAULT 0;
