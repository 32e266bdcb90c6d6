-- +goose Up
ALTER TABLE "challenges" ADD COLUMN "language" character varying NOT NULL DEFAULT '';
ALTER TABLE "locations" ADD CONSTRAINT "locations_language" CHECK (language ~ '^[a-z]{2}$'),
	ADD COLUMN "language" character varying NOT NULL DEFAULT 'en',
	ADD COLUMN "other_languages" boolean NOT NULL DEFAULT true;
ALTER TABLE "persons" ALTER COLUMN "locale" SET DEFAULT '';
