-- Cards that customers had a studio keep, with what they agreed to, and who the processor keeps them for (billing/card.go).

-- +goose Up
CALL app.wall(false);

CREATE TABLE "saved_cards" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"env" character varying NOT NULL,
	"account" character varying NOT NULL,
	"method" character varying NOT NULL,
	"brand" character varying NOT NULL,
	"last4" character varying NOT NULL,
	"exp_month" integer NOT NULL,
	"exp_year" integer NOT NULL,
	"fingerprint" character varying NOT NULL,
	"consent_text" character varying NOT NULL,
	"consent_version" character varying NOT NULL,
	"consented_at" timestamptz NOT NULL,
	"removed_at" timestamptz NULL,
	"removed_by" character varying NOT NULL DEFAULT '',
	"detached_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "saved_cards_method_key" UNIQUE ("business_id", "env", "account", "method"),
	CONSTRAINT "saved_cards_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"),
	CONSTRAINT "saved_cards_consent" CHECK (consent_text <> '' and consent_version <> ''),
	CONSTRAINT "saved_cards_detached" CHECK (detached_at is null or removed_at is not null),
	CONSTRAINT "saved_cards_env" CHECK (env in ('live', 'test', 'simulated')),
	CONSTRAINT "saved_cards_removed" CHECK ((removed_at is not null) = (removed_by in ('customer', 'studio', 'processor', 'replaced')) and (removed_at is null) = (removed_by = '')),
	CONSTRAINT "saved_cards_sim" CHECK ((env = 'simulated') = (account like 'acct\_sim\_%'))
);
CREATE UNIQUE INDEX "saved_cards_once" ON "saved_cards" ("business_id", "env", "account", "customer_id", "fingerprint") WHERE removed_at is null and fingerprint <> '';
CREATE INDEX "saved_cards_of_customer" ON "saved_cards" ("business_id", "customer_id", "created_at", "id");
ALTER TABLE "payments" ADD CONSTRAINT "payments_choice" CHECK ((keep_text <> '') = (keep_at is not null) and (card_id is null or keep_at is null) and (customer_id is not null or card_id is null and keep_at is null)),
	ADD COLUMN "customer_id" uuid NULL,
	ADD COLUMN "card_id" uuid NULL,
	ADD COLUMN "choices" integer NOT NULL DEFAULT 0,
	ADD COLUMN "keep_text" character varying NOT NULL DEFAULT '',
	ADD COLUMN "keep_version" character varying NOT NULL DEFAULT '',
	ADD COLUMN "keep_at" timestamptz NULL, ADD CONSTRAINT "payments_card_fkey" FOREIGN KEY ("business_id", "card_id") REFERENCES "saved_cards" ("business_id", "id"), ADD CONSTRAINT "payments_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id");

CREATE TABLE "processor_customers" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"env" character varying NOT NULL,
	"account" character varying NOT NULL,
	"external_id" character varying NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "processor_customers_customer_key" UNIQUE ("business_id", "env", "account", "customer_id"),
	CONSTRAINT "processor_customers_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"),
	CONSTRAINT "processor_customers_env" CHECK (env in ('live', 'test', 'simulated')),
	CONSTRAINT "processor_customers_sim" CHECK ((env = 'simulated') = (account like 'acct\_sim\_%'))
);
CALL app.wall(true);
CALL app.tenant_table('processor_customers');
CALL app.tenant_table('saved_cards');
CALL app.lookup('saved_cards', 'id, business_id, customer_id, created_at, removed_at');
CALL app.audited('saved_cards', 'method', 'fingerprint', 'detached_at');

-- cards_of: the kept cards of a person across businesses, newest first.
-- +goose StatementBegin
create function app.cards_of(person uuid, most integer) returns table (business_id uuid, id uuid, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select s.business_id, s.id, s.created_at
	from customers c join saved_cards s on s.business_id = c.business_id and s.customer_id = c.id
	where c.person_id = person and s.removed_at is null
	order by s.created_at desc, s.id desc limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.cards_of(uuid, integer)');

-- card_of: in which business a person's one kept card is.
-- +goose StatementBegin
create function app.card_of(person uuid, wanted uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select s.business_id from saved_cards s join customers c on c.business_id = s.business_id and c.id = s.customer_id
	where s.id = wanted and c.person_id = person and s.removed_at is null
$$;
-- +goose StatementEnd
call app.lookup_function('app.card_of(uuid, uuid)');
