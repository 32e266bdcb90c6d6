-- Revenue categories, and the tables of package app/accounting.

-- +goose Up
CALL app.wall(false);

CREATE TABLE "accounting_attempts" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"state_hash" bytea NOT NULL,
	"code" bytea NULL,
	"external_company_id" character varying NOT NULL DEFAULT '',
	"returned_at" timestamptz NULL,
	"consumed_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "accounting_attempts_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "accounting_attempts_person_fkey" FOREIGN KEY ("person_id") REFERENCES "persons" ("id")
);
CREATE INDEX "accounting_attempts_by_time" ON "accounting_attempts" ("created_at");

CREATE TABLE "accounting_batches" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"local_date" date NOT NULL,
	"currency" character varying NOT NULL,
	"kind" character varying NOT NULL,
	"deposit_ref" character varying NOT NULL DEFAULT '',
	"amount" bigint NOT NULL,
	"lines" jsonb NOT NULL,
	"row_keys" jsonb NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "accounting_batches_content_key" UNIQUE ("business_id", "location_id", "local_date", "currency", "kind", "deposit_ref"),
	CONSTRAINT "accounting_batches_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "accounting_batches_amount" CHECK (amount >= 0),
	CONSTRAINT "accounting_batches_kind" CHECK (kind in ('journal_entry', 'deposit') and (kind <> 'deposit' or deposit_ref <> ''))
);
CREATE INDEX "accounting_batches_by_date" ON "accounting_batches" ("business_id", "local_date", "id");

CREATE TABLE "accounting_batch_entries" (
	"business_id" uuid NOT NULL,
	"entry_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	PRIMARY KEY ("business_id", "entry_id"),
	CONSTRAINT "accounting_batch_entries_entry_fkey" FOREIGN KEY ("business_id", "entry_id") REFERENCES "ledger_entries" ("business_id", "id"),
	CONSTRAINT "accounting_batch_entries_batch_fkey" FOREIGN KEY ("business_id", "batch_id") REFERENCES "accounting_batches" ("business_id", "id")
);
CREATE INDEX "accounting_batch_entries_of_batch" ON "accounting_batch_entries" ("business_id", "batch_id");

CREATE TABLE "accounting_connections" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"external_company_id" character varying NOT NULL,
	"company_name" character varying NOT NULL,
	"home_currency" character varying NOT NULL,
	"status" character varying NOT NULL,
	"start_date" date NOT NULL,
	"start_date_frozen" boolean NOT NULL DEFAULT false,
	"person_id" uuid NOT NULL,
	"connected_at" timestamptz NOT NULL,
	"disconnected_at" timestamptz NULL,
	"last_sync_at" timestamptz NULL,
	"last_error" character varying NOT NULL DEFAULT '',
	"work_at" timestamptz NULL,
	"claimed_until" timestamptz NULL,
	"expiry_mailed_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "accounting_connections_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "accounting_connections_person_fkey" FOREIGN KEY ("person_id") REFERENCES "persons" ("id"),
	CONSTRAINT "accounting_connections_disconnected" CHECK ((status = 'disconnected') = (disconnected_at is not null)),
	CONSTRAINT "accounting_connections_status" CHECK (status in ('connected', 'needs_reauth', 'disconnected'))
);
CREATE UNIQUE INDEX "accounting_connections_one" ON "accounting_connections" ("business_id") WHERE status <> 'disconnected';
CREATE INDEX "accounting_connections_by_time" ON "accounting_connections" ("business_id", "created_at", "id");
CREATE INDEX "accounting_connections_due" ON "accounting_connections" ("work_at") WHERE work_at is not null;

CREATE TABLE "revenue_categories" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"name" character varying NOT NULL,
	"archived_at" timestamptz NULL,
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "revenue_categories_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id")
);
CREATE UNIQUE INDEX "revenue_categories_name_key" ON "revenue_categories" ("business_id", "name") WHERE archived_at is null;

CREATE TABLE "accounting_map_rows" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"row_key" character varying NOT NULL,
	"category" character varying NOT NULL,
	"tax_rate_id" uuid NULL,
	"revenue_category_id" uuid NULL,
	"external_account_id" character varying NOT NULL,
	"account_name" character varying NOT NULL,
	"account_type" character varying NOT NULL,
	"account_sub_type" character varying NOT NULL DEFAULT '',
	"confirmed_at" timestamptz NOT NULL,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "accounting_map_rows_key" UNIQUE ("business_id", "connection_id", "row_key"),
	CONSTRAINT "accounting_map_rows_connection_fkey" FOREIGN KEY ("business_id", "connection_id") REFERENCES "accounting_connections" ("business_id", "id"),
	CONSTRAINT "accounting_map_rows_tax_rate_fkey" FOREIGN KEY ("business_id", "tax_rate_id") REFERENCES "tax_rates" ("business_id", "id"),
	CONSTRAINT "accounting_map_rows_revenue_category_fkey" FOREIGN KEY ("business_id", "revenue_category_id") REFERENCES "revenue_categories" ("business_id", "id"),
	CONSTRAINT "accounting_map_rows_revenue" CHECK ((category = 'income.revenue_category') = (revenue_category_id is not null)),
	CONSTRAINT "accounting_map_rows_row_key" CHECK (row_key = category || coalesce(':' || tax_rate_id, ':' || revenue_category_id, '')),
	CONSTRAINT "accounting_map_rows_tax" CHECK ((category = 'liability.sales_tax') = (tax_rate_id is not null))
);

