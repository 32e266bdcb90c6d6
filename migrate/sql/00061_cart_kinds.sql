-- Items of carts and lines of orders of kinds without a seat: what they sell, and for an item the hold that reserves it at a price.
-- A line names the item that it was reserved by. Tenders of kinds with a source name it, and a cart names those that it is paid with,
-- account credit among them. No kind of item and no source besides account credit is registered yet.
-- Programs of before read carts.use_credit: they are to be stopped first.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "order_tenders" DROP CONSTRAINT "order_tenders_expires",
	ADD CONSTRAINT "order_tenders_expires" CHECK (kind not in ('card', 'cash', 'other') or expires_at is null), DROP CONSTRAINT "order_tenders_state",
	ADD CONSTRAINT "order_tenders_state" CHECK (case state when 'open' then kind = 'card' and captured_at is null when 'authorized' then kind not in ('card', 'cash', 'other') and captured_at is null when 'captured' then captured_at is not null else state = 'void' end),
	ADD CONSTRAINT "order_tenders_source" CHECK ((source_id is null) = (kind in ('card', 'cash', 'other', 'account_credit'))),
	ADD COLUMN "source_id" uuid NULL;
CREATE INDEX "order_tenders_of_source" ON "order_tenders" ("business_id", "source_id") WHERE source_id is not null;
ALTER TABLE "cart_items" DROP CONSTRAINT "cart_items_what",
	ADD CONSTRAINT "cart_items_what" CHECK (case when kind in ('class', 'appointment', 'rental') then offering_id is not null and quantity = 1 and num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0 and num_nonnulls(subject_id, hold_id, reserved_amount) = 0 else num_nonnulls(offering_id, occurrence_id, starts_at, minutes, member_id, space_id) = 0 and num_nonnulls(hold_id, reserved_amount) in (0, 2) end),
	ADD COLUMN "subject_id" uuid NULL,
	ADD COLUMN "hold_id" uuid NULL,
	ADD COLUMN "reserved_amount" bigint NULL, ADD CONSTRAINT "cart_items_hold_fkey" FOREIGN KEY ("business_id", "hold_id") REFERENCES "holds" ("business_id", "id");
CREATE INDEX "cart_items_reserved" ON "cart_items" ("business_id", "hold_id") WHERE hold_id is not null;

CREATE TABLE "cart_tenders" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"cart_id" uuid NOT NULL,
	"kind" character varying NOT NULL,
	"source_id" uuid NULL,
	"used" boolean NOT NULL DEFAULT true,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "cart_tenders_key" UNIQUE ("business_id", "cart_id", "source_id"),
	CONSTRAINT "cart_tenders_cart_fkey" FOREIGN KEY ("business_id", "cart_id") REFERENCES "carts" ("business_id", "id") ON DELETE CASCADE,
	CONSTRAINT "cart_tenders_kind" CHECK (kind = 'account_credit'),
	CONSTRAINT "cart_tenders_source" CHECK ((source_id is null) = (kind = 'account_credit') and (used or source_id is null))
);
CREATE UNIQUE INDEX "cart_tenders_credit_key" ON "cart_tenders" ("business_id", "cart_id") WHERE source_id is null;
INSERT INTO cart_tenders (id, business_id, cart_id, kind, used, created_at)
	SELECT gen_random_uuid(), business_id, id, 'account_credit', use_credit, updated_at FROM carts WHERE use_credit is not null;
ALTER TABLE "carts" DROP COLUMN "use_credit";
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_subject",
	ADD CONSTRAINT "order_lines_subject" CHECK ((booking_id is not null) = (kind in ('class', 'appointment', 'rental')) and (fee_id is not null) = (kind = 'fee') and (of_line_id is null or booking_id is not null) and (num_nonnulls(subject_id, cart_item_id) = 0 or num_nonnulls(booking_id, fee_id) = 0)),
	ADD COLUMN "subject_id" uuid NULL,
	ADD COLUMN "cart_item_id" uuid NULL, ADD CONSTRAINT "order_lines_cart_item_fkey" FOREIGN KEY ("business_id", "cart_item_id") REFERENCES "cart_items" ("business_id", "id");
CALL app.wall(true);
CALL app.lookup('cart_items', 'business_id, hold_id');
CALL app.tenant_table('cart_tenders');
-- ended_items: the businesses with items that are reserved for holds that have ended by a time, by keyset.
-- +goose StatementBegin
create function app.ended_items(at timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct i.business_id from cart_items i join holds h on h.business_id = i.business_id and h.id = i.hold_id
	where i.hold_id is not null and (key is null or i.business_id > key) and (h.state <> 'live' or h.expires_at <= at)
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.ended_items(timestamptz, uuid, integer)');
