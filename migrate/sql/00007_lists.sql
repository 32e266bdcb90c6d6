-- What lists need to be read in one cheap trip.

-- +goose Up

-- The total of the list of customers (app/crm/totals.go). entered is the number of the transaction that wrote the row, so
-- that what was counted once need not be counted again: only rows of transactions that were not over then. Those that are
-- here already came before all others.
ALTER TABLE "customers" ADD COLUMN "entered" bigint NOT NULL DEFAULT 0;
ALTER TABLE "customers" ALTER COLUMN "entered" SET DEFAULT (pg_current_xact_id())::text::bigint;
-- For "select count(*) … where business_id = $1 and entered >= $2" of the same file.
CREATE INDEX "customers_by_entry" ON "customers" ("business_id", "entered");
-- A count that is kept is true as long as nobody takes a row away.
REVOKE DELETE ON "customers" FROM foyer_app, foyer_job;
-- The audit log has no use for the number.
DROP TRIGGER audit ON "customers";
CALL app.audited('customers', 'entered');
