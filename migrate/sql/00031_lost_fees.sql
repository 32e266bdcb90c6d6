-- What of the platform fee goes back to a studio that lost a dispute. Disputes that were lost before get it when they are next read.

-- +goose Up
ALTER TABLE "disputes" ADD COLUMN "fee_amount" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "fee_return" character varying NULL;
