-- What happened on the balance of a studio's account at the processor, and how it is held against the books (billing/listing.go).

-- +goose Up
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_external_key" UNIQUE ("business_id", "payment_id", "external_id");

CREATE TABLE "balance_transactions" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"env" character varying NOT NULL,
	"account" character varying NOT NULL,
	"external_id" character varying NOT NULL,
	"type" character varying NOT NULL,
	"category" character varying NOT NULL,
	"currency" character varying NOT NULL,
	"gross" bigint NOT NULL,
	"processor_fee" bigint NOT NULL,
	"platform_fee" bigint NOT NULL,
	"net" bigint NOT NULL,
	"source" character varying NOT NULL DEFAULT '',
	"intent" character varying NOT NULL DEFAULT '',
	"payment_id" uuid NULL,
	"payout" character varying NULL,
	"state" character varying NOT NULL DEFAULT 'new',
	"happened_at" timestamptz NOT NULL,
	"available_at" timestamptz NOT NULL,
	"booked_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "balance_transactions_external_key" UNIQUE ("business_id", "env", "account", "external_id"),
	CONSTRAINT "balance_transactions_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "balance_transactions_payment_fkey" FOREIGN KEY ("business_id", "payment_id") REFERENCES "payments" ("business_id", "id"),
	CONSTRAINT "balance_transactions_category" CHECK (category in ('charge', 'charge_failure', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'fee', 'platform_fee', 'payout', 'payout_reversal', 'topup', 'topup_reversal', 'held', 'other')),
	CONSTRAINT "balance_transactions_env" CHECK (env in ('live', 'test', 'simulated')),
	CONSTRAINT "balance_transactions_net" CHECK (net = gross - processor_fee - platform_fee),
	CONSTRAINT "balance_transactions_sim" CHECK ((env = 'simulated') = (account like 'acct\_sim\_%')),
	CONSTRAINT "balance_transactions_state" CHECK (state in ('new', 'booked', 'held', 'unmatched') and (booked_at is null) = (state in ('new', 'unmatched')))
);
CREATE INDEX "balance_transactions_unbooked" ON "balance_transactions" ("business_id", "happened_at") WHERE booked_at is null;
CREATE INDEX "balance_transactions_of_payout" ON "balance_transactions" ("business_id", "payout") WHERE payout is not null;
CREATE INDEX "balance_transactions_of_dispute" ON "balance_transactions" ("business_id", "source") WHERE category in ('dispute', 'dispute_reversal');
CREATE INDEX "balance_transactions_of_payment" ON "balance_transactions" ("business_id", "payment_id") WHERE payment_id is not null;

CREATE TABLE "disputes" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"env" character varying NOT NULL,
	"account" character varying NOT NULL,
	"external_id" character varying NOT NULL,
	"payment_id" uuid NULL,
	"charge" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"currency" character varying NOT NULL,
	"status" character varying NOT NULL,
	"reason" character varying NOT NULL,
	"evidence_due_by" timestamptz NULL,
	"happened_at" timestamptz NOT NULL,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "disputes_external_key" UNIQUE ("business_id", "env", "account", "external_id"),
	CONSTRAINT "disputes_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "disputes_payment_fkey" FOREIGN KEY ("business_id", "payment_id") REFERENCES "payments" ("business_id", "id"),
	CONSTRAINT "disputes_env" CHECK (env in ('live', 'test', 'simulated')),
	CONSTRAINT "disputes_sim" CHECK ((env = 'simulated') = (account like 'acct\_sim\_%')),
	CONSTRAINT "disputes_status" CHECK (status in ('warning_needs_response', 'warning_under_review', 'warning_closed', 'needs_response', 'under_review', 'won', 'lost'))
);
CREATE INDEX "disputes_by_time" ON "disputes" ("business_id", "happened_at", "id");
CREATE INDEX "disputes_of_payment" ON "disputes" ("business_id", "payment_id") WHERE payment_id is not null;

CREATE TABLE "payouts" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"env" character varying NOT NULL,
	"account" character varying NOT NULL,
	"external_id" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"currency" character varying NOT NULL,
	"status" character varying NOT NULL,
	"arrives_on" date NOT NULL,
	"automatic" boolean NOT NULL,
	"failure_code" character varying NOT NULL DEFAULT '',
	"failure_message" character varying NOT NULL DEFAULT '',
	"happened_at" timestamptz NOT NULL,
	"listed_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "payouts_external_key" UNIQUE ("business_id", "env", "account", "external_id"),
	CONSTRAINT "payouts_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "payouts_env" CHECK (env in ('live', 'test', 'simulated')),
	CONSTRAINT "payouts_sim" CHECK ((env = 'simulated') = (account like 'acct\_sim\_%')),
	CONSTRAINT "payouts_status" CHECK (status in ('pending', 'in_transit', 'paid', 'failed', 'canceled'))
);
CREATE INDEX "payouts_by_time" ON "payouts" ("business_id", "happened_at", "id");

CREATE TABLE "processor_listings" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"env" character varying NOT NULL,
	"account" character varying NOT NULL,
	"listed_through" timestamptz NULL,
	"due_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "processor_listings_account_key" UNIQUE ("business_id", "env", "account"),
	CONSTRAINT "processor_listings_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "processor_listings_env" CHECK (env in ('live', 'test', 'simulated')),
	CONSTRAINT "processor_listings_sim" CHECK ((env = 'simulated') = (account like 'acct\_sim\_%'))
);
CREATE INDEX "processor_listings_due" ON "processor_listings" ("due_at") WHERE due_at is not null;

CREATE TABLE "tie_outs" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"env" character varying NOT NULL,
	"account" character varying NOT NULL,
	"currency" character varying NOT NULL,
	"books" bigint NOT NULL,
	"underway" bigint NOT NULL,
	"kept" bigint NOT NULL,
	"held" bigint NOT NULL,
	"balance" bigint NOT NULL,
	"difference" bigint NOT NULL,
	"checked_at" timestamptz NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "tie_outs_currency_key" UNIQUE ("business_id", "env", "account", "currency"),
	CONSTRAINT "tie_outs_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "tie_outs_difference" CHECK (difference = balance + held - books),
	CONSTRAINT "tie_outs_env" CHECK (env in ('live', 'test', 'simulated')),
	CONSTRAINT "tie_outs_sim" CHECK ((env = 'simulated') = (account like 'acct\_sim\_%'))
);
CALL app.tenant_table('balance_transactions');
CALL app.tenant_table('disputes');
CALL app.tenant_table('payouts');
CALL app.tenant_table('processor_listings');
CALL app.lookup('processor_listings', 'id, business_id, due_at');
CALL app.tenant_table('tie_outs');

-- due_listings: the accounts whose balance is listed now.
-- +goose StatementBegin
create function app.due_listings(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from processor_listings where due_at <= at order by due_at limit most $$;
-- +goose StatementEnd
call app.lookup_function('app.due_listings(timestamptz, integer)');

-- The accounts that there are already are listed from their first day, within some hours.
alter table processor_accounts no force row level security;
alter table processor_listings no force row level security;
insert into processor_listings (id, business_id, env, account, due_at, created_at, updated_at)
select gen_random_uuid(), business_id, env, external_id, now() + (abs(hashtext(external_id)) % 240) * interval '1 minute', now(), now()
from processor_accounts where state in ('active', 'active_payouts_paused', 'restricted');
alter table processor_accounts force row level security;
alter table processor_listings force row level security;
