-- Agreements: whom somebody agreed for, who comes with them by name. Null: nobody said, as in all acceptances of before.

-- +goose Up
DROP INDEX "agreement_acceptances_booking_key";
DROP INDEX "agreement_acceptances_cart_key";
DROP INDEX "agreement_acceptances_paper_key";
ALTER TABLE "agreement_acceptances" ADD COLUMN "attendee" character varying NULL;
CREATE UNIQUE INDEX "agreement_acceptances_booking_key" ON "agreement_acceptances" ("business_id", "booking_id", "document_id", (COALESCE(attendee, ' '::character varying))) WHERE (booking_id IS NOT NULL);
CREATE UNIQUE INDEX "agreement_acceptances_cart_key" ON "agreement_acceptances" ("business_id", "cart_id", "customer_id", "copy_id", "round", (COALESCE(attendee, ' '::character varying))) WHERE (cart_id IS NOT NULL);
CREATE UNIQUE INDEX "agreement_acceptances_paper_key" ON "agreement_acceptances" ("business_id", "customer_id", "document_id", "round", (COALESCE(attendee, ' '::character varying))) WHERE ((cart_id IS NULL) AND (booking_id IS NULL));
