-- What was paid at the studio is a tender of its order, and what went back of it a refund, like one of a card payment. Both keep their
-- ids, so that the sources of the books stay true. Rows are copied: some minutes with millions of them. A program of before cannot run
-- beside this one: stop it first.

-- +goose Up
CALL app.wall(false);
CREATE TABLE "order_tenders" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"drawer_id" uuid NULL,
	"kind" character varying NOT NULL,
	"state" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"currency" character varying NOT NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "order_tenders_order_fkey" FOREIGN KEY ("business_id", "order_id") REFERENCES "orders" ("business_id", "id"),
	CONSTRAINT "order_tenders_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "order_tenders_drawer_fkey" FOREIGN KEY ("business_id", "drawer_id") REFERENCES "drawers" ("business_id", "id"),
	CONSTRAINT "order_tenders_amount" CHECK (amount > 0),
	CONSTRAINT "order_tenders_drawer" CHECK (kind = 'cash' or drawer_id is null),
	CONSTRAINT "order_tenders_kind" CHECK (kind in ('cash', 'other', 'account_credit')),
	CONSTRAINT "order_tenders_state" CHECK (state in ('captured', 'void'))
);
CREATE INDEX "order_tenders_of_order" ON "order_tenders" ("business_id", "order_id");
CREATE INDEX "order_tenders_by_age" ON "order_tenders" ("business_id", "created_at", "id");
CREATE INDEX "order_tenders_of_drawer" ON "order_tenders" ("business_id", "drawer_id") WHERE drawer_id is not null;
CREATE TABLE "tender_parts" (
	"business_id" uuid NOT NULL,
	"tender_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"line_id" uuid NOT NULL,
	"account" character varying NOT NULL,
	"amount" bigint NOT NULL,
	PRIMARY KEY ("business_id", "tender_id", "seq"),
	CONSTRAINT "tender_parts_tender_fkey" FOREIGN KEY ("business_id", "tender_id") REFERENCES "order_tenders" ("business_id", "id"),
	CONSTRAINT "tender_parts_line_fkey" FOREIGN KEY ("business_id", "line_id") REFERENCES "order_lines" ("business_id", "id"),
	CONSTRAINT "tender_parts_amount" CHECK (amount > 0)
);
CREATE INDEX "tender_parts_of_line" ON "tender_parts" ("business_id", "line_id");
INSERT INTO order_tenders (id, business_id, location_id, order_id, drawer_id, kind, state, amount, currency, note, actor_kind, actor_id,
		actor_name, created_at)
	SELECT m.id, m.business_id, m.location_id, m.order_id, m.drawer_id,
		case m.method when 'elsewhere' then 'other' when 'credit' then 'account_credit' else m.method end,
		case when exists (select from manual_payments v where v.business_id = m.business_id and v.of_id = m.id and v.kind = 'void')
			then 'void' else 'captured' end,
		m.amount, m.currency, m.note, m.actor_kind, m.actor_id, m.actor_name, m.created_at
	FROM manual_payments m WHERE m.kind = 'received';
INSERT INTO tender_parts (business_id, tender_id, seq, line_id, account, amount)
	SELECT a.business_id, a.manual_payment_id, a.seq, a.line_id, a.account, a.amount
	FROM manual_payment_parts a
	JOIN manual_payments m ON m.business_id = a.business_id and m.id = a.manual_payment_id and m.kind = 'received';

ALTER TABLE "refunds" DISABLE TRIGGER USER, -- the log of changes tells what people do
	DROP CONSTRAINT "refunds_credit",
	ALTER COLUMN "payment_id" DROP NOT NULL,
	ADD COLUMN "tender_id" uuid NULL,
	ADD COLUMN "kind" character varying NOT NULL DEFAULT 'refund',
	ADD COLUMN "drawer_id" uuid NULL,
	ADD COLUMN "actor_kind" character varying NOT NULL DEFAULT '',
	ADD COLUMN "actor_id" uuid NULL,
	ADD COLUMN "actor_name" character varying NOT NULL DEFAULT '';
UPDATE refunds SET destination = 'account_credit' WHERE destination = 'credit';
INSERT INTO refunds (id, business_id, tender_id, kind, amount, fee_amount, state, reason, note, destination, parts, drawer_id, actor_kind,
		actor_id, actor_name, created_at, updated_at)
	SELECT g.id, g.business_id, g.of_id, case g.kind when 'void' then 'void' else 'refund' end, g.amount, 0, 'succeeded',
		case g.kind when 'void' then 'void' else 'requested' end, g.note,
		case when g.method = 'credit' and m.method <> 'credit' then 'account_credit' else 'original' end, p.parts, g.drawer_id, g.actor_kind,
		g.actor_id, g.actor_name, g.created_at, g.created_at
	FROM manual_payments g
	JOIN manual_payments m ON m.business_id = g.business_id and m.id = g.of_id
	CROSS JOIN LATERAL (select jsonb_agg(jsonb_build_object('line', a.line_id, 'account', a.account, 'amount', a.amount) order by a.seq) as parts
		from manual_payment_parts a where a.business_id = g.business_id and a.manual_payment_id = g.id) p;
