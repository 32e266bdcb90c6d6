-- What owners do with their house: a share of the fee that they choose, closing with a way back, and walk-ins without a name.

-- +goose Up

-- The customer's share of the platform fee where it is split (A27): half, as before. Since when a business is closed: without
-- it, as for those that were closed by hand, there is no way back.
ALTER TABLE "businesses"
	ADD COLUMN "split_ppm" integer NOT NULL DEFAULT 500000,
	ADD COLUMN "closed_at" timestamptz NULL,
	ADD CONSTRAINT "businesses_split" CHECK (split_ppm between 0 and 1000000),
	ADD CONSTRAINT "businesses_closed" CHECK (closed_at is null or status = 'closed');

-- Somebody who walks in and says nothing about themselves has a record of their own, which was put on no list of customers. The one
-- record that all of them shared before stays as it is, with what is booked under it.
ALTER TABLE "customers"
	ALTER COLUMN "entered" DROP NOT NULL,
	ADD CONSTRAINT "customers_unlisted" CHECK (entered is not null or (person_id is null and email = '' and phone = ''));
