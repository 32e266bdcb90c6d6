-- The entries of a location's days, for their batches.

-- +goose NO TRANSACTION
-- +goose Up
set lock_timeout = 0;
drop index concurrently if exists ledger_entries_of_day; -- of a run that was interrupted
create index concurrently ledger_entries_of_day on ledger_entries (business_id, location_id, local_date);
reset lock_timeout;