ALTER TABLE "refunds" ENABLE TRIGGER USER,
	ADD CONSTRAINT "refunds_actor" CHECK (tender_id is not null or actor_kind = '' and drawer_id is null),
	ADD CONSTRAINT "refunds_at_once" CHECK (destination = 'original' and tender_id is null or state = 'succeeded' and fee_amount = 0 and num_nonnulls(external_id, balance_transaction, due_at) = 0),
	ADD CONSTRAINT "refunds_destination" CHECK (destination in ('original', 'account_credit')),
	ADD CONSTRAINT "refunds_kind" CHECK (kind = 'refund' or kind = 'void' and tender_id is not null and destination = 'original'),
	ADD CONSTRAINT "refunds_of" CHECK (num_nonnulls(payment_id, tender_id) = 1),
	ADD CONSTRAINT "refunds_drawer_fkey" FOREIGN KEY ("business_id", "drawer_id") REFERENCES "drawers" ("business_id", "id"),
	ADD CONSTRAINT "refunds_tender_fkey" FOREIGN KEY ("business_id", "tender_id") REFERENCES "order_tenders" ("business_id", "id");
CREATE INDEX "refunds_of_drawer" ON "refunds" ("business_id", "drawer_id") WHERE drawer_id is not null;
CREATE INDEX "refunds_of_tender" ON "refunds" ("business_id", "tender_id") WHERE tender_id is not null;
CREATE UNIQUE INDEX "refunds_one_void" ON "refunds" ("business_id", "tender_id") WHERE kind = 'void';

ALTER TABLE "credit_transactions" DISABLE TRIGGER USER, -- they are only ever added
	DROP CONSTRAINT "credit_transactions_kind",
	DROP CONSTRAINT "credit_transactions_manual_payment_fkey",
	ADD COLUMN "tender_id" uuid NULL;
UPDATE credit_transactions SET tender_id = case kind when 'spent' then manual_payment_id end,
	refund_id = case kind when 'refunded' then coalesce(refund_id, manual_payment_id) end
	WHERE manual_payment_id is not null;
ALTER TABLE "credit_transactions" ENABLE TRIGGER USER,
	DROP COLUMN "manual_payment_id",
	ADD CONSTRAINT "credit_transactions_kind" CHECK (case kind when 'granted' then amount > 0 and num_nonnulls(tender_id, refund_id) = 0 when 'removed' then amount < 0 and num_nonnulls(tender_id, refund_id) = 0 when 'spent' then amount < 0 and tender_id is not null and refund_id is null when 'refunded' then amount > 0 and tender_id is null and refund_id is not null else false end),
	ADD CONSTRAINT "credit_transactions_tender_key" UNIQUE ("business_id", "tender_id"),
	ADD CONSTRAINT "credit_transactions_tender_fkey" FOREIGN KEY ("business_id", "tender_id") REFERENCES "order_tenders" ("business_id", "id");
CALL app.wall(true);
CALL app.tenant_table('order_tenders');
CALL app.lookup('order_tenders', 'id, business_id, order_id, state, created_at');
CALL app.audited('order_tenders', 'state');
CALL app.tenant_table('tender_parts');
CALL app.append_only('tender_parts');

-- payments_of: what a person has paid, or has authorized on their card, across businesses, newest first, by keyset; voided payments are
-- left out.
-- +goose StatementBegin
create or replace function app.payments_of(person uuid, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select o.business_id, x.id, x.created_at
	from customers c join orders o on o.business_id = c.business_id and o.customer_id = c.id
	cross join lateral (
		select p.id, p.created_at from payments p where p.business_id = o.business_id and p.order_id = o.id and p.outcome <> ''
		union all
		select t.id, t.created_at from order_tenders t where t.business_id = o.business_id and t.order_id = o.id and t.state <> 'void'
	) x
	where c.person_id = person and (key_at is null or (x.created_at, x.id) < (key_at, key_id))
	order by x.created_at desc, x.id desc limit most
$$;
-- +goose StatementEnd
DROP TABLE "manual_payment_parts";
DROP TABLE "manual_payments";
