-- Orders that are paid at the studio: nothing was put on a card, and the amount is due there.

-- +goose Up

-- What of the total is paid at the studio, as agreed when it was booked. Every order so far was paid by card, or cost nothing.
ALTER TABLE "orders"
	ADD COLUMN "due_amount" bigint NOT NULL DEFAULT 0,
	ADD CONSTRAINT "orders_due" CHECK (due_amount between 0 and total_amount);
