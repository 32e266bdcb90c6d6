-- Where the studio added a customer, and which person did: who works at that location sees the record before its first booking
-- (app/crm/reach.go). Records of before have neither: their columns stay null, and no row is written.

-- +goose Up
ALTER TABLE "customers"
	ADD COLUMN "location_id" uuid NULL,
	ADD COLUMN "added_by" uuid NULL,
	ADD CONSTRAINT "customers_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	ADD CONSTRAINT "customers_added_by_fkey" FOREIGN KEY ("added_by") REFERENCES "persons" ("id");

-- Who wrote a record is in the audit log already.
DROP TRIGGER audit ON "customers";
CALL app.audited('customers', 'entered', 'name_key', 'phone_key', 'added_by');
