-- Agreements: the words in Markdown as HTML, which are rendered once, when they are written. Null: of copies from before, which are rendered and
-- kept when they are first shown, and of other words. Nothing else of a copy can be written again.

-- +goose Up
ALTER TABLE "agreement_copies" ADD CONSTRAINT "agreement_copies_html" CHECK (html is null or format = 'markdown' and jsonb_typeof(html) = 'object'), ADD COLUMN "html" jsonb NULL;
GRANT UPDATE (html) ON "agreement_copies" TO foyer_app;
