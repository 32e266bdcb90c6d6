-- Agreements: documents of a location with their copies, and who agreed to which (app/agreement).

-- +goose Up
CREATE TABLE "agreement_documents" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"name" character varying NOT NULL,
	"show" character varying NOT NULL,
	"frequency" character varying NOT NULL,
	"every_listing" boolean NOT NULL DEFAULT true,
	"position" integer NOT NULL DEFAULT 0,
	"copy_number" integer NOT NULL DEFAULT 1,
	"round" integer NOT NULL DEFAULT 1,
	"archived_at" timestamptz NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "agreement_documents_place_key" UNIQUE ("business_id", "location_id", "id"),
	CONSTRAINT "agreement_documents_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "agreement_documents_counters" CHECK (copy_number >= 1 and round >= 1 and position >= 0),
	CONSTRAINT "agreement_documents_frequency" CHECK (frequency in ('once', 'every_booking')),
	CONSTRAINT "agreement_documents_show" CHECK (show in ('list', 'popup', 'full'))
);

CREATE TABLE "agreement_copies" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" character varying NOT NULL,
	"format" character varying NULL,
	"body" character varying NULL,
	"file_key" character varying NULL,
	"sha256" bytea NOT NULL,
	"bytes" integer NOT NULL,
	"page_count" integer NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "agreement_copies_number_key" UNIQUE ("business_id", "document_id", "number"),
	CONSTRAINT "agreement_copies_document_key" UNIQUE ("business_id", "document_id", "id"),
	CONSTRAINT "agreement_copies_document_fkey" FOREIGN KEY ("business_id", "document_id") REFERENCES "agreement_documents" ("business_id", "id"),
	CONSTRAINT "agreement_copies_content" CHECK (case kind when 'text' then body is not null and body <> '' and format is not null and format in ('plain', 'markdown') and file_key is null and page_count is null when 'pdf' then body is null and format is null and file_key is not null else false end),
	CONSTRAINT "agreement_copies_size" CHECK (octet_length(sha256) = 32 and bytes > 0 and number >= 1 and page_count >= 1)
);

CREATE TABLE "agreement_acceptances" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"copy_id" uuid NOT NULL,
	"round" integer NOT NULL,
	"source" character varying NOT NULL,
	"shown" character varying NULL,
	"cart_id" uuid NULL,
	"booking_id" uuid NULL,
	"person_id" uuid NULL,
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"ip" character varying NOT NULL DEFAULT '',
	"user_agent" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "agreement_acceptances_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"),
	CONSTRAINT "agreement_acceptances_copy_fkey" FOREIGN KEY ("business_id", "document_id", "copy_id") REFERENCES "agreement_copies" ("business_id", "document_id", "id"),
	CONSTRAINT "agreement_acceptances_booking_fkey" FOREIGN KEY ("business_id", "booking_id") REFERENCES "bookings" ("business_id", "id"),
	CONSTRAINT "agreement_acceptances_person_fkey" FOREIGN KEY ("person_id") REFERENCES "persons" ("id"),
	CONSTRAINT "agreement_acceptances_round" CHECK (round >= 1),
	CONSTRAINT "agreement_acceptances_source" CHECK (case source when 'checkout' then cart_id is not null and booking_id is null and person_id is not null and shown is not null and shown in ('checkbox', 'full') when 'staff' then cart_id is null and shown is null else false end)
);
CREATE INDEX "agreement_acceptances_of_customer" ON "agreement_acceptances" ("business_id", "customer_id", "document_id", "created_at", "id");
CREATE UNIQUE INDEX "agreement_acceptances_cart_key" ON "agreement_acceptances" ("business_id", "cart_id", "customer_id", "copy_id", "round") WHERE cart_id is not null;
CREATE UNIQUE INDEX "agreement_acceptances_booking_key" ON "agreement_acceptances" ("business_id", "booking_id", "document_id") WHERE booking_id is not null;
CREATE UNIQUE INDEX "agreement_acceptances_paper_key" ON "agreement_acceptances" ("business_id", "customer_id", "document_id", "round") WHERE source = 'staff' and booking_id is null;

CREATE TABLE "agreement_listings" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"offering_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "agreement_listings_once" UNIQUE ("business_id", "offering_id", "document_id"),
	CONSTRAINT "agreement_listings_offering_fkey" FOREIGN KEY ("business_id", "location_id", "offering_id") REFERENCES "offerings" ("business_id", "location_id", "id"),
	CONSTRAINT "agreement_listings_document_fkey" FOREIGN KEY ("business_id", "location_id", "document_id") REFERENCES "agreement_documents" ("business_id", "location_id", "id")
);
CREATE INDEX "agreement_listings_of_document" ON "agreement_listings" ("business_id", "document_id");
CALL app.tenant_table('agreement_acceptances');
CALL app.append_only('agreement_acceptances');
CALL app.lookup('agreement_acceptances', 'id, business_id, customer_id, created_at');
CALL app.audited('agreement_acceptances', 'ip', 'user_agent');
CALL app.tenant_table('agreement_copies');
CALL app.append_only('agreement_copies');
CALL app.tenant_table('agreement_documents');
CALL app.audited('agreement_documents');
CALL app.tenant_table('agreement_listings');
CALL app.audited('agreement_listings');

-- agreements_of: what a person has agreed to across businesses, newest first, by keyset.
-- +goose StatementBegin
create function app.agreements_of(person uuid, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select a.business_id, a.id, a.created_at
	from customers c join agreement_acceptances a on a.business_id = c.business_id and a.customer_id = c.id
	where c.person_id = person and (key_at is null or (a.created_at, a.id) < (key_at, key_id))
	order by a.created_at desc, a.id desc limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.agreements_of(uuid, timestamptz, uuid, integer)');
