-- Gift cards, with the ledger of each, and the terms of a location that sells them. Items of carts and lines of orders
-- can sell one, and tenders can be paid from one, which generated columns refer to.

-- +goose Up
CALL app.wall(false);

CREATE TABLE "gift_cards" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"currency" character varying NOT NULL,
	"state" character varying NOT NULL DEFAULT 'draft',
	"amount" bigint NOT NULL,
	"balance" bigint NOT NULL DEFAULT 0,
	"code_hash" bytea NULL,
	"last4" character varying NOT NULL DEFAULT '',
	"sealed_code" bytea NULL,
	"recipient_name" character varying NOT NULL DEFAULT '',
	"recipient_email" character varying NOT NULL DEFAULT '',
	"sender_name" character varying NOT NULL DEFAULT '',
	"message" character varying NOT NULL DEFAULT '',
	"locale" character varying NOT NULL DEFAULT '',
	"deliver_at" timestamptz NULL,
	"issued_at" timestamptz NULL,
	"due_at" timestamptz NULL,
	"sent_at" timestamptz NULL,
	"expires_at" timestamptz NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "gift_cards_code_key" UNIQUE ("business_id", "code_hash"),
	CONSTRAINT "gift_cards_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "gift_cards_amount" CHECK (amount between 1 and 99999999),
	CONSTRAINT "gift_cards_balance" CHECK (balance >= 0 and (balance = 0 or state = 'active')),
	CONSTRAINT "gift_cards_state" CHECK (state in ('draft', 'active') and (state = 'active') = (code_hash is not null) and (state = 'active') = (issued_at is not null))
);
CREATE INDEX "gift_cards_by_age" ON "gift_cards" ("business_id", "issued_at", "id") WHERE issued_at is not null;
CREATE INDEX "gift_cards_drafts" ON "gift_cards" ("created_at") WHERE state = 'draft';
CREATE INDEX "gift_cards_due" ON "gift_cards" ("due_at") WHERE due_at is not null;
CREATE INDEX "gift_cards_expiring" ON "gift_cards" ("expires_at") WHERE expires_at is not null and balance > 0;
ALTER TABLE "cart_items" DROP CONSTRAINT "cart_items_kind",
	ADD CONSTRAINT "cart_items_kind" CHECK (kind in ('class', 'appointment', 'rental') or kind in ('product', 'gift_card')), DROP CONSTRAINT "cart_items_quantity",
	ADD CONSTRAINT "cart_items_quantity" CHECK (quantity between 1 and 999 and (kind <> 'gift_card' or quantity = 1)), DROP CONSTRAINT "cart_items_what",
	ADD CONSTRAINT "cart_items_what" CHECK (case when kind in ('class', 'appointment', 'rental') then offering_id is not null and quantity = 1 and num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0 and num_nonnulls(subject_id, hold_id, reserved_amount) = 0 else num_nonnulls(offering_id, occurrence_id, starts_at, minutes, member_id, space_id) = 0 and num_nonnulls(hold_id, reserved_amount) in (0, 2) and (kind not in ('product', 'gift_card') or subject_id is not null) end),
	ADD COLUMN "gift_card_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'gift_card' then subject_id end) STORED, ADD CONSTRAINT "cart_items_gift_card_fkey" FOREIGN KEY ("business_id", "gift_card_id") REFERENCES "gift_cards" ("business_id", "id");
ALTER TABLE "cart_tenders" DROP CONSTRAINT "cart_tenders_kind",
	ADD CONSTRAINT "cart_tenders_kind" CHECK (kind in ('account_credit', 'gift_card')),
	ADD COLUMN "gift_card_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'gift_card' then source_id end) STORED, ADD CONSTRAINT "cart_tenders_gift_card_fkey" FOREIGN KEY ("business_id", "gift_card_id") REFERENCES "gift_cards" ("business_id", "id");

CREATE TABLE "gift_card_terms" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"sold_online" boolean NOT NULL DEFAULT false,
	"amounts" jsonb NOT NULL DEFAULT ('[]'),
	"least_amount" bigint NOT NULL,
	"most_amount" bigint NOT NULL,
	"expires_months" integer NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "gift_card_terms_key" UNIQUE ("business_id", "location_id"),
	CONSTRAINT "gift_card_terms_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "gift_card_terms_amounts" CHECK (1 <= least_amount and least_amount <= most_amount and most_amount <= 99999999 and jsonb_array_length(amounts) <= 12),
	CONSTRAINT "gift_card_terms_expires" CHECK (expires_months between 1 and 240)
);
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_income",
	ADD CONSTRAINT "order_lines_income" CHECK (case kind when 'gift_card' then income_account = 'stored_value.gift' else income_account like 'income.%' end), DROP CONSTRAINT "order_lines_kind",
	ADD CONSTRAINT "order_lines_kind" CHECK (kind in ('class', 'appointment', 'rental') or kind in ('fee', 'product', 'gift_card')), DROP CONSTRAINT "order_lines_quantity",
	ADD CONSTRAINT "order_lines_quantity" CHECK (quantity between 1 and 999 and (kind <> 'gift_card' or quantity = 1)), DROP CONSTRAINT "order_lines_subject",
	ADD CONSTRAINT "order_lines_subject" CHECK ((booking_id is not null) = (kind in ('class', 'appointment', 'rental')) and (fee_id is not null) = (kind = 'fee') and (of_line_id is null or booking_id is not null) and (num_nonnulls(subject_id, cart_item_id) = 0 or num_nonnulls(booking_id, fee_id) = 0) and (kind not in ('product', 'gift_card') or subject_id is not null)),
	ADD COLUMN "gift_card_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'gift_card' then subject_id end) STORED, ADD CONSTRAINT "order_lines_gift_card_fkey" FOREIGN KEY ("business_id", "gift_card_id") REFERENCES "gift_cards" ("business_id", "id");
