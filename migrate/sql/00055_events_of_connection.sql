-- The activity of a connected assistant.

-- +goose NO TRANSACTION
-- +goose Up
set lock_timeout = 0;
drop index concurrently if exists audit_events_of_connection; -- of a run that was interrupted
create index concurrently audit_events_of_connection on audit_events (business_id, connection_id, seq desc) where connection_id is not null;
reset lock_timeout;
