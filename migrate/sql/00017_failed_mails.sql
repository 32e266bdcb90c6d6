-- A mail that was lost leaves a row for the studio (app/notice).

-- +goose Up
CREATE TABLE "failed_mails" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"job" bigint NOT NULL,
	"kind" character varying NOT NULL,
	"what" character varying NOT NULL DEFAULT '',
	"late" boolean NOT NULL,
	"customer_id" uuid NULL,
	"member_id" uuid NULL,
	"booking_id" uuid NULL,
	"occurrence_id" uuid NULL,
	"location_id" uuid NULL,
	"dismissed_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "failed_mails_one" UNIQUE ("business_id", "job"),
	CONSTRAINT "failed_mails_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"),
	CONSTRAINT "failed_mails_member_fkey" FOREIGN KEY ("business_id", "member_id") REFERENCES "members" ("business_id", "id"),
	CONSTRAINT "failed_mails_booking_fkey" FOREIGN KEY ("business_id", "booking_id") REFERENCES "bookings" ("business_id", "id") ON DELETE CASCADE,
	CONSTRAINT "failed_mails_occurrence_fkey" FOREIGN KEY ("business_id", "occurrence_id") REFERENCES "occurrences" ("business_id", "id") ON DELETE CASCADE,
	CONSTRAINT "failed_mails_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id")
);
CREATE INDEX "failed_mails_by_age" ON "failed_mails" ("business_id", "created_at");
CREATE INDEX "failed_mails_of_booking" ON "failed_mails" ("business_id", "booking_id");
CREATE INDEX "failed_mails_of_occurrence" ON "failed_mails" ("business_id", "occurrence_id");
CALL app.tenant_table('failed_mails');
CALL app.audited('failed_mails');

-- due_failed_mails: the businesses, by keyset, that have some from before a time.
CALL app.lookup('failed_mails', 'business_id, created_at');
-- +goose StatementBegin
create function app.due_failed_mails(before timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from businesses b
	where (key is null or b.business_id > key)
		and exists (select from failed_mails m where m.business_id = b.business_id and m.created_at < before)
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.due_failed_mails(timestamptz, uuid, integer)');