CREATE TABLE "accounting_postings" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"status" character varying NOT NULL,
	"skip_reason" character varying NOT NULL DEFAULT '',
	"attempts" integer NOT NULL DEFAULT 0,
	"refusals" integer NOT NULL DEFAULT 0,
	"may_exist" boolean NOT NULL DEFAULT false,
	"last_error" character varying NOT NULL DEFAULT '',
	"external_id" character varying NOT NULL DEFAULT '',
	"external_url" character varying NOT NULL DEFAULT '',
	"posted_at" timestamptz NULL,
	"next_attempt_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "accounting_postings_batch_key" UNIQUE ("business_id", "batch_id"),
	CONSTRAINT "accounting_postings_batch_fkey" FOREIGN KEY ("business_id", "batch_id") REFERENCES "accounting_batches" ("business_id", "id"),
	CONSTRAINT "accounting_postings_connection_fkey" FOREIGN KEY ("business_id", "connection_id") REFERENCES "accounting_connections" ("business_id", "id"),
	CONSTRAINT "accounting_postings_pending" CHECK ((status = 'pending') = (next_attempt_at is not null)),
	CONSTRAINT "accounting_postings_posted" CHECK ((status = 'posted') = (posted_at is not null) and (status = 'posted') = (external_id <> '')),
	CONSTRAINT "accounting_postings_reason" CHECK (skip_reason in ('', 'before_start_date', 'currency_not_home', 'map_incomplete', 'disconnected')),
	CONSTRAINT "accounting_postings_skipped" CHECK ((status = 'skipped') = (skip_reason <> '')),
	CONSTRAINT "accounting_postings_status" CHECK (status in ('pending', 'posted', 'failed', 'skipped'))
);
CREATE INDEX "accounting_postings_of_connection" ON "accounting_postings" ("business_id", "connection_id", "created_at", "id");
CREATE INDEX "accounting_postings_due" ON "accounting_postings" ("business_id", "connection_id", "next_attempt_at") WHERE status = 'pending';

CREATE TABLE "accounting_progress" (
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"batched_through" date NOT NULL,
	PRIMARY KEY ("business_id", "location_id"),
	CONSTRAINT "accounting_progress_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id")
);

CREATE TABLE "accounting_tokens" (
	"business_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"access" bytea NOT NULL,
	"refresh" bytea NOT NULL,
	"access_expires_at" timestamptz NOT NULL,
	"refresh_expires_at" timestamptz NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "connection_id"),
	CONSTRAINT "accounting_tokens_connection_fkey" FOREIGN KEY ("business_id", "connection_id") REFERENCES "accounting_connections" ("business_id", "id")
);
CREATE INDEX "accounting_tokens_expiring" ON "accounting_tokens" ("refresh_expires_at");
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_revenue" CHECK ((code like 'income.rc:%') = (revenue_category_id is not null) and (revenue_category_id is null or code = 'income.rc:' || revenue_category_id)),
	ADD COLUMN "revenue_category_id" uuid NULL, ADD CONSTRAINT "ledger_accounts_revenue_category_fkey" FOREIGN KEY ("business_id", "revenue_category_id") REFERENCES "revenue_categories" ("business_id", "id");
ALTER TABLE "offerings" ADD COLUMN "revenue_category_id" uuid NULL, ADD CONSTRAINT "offerings_revenue_category_fkey" FOREIGN KEY ("business_id", "revenue_category_id") REFERENCES "revenue_categories" ("business_id", "id");
ALTER TABLE "order_lines" ADD COLUMN "revenue_category_id" uuid NULL, ADD CONSTRAINT "order_lines_revenue_category_fkey" FOREIGN KEY ("business_id", "revenue_category_id") REFERENCES "revenue_categories" ("business_id", "id");
CALL app.wall(true);
CALL app.tenant_table('accounting_attempts');
CALL app.lookup('accounting_attempts', 'business_id, created_at');
CALL app.tenant_table('accounting_batches');
CALL app.append_only('accounting_batches');
CALL app.tenant_table('accounting_batch_entries');
CALL app.append_only('accounting_batch_entries');
CALL app.tenant_table('accounting_connections');
CALL app.lookup('accounting_connections', 'id, business_id, status, work_at, claimed_until, expiry_mailed_at');
CALL app.audited('accounting_connections', 'last_sync_at', 'last_error', 'work_at', 'claimed_until', 'expiry_mailed_at', 'updated_at');
CALL app.tenant_table('accounting_map_rows');
CALL app.audited('accounting_map_rows');
CALL app.tenant_table('accounting_postings');
CALL app.tenant_table('accounting_progress');
CALL app.lookup('accounting_progress', 'business_id, location_id, batched_through');
CALL app.tenant_table('accounting_tokens');
CALL app.lookup('accounting_tokens', 'connection_id, business_id, refresh_expires_at');
GRANT SELECT (closed_through) ON "ledger_closings" TO foyer_lookup;
CALL app.tenant_table('revenue_categories');
CALL app.audited('revenue_categories');
