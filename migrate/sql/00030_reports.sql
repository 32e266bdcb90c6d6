-- The books say what a tax was reckoned on, for the tax report. What was booked before says 0.

-- +goose Up
ALTER TABLE "ledger_postings" ADD COLUMN "base" bigint NOT NULL DEFAULT 0;
