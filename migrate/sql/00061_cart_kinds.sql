-- Items of carts and lines of orders of kinds without a seat: what they sell, and for an item the hold that reserves it at a price.
-- A line names the item that it was reserved by. No kind is registered yet that has them.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "cart_items" DROP CONSTRAINT "cart_items_what",
	ADD CONSTRAINT "cart_items_what" CHECK (case when kind in ('class', 'appointment', 'rental') then offering_id is not null and quantity = 1 and num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0 and num_nonnulls(subject_id, hold_id, held_amount) = 0 else num_nonnulls(offering_id, occurrence_id, starts_at, minutes, member_id, space_id) = 0 and num_nonnulls(hold_id, held_amount) in (0, 2) end),
	ADD COLUMN "subject_id" uuid NULL,
	ADD COLUMN "hold_id" uuid NULL,
	ADD COLUMN "held_amount" bigint NULL, ADD CONSTRAINT "cart_items_hold_fkey" FOREIGN KEY ("business_id", "hold_id") REFERENCES "holds" ("business_id", "id");
CREATE INDEX "cart_items_reserved" ON "cart_items" ("business_id", "hold_id") WHERE hold_id is not null;
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_subject",
	ADD CONSTRAINT "order_lines_subject" CHECK ((booking_id is not null) = (kind in ('class', 'appointment', 'rental')) and (fee_id is not null) = (kind = 'fee') and (of_line_id is null or booking_id is not null) and (num_nonnulls(subject_id, cart_item_id) = 0 or num_nonnulls(booking_id, fee_id) = 0)),
	ADD COLUMN "subject_id" uuid NULL,
	ADD COLUMN "cart_item_id" uuid NULL, ADD CONSTRAINT "order_lines_cart_item_fkey" FOREIGN KEY ("business_id", "cart_item_id") REFERENCES "cart_items" ("business_id", "id");
CALL app.wall(true);
CALL app.lookup('cart_items', 'business_id, hold_id');
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
