-- What of the platform fee goes back to a studio for refunds that it made on the processor's own site, from now on.

-- +goose Up
ALTER TABLE "refunds" ADD COLUMN "fee_later_amount" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "fee_return" character varying NULL;
CREATE INDEX "refunds_fee_asked" ON "refunds" ("business_id", "id") WHERE fee_return = 'asked';
DROP TRIGGER audit ON "refunds";
CALL app.audited('refunds', 'due_at', 'parts', 'balance_transaction', 'fee_return');
