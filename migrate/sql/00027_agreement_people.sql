-- Who has agreed to a document, the last first (app/agreement).

-- +goose Up
CREATE INDEX "agreement_acceptances_of_document" ON "agreement_acceptances" ("business_id", "document_id", "created_at", "id");
