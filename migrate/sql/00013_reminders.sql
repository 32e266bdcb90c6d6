-- Customers are reminded of what they have booked, as often as the location wishes (app/notice).

-- +goose Up
ALTER TABLE "locations"
	ADD COLUMN "reminders" jsonb NOT NULL DEFAULT '[1440, 120]',
	ADD CONSTRAINT "locations_reminders" CHECK (jsonb_typeof(reminders) = 'array' and jsonb_array_length(reminders) <= 4);

CREATE TABLE "booking_reminders" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"occurrence_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"starts_at" timestamptz NOT NULL,
	"minutes" integer NOT NULL,
	"mailed_at" timestamptz NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "booking_reminders_one" UNIQUE ("business_id", "occurrence_id", "customer_id", "starts_at", "minutes"),
	CONSTRAINT "booking_reminders_occurrence_fkey" FOREIGN KEY ("business_id", "occurrence_id") REFERENCES "occurrences" ("business_id", "id") ON DELETE CASCADE,
	CONSTRAINT "booking_reminders_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"),
	CONSTRAINT "booking_reminders_minutes" CHECK (minutes between 15 and 20160)
);
CREATE INDEX "booking_reminders_by_start" ON "booking_reminders" ("business_id", "starts_at");
CALL app.tenant_table('booking_reminders');

GRANT SELECT (occurrence_id, confirmed_at) ON "bookings" TO foyer_lookup;
GRANT SELECT (reminders) ON "locations" TO foyer_lookup;
CALL app.lookup('occurrences', 'id, business_id, location_id, starts_at, state, taken');
CALL app.lookup('booking_reminders', 'business_id, occurrence_id, customer_id, starts_at, minutes');

-- due_reminders: the businesses, by keyset, that have somebody to remind, or reminders from before a time. A reminder is due its
-- minutes before the start, and not later than late after that; whoever booked later gets none, and whoever got one that was due
-- later needs no other. app/notice/remind_store.go asks the same of one business.
-- +goose StatementBegin
create function app.due_reminders(at timestamptz, late interval, before timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from businesses b
	where (key is null or b.business_id > key) and (
		exists (select from locations l
			cross join lateral (select make_interval(mins => x::integer) as lead, x::integer as minutes from jsonb_array_elements_text(l.reminders) x) m
			join occurrences o on o.business_id = l.business_id and o.location_id = l.id and o.state = 'scheduled' and o.taken > 0
				and o.starts_at > at and o.starts_at > at - late + m.lead and o.starts_at <= at + m.lead
			join bookings k on k.business_id = o.business_id and k.occurrence_id = o.id and k.state = 'confirmed'
				and k.confirmed_at <= o.starts_at - m.lead
			where l.business_id = b.business_id and not exists (select from booking_reminders r
				where r.business_id = o.business_id and r.occurrence_id = o.id and r.customer_id = k.customer_id
					and r.starts_at = o.starts_at and r.minutes <= m.minutes))
		or exists (select from booking_reminders r where r.business_id = b.business_id and r.starts_at < before))
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.due_reminders(timestamptz, interval, timestamptz, uuid, integer)');
