-- Fees for cancelling late and for not coming are charged to the card that the customer had the studio keep (app/checkout/fees.go). Those
-- that there are already are not: their charge_at stays empty.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "penalties" ADD COLUMN "charge_at" timestamptz NULL,
	ADD COLUMN "charge_failed" character varying NOT NULL DEFAULT '';
CREATE INDEX "penalties_charge" ON "penalties" ("charge_at") WHERE charge_at is not null;
CALL app.wall(true);
CALL app.lookup('penalties', 'id, business_id, charge_at');
DROP TRIGGER audit ON "penalties";
CALL app.audited('penalties', 'charge_at');

-- due_fees: fees whose time to be charged has come, whichever business they are of.
-- +goose StatementBegin
create function app.due_fees(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select p.business_id, p.id from penalties p where p.charge_at <= at order by p.charge_at limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.due_fees(timestamptz, integer)');
