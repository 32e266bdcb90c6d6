-- Lines of carts and orders have a kind, which says what they name: a fee names itself and not its booking too. The account of their
-- income is frozen on lines of orders: today's rule, by revenue category or by kind of offering, fills it in for those of before.
-- Programs of before do not know these columns: they are to be stopped first.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "cart_items" ADD COLUMN "kind" character varying,
	ADD COLUMN "quantity" integer NOT NULL DEFAULT 1,
	ALTER COLUMN "offering_id" DROP NOT NULL;
UPDATE cart_items i SET kind = f.kind FROM offerings f WHERE f.business_id = i.business_id and f.id = i.offering_id;
ALTER TABLE "cart_items" DROP CONSTRAINT "cart_items_what",
	ALTER COLUMN "kind" SET NOT NULL,
	ADD CONSTRAINT "cart_items_what" CHECK (case when kind in ('class', 'appointment', 'rental') then offering_id is not null and quantity = 1 and num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0 else num_nonnulls(offering_id, occurrence_id, starts_at, minutes, member_id, space_id) = 0 end),
	ADD CONSTRAINT "cart_items_kind" CHECK (kind in ('class', 'appointment', 'rental')),
	ADD CONSTRAINT "cart_items_quantity" CHECK (quantity between 1 and 999);

ALTER TABLE "order_lines" DISABLE TRIGGER USER, -- its lines are only ever added
	DROP CONSTRAINT "order_lines_kind",
	ADD COLUMN "quantity" integer NOT NULL DEFAULT 1,
	ADD COLUMN "income_account" character varying,
	ALTER COLUMN "booking_id" DROP NOT NULL;
UPDATE order_lines SET
	income_account = case when revenue_category_id is not null then 'income.rc:' || revenue_category_id
		when kind = 'class' then 'income.class' when kind = 'appointment' then 'income.session' else 'income.space' end,
	kind = case when fee_id is null then kind else 'fee' end,
	booking_id = case when fee_id is null then booking_id end;
ALTER TABLE "order_lines" ENABLE TRIGGER USER,
	ALTER COLUMN "income_account" SET NOT NULL,
	DROP COLUMN "revenue_category_id",
	ADD CONSTRAINT "order_lines_kind" CHECK (kind in ('class', 'appointment', 'rental') or kind = 'fee'),
	ADD CONSTRAINT "order_lines_income" CHECK (income_account like 'income.%'),
	ADD CONSTRAINT "order_lines_quantity" CHECK (quantity between 1 and 999),
	ADD CONSTRAINT "order_lines_subject" CHECK ((booking_id is not null) = (kind in ('class', 'appointment', 'rental')) and (fee_id is not null) = (kind = 'fee') and (of_line_id is null or booking_id is not null));
-- An open order of a fee says why its charge failed, as that of a balance does.
ALTER TABLE "orders" DISABLE TRIGGER USER;
UPDATE orders o SET charge_failed = f.charge_failed
	FROM order_lines x JOIN fees f ON f.business_id = x.business_id and f.id = x.fee_id
	WHERE x.business_id = o.business_id and x.order_id = o.id and o.state = 'open' and f.charge_failed <> '';
ALTER TABLE "orders" ENABLE TRIGGER USER;
CREATE INDEX "order_lines_of_fee" ON "order_lines" ("business_id", "fee_id") WHERE fee_id is not null;
CALL app.wall(true);
