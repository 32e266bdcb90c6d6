-- The words of an agreement in further languages, and which of them somebody was shown (app/agreement).

-- +goose Up
ALTER TABLE "agreement_copies" ADD COLUMN "language" character varying NOT NULL DEFAULT '', ADD COLUMN "translations" jsonb NOT NULL DEFAULT '[]',
	ADD CONSTRAINT "agreement_copies_translations" CHECK (jsonb_typeof(translations) = 'array' and (kind = 'text' or translations = '[]'));
ALTER TABLE "agreement_acceptances" ADD COLUMN "language" character varying NOT NULL DEFAULT '';
