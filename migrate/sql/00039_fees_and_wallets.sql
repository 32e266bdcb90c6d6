-- What of the platform fee goes back to a studio for refunds that it made on the processor's own site, from now on.

-- +goose Up
ALTER TABLE "refunds" ADD COLUMN "fee_later_amount" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "fee_return" character varying NULL;
CREATE INDEX "refunds_fee_asked" ON "refunds" ("business_id", "id") WHERE fee_return = 'asked';
DROP TRIGGER audit ON "refunds";
CALL app.audited('refunds', 'due_at', 'parts', 'balance_transaction', 'fee_return');

-- With which wallet a card was paid.
ALTER TABLE "payments" ADD COLUMN "card_wallet" character varying NOT NULL DEFAULT '';

-- For which domain wallets were asked for on an account, and why they do not work there; empty: they do, or nobody has asked.
ALTER TABLE "processor_accounts" ADD COLUMN "wallet_domain" character varying NOT NULL DEFAULT '',
	ADD COLUMN "wallet_trouble" character varying NOT NULL DEFAULT '';
DROP TRIGGER audit ON "processor_accounts";
CALL app.audited('processor_accounts', 'told', 'wallet_domain', 'wallet_trouble');