ALTER TABLE "order_tenders" DROP CONSTRAINT "order_tenders_kind",
	ADD CONSTRAINT "order_tenders_kind" CHECK (kind in ('card', 'cash', 'other', 'account_credit', 'gift_card')),
	ADD COLUMN "source_label" character varying NOT NULL DEFAULT '',
	ADD COLUMN "gift_card_id" uuid NULL GENERATED ALWAYS AS (case when kind = 'gift_card' then source_id end) STORED, ADD CONSTRAINT "order_tenders_gift_card_fkey" FOREIGN KEY ("business_id", "gift_card_id") REFERENCES "gift_cards" ("business_id", "id");

CREATE TABLE "gift_card_transactions" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"gift_card_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"kind" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"balance" bigint NOT NULL,
	"order_line_id" uuid NULL,
	"tender_id" uuid NULL,
	"refund_id" uuid NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "gift_card_transactions_line_key" UNIQUE ("business_id", "order_line_id"),
	CONSTRAINT "gift_card_transactions_tender_key" UNIQUE ("business_id", "tender_id"),
	CONSTRAINT "gift_card_transactions_refund_key" UNIQUE ("business_id", "refund_id", "gift_card_id", "kind"),
	CONSTRAINT "gift_card_transactions_gift_card_fkey" FOREIGN KEY ("business_id", "gift_card_id") REFERENCES "gift_cards" ("business_id", "id"),
	CONSTRAINT "gift_card_transactions_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "gift_card_transactions_order_line_fkey" FOREIGN KEY ("business_id", "order_line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "gift_card_transactions_tender_fkey" FOREIGN KEY ("business_id", "tender_id") REFERENCES "order_tenders" ("business_id", "id"),
	CONSTRAINT "gift_card_transactions_refund_fkey" FOREIGN KEY ("business_id", "refund_id") REFERENCES "refunds" ("business_id", "id"),
	CONSTRAINT "gift_card_transactions_balance" CHECK (balance >= 0),
	CONSTRAINT "gift_card_transactions_kind" CHECK ((order_line_id is not null) = (kind = 'sold') and (tender_id is not null) = (kind = 'spent') and (refund_id is not null) = (kind in ('refunded', 'returned', 'restored')) and case when kind in ('sold', 'refunded', 'restored') then amount > 0 when kind in ('spent', 'returned', 'expired') then amount < 0 else kind = 'adjusted' and amount <> 0 and note <> '' end)
);
CREATE INDEX "gift_card_transactions_of_card" ON "gift_card_transactions" ("business_id", "gift_card_id", "created_at", "id");
CALL app.wall(true);
DROP TRIGGER "audit" ON "order_tenders";
CALL app.audited('order_tenders', 'state', 'expires_at', 'captured_at', 'actor_kind', 'actor_id', 'actor_name', 'gift_card_id');
CALL app.tenant_table('gift_cards');
CALL app.lookup('gift_cards', 'id, business_id, state, created_at, due_at, expires_at, balance');
CALL app.audited('gift_cards', 'code_hash', 'sealed_code', 'due_at');
CALL app.tenant_table('gift_card_terms');
CALL app.audited('gift_card_terms');
CALL app.tenant_table('gift_card_transactions');
CALL app.append_only('gift_card_transactions');
CALL app.audited('gift_card_transactions');

-- gift_card_drafts, gift_cards_due and gift_cards_expired: the businesses with work for the sweeps of gift cards, by keyset.
-- +goose StatementBegin
create function app.gift_card_drafts(before timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct g.business_id from gift_cards g
	where g.state = 'draft' and g.created_at < before and (key is null or g.business_id > key)
	order by 1 limit most
$$;
create function app.gift_cards_due(at timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct g.business_id from gift_cards g
	where g.due_at <= at and (key is null or g.business_id > key)
	order by 1 limit most
$$;
create function app.gift_cards_expired(at timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct g.business_id from gift_cards g
	where g.expires_at is not null and g.balance > 0 and g.expires_at <= at and (key is null or g.business_id > key)
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.gift_card_drafts(timestamptz, uuid, integer)');
call app.lookup_function('app.gift_cards_due(timestamptz, uuid, integer)');
call app.lookup_function('app.gift_cards_expired(timestamptz, uuid, integer)');
