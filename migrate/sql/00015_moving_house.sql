-- What lies ahead of a location that is archived can go on at another.

-- +goose Up

-- A date that moves to another location keeps its id, and bookings and places on its waitlist follow in the same transaction, each
-- table by its own package: between the statements a row points at a place where the date is no more. The check waits for the end of
-- the transaction when a transaction asks for it, and only then.
ALTER TABLE "bookings" ALTER CONSTRAINT "bookings_occurrence_fkey" DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE "waitlist_entries" ALTER CONSTRAINT "waitlist_entries_occurrence_fkey" DEFERRABLE INITIALLY IMMEDIATE;

-- A cart stays where it was filled. Its items go on pointing at their dates.
CALL app.wall(false);
ALTER TABLE "cart_items" DROP CONSTRAINT "cart_items_occurrence_fkey", ADD CONSTRAINT "cart_items_occurrence_fkey"
	FOREIGN KEY ("business_id", "occurrence_id") REFERENCES "occurrences" ("business_id", "id") ON UPDATE NO ACTION ON DELETE NO ACTION;
CALL app.wall(true);
