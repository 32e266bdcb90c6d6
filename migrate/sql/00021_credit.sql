-- What customers have with a business and can pay with (credits), refunds that go there, and a person's payments in all businesses.

-- +goose Up
ALTER TABLE "takings" DROP CONSTRAINT "takings_method",
	ADD CONSTRAINT "takings_method" CHECK (method in ('cash', 'elsewhere', 'credit'));
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_credit" CHECK (destination = 'original' or destination = 'credit' and state = 'succeeded' and fee_amount = 0 and num_nonnulls(external_id, balance_transaction, due_at) = 0),
	ADD COLUMN "destination" character varying NOT NULL DEFAULT 'original';

CREATE TABLE "credit_moves" (
	"id" uuid NOT NULL,
	"business_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"currency" character varying NOT NULL,
	"kind" character varying NOT NULL,
	"amount" bigint NOT NULL,
	"balance" bigint NOT NULL,
	"taking_id" uuid NULL,
	"refund_id" uuid NULL,
	"note" character varying NOT NULL DEFAULT '',
	"actor_kind" character varying NOT NULL,
	"actor_id" uuid NULL,
	"actor_name" character varying NOT NULL DEFAULT '',
	"created_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "id"),
	CONSTRAINT "credit_moves_taking_key" UNIQUE ("business_id", "taking_id"),
	CONSTRAINT "credit_moves_refund_key" UNIQUE ("business_id", "refund_id"),
	CONSTRAINT "credit_moves_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"),
	CONSTRAINT "credit_moves_location_fkey" FOREIGN KEY ("business_id", "location_id") REFERENCES "locations" ("business_id", "id"),
	CONSTRAINT "credit_moves_taking_fkey" FOREIGN KEY ("business_id", "taking_id") REFERENCES "takings" ("business_id", "id"),
	CONSTRAINT "credit_moves_refund_fkey" FOREIGN KEY ("business_id", "refund_id") REFERENCES "refunds" ("business_id", "id"),
	CONSTRAINT "credit_moves_balance" CHECK (balance >= 0),
	CONSTRAINT "credit_moves_kind" CHECK (case kind when 'granted' then amount > 0 and num_nonnulls(taking_id, refund_id) = 0 when 'removed' then amount < 0 and num_nonnulls(taking_id, refund_id) = 0 when 'spent' then amount < 0 and taking_id is not null and refund_id is null when 'returned' then amount > 0 and num_nonnulls(taking_id, refund_id) = 1 else false end)
);
CREATE INDEX "credit_moves_of_customer" ON "credit_moves" ("business_id", "customer_id", "created_at", "id");

CREATE TABLE "credits" (
	"business_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"currency" character varying NOT NULL,
	"balance" bigint NOT NULL,
	"updated_at" timestamptz NOT NULL,
	PRIMARY KEY ("business_id", "customer_id", "currency"),
	CONSTRAINT "credits_customer_fkey" FOREIGN KEY ("business_id", "customer_id") REFERENCES "customers" ("business_id", "id"),
	CONSTRAINT "credits_balance" CHECK (balance >= 0)
);
CALL app.tenant_table('credits');
CALL app.lookup('credits', 'business_id, customer_id, balance');
CALL app.tenant_table('credit_moves');
CALL app.append_only('credit_moves');
CALL app.audited('credit_moves');
GRANT SELECT (order_id, status, created_at) ON "payments" TO foyer_lookup;
GRANT SELECT (customer_id) ON "orders" TO foyer_lookup;
CALL app.lookup('takings', 'id, business_id, order_id, of_id, kind, created_at');

-- payments_of: what a person has paid across businesses, newest first, by keyset; what was taken by mistake is none of it.
-- +goose StatementBegin
create function app.payments_of(person uuid, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select o.business_id, x.id, x.created_at
	from customers c join orders o on o.business_id = c.business_id and o.customer_id = c.id
	cross join lateral (
		select p.id, p.created_at from payments p where p.business_id = o.business_id and p.order_id = o.id and p.status = 'succeeded'
		union all
		select t.id, t.created_at from takings t where t.business_id = o.business_id and t.order_id = o.id and t.kind = 'taken'
			and not exists (select from takings v where v.business_id = o.business_id and v.of_id = t.id and v.kind = 'void')
	) x
	where c.person_id = person and (key_at is null or (x.created_at, x.id) < (key_at, key_id))
	order by x.created_at desc, x.id desc limit most
$$;
-- +goose StatementEnd
-- credits_of: where a person has credit.
-- +goose StatementBegin
create function app.credits_of(person uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select distinct k.business_id from customers c join credits k on k.business_id = c.business_id and k.customer_id = c.id
	where c.person_id = person and k.balance > 0 order by k.business_id limit 100
$$;
-- +goose StatementEnd
call app.lookup_function('app.payments_of(uuid, timestamptz, uuid, integer)');
call app.lookup_function('app.credits_of(uuid)');
