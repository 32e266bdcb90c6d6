-- Somebody of the team keeps the lists of the console that they look at again and again, each under a name of theirs.

-- +goose Up
CREATE TABLE "saved_views" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"screen" character varying NOT NULL,
	"name" character varying NOT NULL,
	"query" character varying NOT NULL,
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "saved_views_name_key" UNIQUE ("business_id", "person_id", "screen", "name"),
	CONSTRAINT "saved_views_business_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses" ("business_id"),
	CONSTRAINT "saved_views_person_fkey" FOREIGN KEY ("person_id") REFERENCES "persons" ("id"),
	CONSTRAINT "saved_views_screen" CHECK (screen in ('bookings', 'calendar', 'catalog', 'customers')),
	CONSTRAINT "saved_views_size" CHECK (char_length(name) between 1 and 40 and char_length(query) <= 1000)
);
CALL app.tenant_table('saved_views');
