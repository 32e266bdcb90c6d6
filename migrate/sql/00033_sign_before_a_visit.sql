-- Agreements: a customer agrees outside of a cart too, for what they have booked: to a document of every booking for one booking, to one that
-- is asked once for none.

-- +goose Up
ALTER TABLE "agreement_acceptances" DROP CONSTRAINT "agreement_acceptances_source",
	ADD CONSTRAINT "agreement_acceptances_source" CHECK (case source when 'checkout' then (cart_id is null or booking_id is null) and person_id is not null and shown is not null and shown in ('checkbox', 'full') when 'staff' then cart_id is null and shown is null else false end);
DROP INDEX "agreement_acceptances_paper_key";
CREATE UNIQUE INDEX "agreement_acceptances_paper_key" ON "agreement_acceptances" ("business_id", "customer_id", "document_id", "round") WHERE cart_id is null and booking_id is null;
