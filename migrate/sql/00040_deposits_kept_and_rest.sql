-- Deposits that stay with the studio when their customer cancels, and whose rest a kept card pays some time before it begins.

-- +goose Up
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_kept" CHECK (kept_amount between 0 and listed_amount - discount_amount + tax_amount),
	ADD COLUMN "kept_amount" bigint NOT NULL DEFAULT 0;
ALTER TABLE "bookings" ADD COLUMN "rest_asked_at" timestamptz NULL;
CREATE INDEX "bookings_rest" ON "bookings" (((starts_at at time zone 'UTC') - make_interval(mins => (policy -> 'deposit' ->> 'restMinutes')::integer))) WHERE state = 'confirmed' and order_id is not null and rest_asked_at is null and policy -> 'deposit' ->> 'restMinutes' <> '0';
GRANT SELECT (policy, rest_asked_at) ON "bookings" TO foyer_lookup;

-- From which wallet a card is kept.
ALTER TABLE "saved_cards" ADD COLUMN "wallet" character varying NOT NULL DEFAULT '';

-- due_rests: bookings for whose deposits it is time to have the rest charged to a kept card, whichever business they are of. The conditions
-- are those of bookings_rest.
-- +goose StatementBegin
create function app.due_rests(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id, b.id from bookings b
	where b.state = 'confirmed' and b.order_id is not null and b.rest_asked_at is null and b.policy -> 'deposit' ->> 'restMinutes' <> '0'
		and (b.starts_at at time zone 'UTC') - make_interval(mins => (b.policy -> 'deposit' ->> 'restMinutes')::integer) <= at at time zone 'UTC'
	order by (b.starts_at at time zone 'UTC') - make_interval(mins => (b.policy -> 'deposit' ->> 'restMinutes')::integer) limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.due_rests(timestamptz, integer)');
