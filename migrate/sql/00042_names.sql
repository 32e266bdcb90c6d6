-- What the names and numbers of customers are searched by, and attendees told apart by. package names writes them: SQL cannot fold
-- accents, and under row-level security an expression is no index condition. Customers of before get theirs from the sweep crm.keys, and
-- are searched as they were typed until then. Seats of before stay as they are: they are compared as they were typed.

-- +goose Up
ALTER TABLE "customers" ADD COLUMN "name_key" character varying NULL,
	ADD COLUMN "phone_key" character varying NULL;
CREATE INDEX "customers_unkeyed" ON "customers" ("business_id") WHERE name_key is null;
GRANT SELECT (name_key) ON "customers" TO foyer_lookup;
DROP TRIGGER audit ON "customers";
CALL app.audited('customers', 'entered', 'name_key', 'phone_key');

ALTER TABLE "bookings" ADD COLUMN "attendee_key" character varying NULL;
DROP TRIGGER audit ON "bookings";
create trigger audit after insert or update on bookings for each row when (new.state not in ('held', 'expired'))
	execute function app.audit('attendee_key');

ALTER TABLE "waitlist_entries" ADD COLUMN "attendee_key" character varying NULL;
DROP INDEX "waitlist_entries_once";
CREATE UNIQUE INDEX "waitlist_entries_once" ON "waitlist_entries" ("business_id", "occurrence_id", "customer_id", (COALESCE(attendee_key, attendee))) WHERE state in ('waiting', 'offered');
DROP TRIGGER audit ON "waitlist_entries";
CALL app.audited('waitlist_entries', 'token_hash', 'attendee_key');

-- unkeyed_customers: the businesses with customers that the sweep crm.keys has yet to write the keys of. The condition is that of
-- customers_unkeyed.
-- +goose StatementBegin
create function app.unkeyed_customers() returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct c.business_id from customers c where c.name_key is null
$$;
-- +goose StatementEnd
call app.lookup_function('app.unkeyed_customers()');
