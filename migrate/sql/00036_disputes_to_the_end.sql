-- Disputes to their end: what studios answer, and what their owners are told. What is wrong with an account, as its owners know it.

-- +goose Up
ALTER TABLE "processor_accounts" ADD COLUMN "due_by" timestamptz NULL,
	ADD COLUMN "told" character varying NOT NULL DEFAULT '';
ALTER TABLE "disputes" ADD COLUMN "remind_at" timestamptz NULL;
CREATE INDEX "disputes_remind" ON "disputes" ("remind_at") WHERE remind_at is not null;

CREATE TABLE "dispute_answers" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"dispute_id" uuid NOT NULL,
	"words" jsonb NOT NULL,
	"handed_in_at" timestamptz NULL,
	"taken_at" timestamptz NULL,
	"refused" character varying NOT NULL DEFAULT '',
	"version" bigint NOT NULL DEFAULT 1,
	"created_at" timestamptz NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "dispute_answers_one" UNIQUE ("business_id", "dispute_id"),
	CONSTRAINT "dispute_answers_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "dispute_answers_dispute_fkey" FOREIGN KEY ("business_id", "dispute_id") REFERENCES "disputes" ("business_id", "id"),
	CONSTRAINT "dispute_answers_taken" CHECK (taken_at is null or handed_in_at is not null)
);
CALL app.lookup('disputes', 'id, business_id, remind_at');
CALL app.tenant_table('dispute_answers');
CALL app.audited('dispute_answers');
DROP TRIGGER audit ON "processor_accounts";
CALL app.audited('processor_accounts', 'told');

-- due_disputes: disputes whose owners are to be reminded of their deadline, whichever business they are of.
-- +goose StatementBegin
create function app.due_disputes(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from disputes where remind_at <= at order by remind_at limit most $$;
-- +goose StatementEnd
call app.lookup_function('app.due_disputes(timestamptz, integer)');
