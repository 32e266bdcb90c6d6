-- The books of a business (billing/ledger), and what payments and refunds did to the processor's balance.

-- +goose Up
ALTER TABLE "payments" ADD COLUMN "balance_transaction" character varying NULL,
	ADD COLUMN "processor_fee" bigint NOT NULL DEFAULT 0;
ALTER TABLE "refunds" ADD COLUMN "balance_transaction" character varying NULL,
	ADD COLUMN "parts" jsonb NULL;

CREATE TABLE "ledger_accounts" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"code" character varying NOT NULL,
	"currency" character varying NOT NULL,
	"tax_rate_id" uuid NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "ledger_accounts_code_key" UNIQUE ("business_id", "code", "currency"),
	CONSTRAINT "ledger_accounts_currency_key" UNIQUE ("business_id", "currency", "id"),
	CONSTRAINT "ledger_accounts_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "ledger_accounts_tax_rate_fkey" FOREIGN KEY ("business_id", "tax_rate_id") REFERENCES "tax_rates" ("business_id", "id"),
	CONSTRAINT "ledger_accounts_tax" CHECK ((code like 'tax:%') = (tax_rate_id is not null) and (tax_rate_id is null or code = 'tax:' || tax_rate_id))
);

CREATE TABLE "ledger_closings" (
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"closed_through" date NOT NULL,
	"due_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "location_id"),
	CONSTRAINT "ledger_closings_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id")
);
CREATE INDEX "ledger_closings_due" ON "ledger_closings" ("due_at");

CREATE TABLE "ledger_entries" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"source_kind" character varying NOT NULL,
	"source_id" character varying NOT NULL,
	"event" character varying NOT NULL,
	"currency" character varying NOT NULL,
	"occurred_at" timestamptz NOT NULL,
	"local_date" date NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "ledger_entries_source_key" UNIQUE ("business_id", "source_kind", "source_id", "event"),
	CONSTRAINT "ledger_entries_posted_key" UNIQUE ("business_id", "currency", "local_date", "id"),
	CONSTRAINT "ledger_entries_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "ledger_entries_size" CHECK (size >= 2)
);

CREATE TABLE "ledger_postings" (
	"business_id" uuid NOT NULL,
	"entry_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"account_id" uuid NOT NULL,
	"currency" character varying NOT NULL,
	"local_date" date NOT NULL,
	"amount" bigint NOT NULL,
	PRIMARY KEY ("business_id", "entry_id", "seq"),
	CONSTRAINT "ledger_postings_entry_fkey" FOREIGN KEY ("business_id", "currency", "local_date", "entry_id") REFERENCES "ledger_entries" ("business_id", "currency", "local_date", "id"),
	CONSTRAINT "ledger_postings_account_fkey" FOREIGN KEY ("business_id", "currency", "account_id") REFERENCES "ledger_accounts" ("business_id", "currency", "id"),
	CONSTRAINT "ledger_postings_amount" CHECK (amount <> 0)
);
CREATE INDEX "ledger_postings_of_account" ON "ledger_postings" ("business_id", "account_id", "local_date");

CREATE TABLE "ledger_snapshots" (
	"business_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"date" date NOT NULL,
	"balance" bigint NOT NULL,
	PRIMARY KEY ("business_id", "account_id", "date"),
	CONSTRAINT "ledger_snapshots_account_fkey" FOREIGN KEY ("business_id", "account_id") REFERENCES "ledger_accounts" ("business_id", "id")
);
CALL app.tenant_table('ledger_accounts');
CALL app.append_only('ledger_accounts');
CALL app.tenant_table('ledger_closings');
CALL app.lookup('ledger_closings', 'business_id, location_id, due_at');
CALL app.tenant_table('ledger_entries');
CALL app.append_only('ledger_entries');
CALL app.tenant_table('ledger_postings');
CALL app.append_only('ledger_postings');
CALL app.tenant_table('ledger_snapshots');
CALL app.append_only('ledger_snapshots');
DROP TRIGGER audit ON "refunds";
CALL app.audited('refunds', 'due_at', 'parts', 'balance_transaction');

-- An entry has the postings it says, and they add up to nothing: when it is written, and whenever one more comes.
-- +goose StatementBegin
create function app.ledger_entries_balanced() returns trigger
language plpgsql
as $$
declare
	wrong record;
begin
	select e.id, count(p.entry_id) as postings, coalesce(sum(p.amount), 0) as total into wrong
	from fresh e left join ledger_postings p on p.business_id = e.business_id and p.entry_id = e.id
	group by e.id, e.size having count(p.entry_id) <> e.size or coalesce(sum(p.amount), 0) <> 0 limit 1;
	if found then
		raise exception 'ledger entry % has % postings that add up to %', wrong.id, wrong.postings, wrong.total
			using errcode = '23514', constraint = 'ledger_entries_balanced';
	end if;
	return null;
end
$$;
create function app.ledger_postings_balanced() returns trigger
language plpgsql
as $$
declare
	wrong record;
begin
	select e.id, count(*) as postings, sum(p.amount) as total into wrong
	from (select distinct business_id, entry_id from fresh) f
	join ledger_entries e on e.business_id = f.business_id and e.id = f.entry_id
	join ledger_postings p on p.business_id = f.business_id and p.entry_id = f.entry_id
	group by e.id, e.size having count(*) <> e.size or sum(p.amount) <> 0 limit 1;
	if found then
		raise exception 'ledger entry % has % postings that add up to %', wrong.id, wrong.postings, wrong.total
			using errcode = '23514', constraint = 'ledger_postings_balanced';
	end if;
	return null;
end
$$;
-- What is in the books stays, whoever asks.
create function app.in_the_books() returns trigger
language plpgsql
as $$
begin
	raise exception '% is never changed: write an entry that takes the other back', tg_table_name
		using errcode = '23514', constraint = 'in_the_books';
end
$$;
-- +goose StatementEnd
create trigger balanced after insert on ledger_entries referencing new table as fresh
	for each statement execute function app.ledger_entries_balanced();
create trigger balanced after insert on ledger_postings referencing new table as fresh
	for each statement execute function app.ledger_postings_balanced();
create trigger in_the_books before update or delete or truncate on ledger_entries
	for each statement execute function app.in_the_books();
create trigger in_the_books before update or delete or truncate on ledger_postings
	for each statement execute function app.in_the_books();

-- due_closings: the locations where a day can be closed.
-- +goose StatementBegin
create function app.due_closings(at timestamptz, most integer) returns table (business_id uuid, location_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, location_id from ledger_closings where due_at <= at order by due_at limit most $$;
-- +goose StatementEnd
call app.lookup_function('app.due_closings(timestamptz, integer)');

-- What was paid and given back before there were books is looked at once more by the sweeps, which write it into them.
alter table payments no force row level security;
update payments set due_at = now() where status = 'succeeded';
alter table payments force row level security;
alter table refunds no force row level security;
update refunds set due_at = now() where state = 'succeeded';
alter table refunds force row level security;
