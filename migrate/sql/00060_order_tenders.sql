-- What was agreed with an order, to be paid by card or with account credit, is a tender of it, too, with its parts; the columns of orders
-- and their lines that had its amounts go. Parts are computed as package order does. Programs of before read those columns: stop them
-- first. Some minutes with millions of orders.

-- +goose Up
CALL app.wall(false);
ALTER TABLE "order_tenders" DISABLE TRIGGER USER,
	DROP CONSTRAINT "order_tenders_kind",
	DROP CONSTRAINT "order_tenders_state",
	ALTER COLUMN "actor_kind" SET DEFAULT '',
	ADD COLUMN "position" integer NOT NULL DEFAULT 0,
	ADD COLUMN "service_fee_amount" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "expires_at" timestamptz NULL,
	ADD COLUMN "captured_at" timestamptz NULL;
ALTER TABLE "tender_parts" DISABLE TRIGGER USER,
	ALTER COLUMN "line_id" DROP NOT NULL;
UPDATE order_tenders SET captured_at = created_at;

-- Account credit that was agreed with an order and is spent: its tender is there, of the moment in which the order was fulfilled.
UPDATE order_tenders t SET position = 1
	FROM orders o
	WHERE o.business_id = t.business_id and o.id = t.order_id and o.state = 'fulfilled' and o.cart_id is not null and o.credit_amount > 0
		and t.id = (select k.id from order_tenders k where k.business_id = o.business_id and k.order_id = o.id
			and k.kind = 'account_credit' and k.amount = o.credit_amount order by k.created_at, k.id limit 1);
-- Credit that is reserved, or was given up with its order; and cards.
INSERT INTO order_tenders (id, business_id, location_id, order_id, position, kind, state, amount, currency, expires_at, created_at)
	SELECT gen_random_uuid(), o.business_id, o.location_id, o.id, 1, 'account_credit',
		case o.state when 'open' then 'authorized' else 'void' end, o.credit_amount, o.currency, o.credit_until, o.created_at
	FROM orders o WHERE o.credit_amount > 0 and o.state <> 'fulfilled';
INSERT INTO order_tenders (id, business_id, location_id, order_id, position, kind, state, amount, service_fee_amount, currency, captured_at,
		created_at)
	SELECT gen_random_uuid(), o.business_id, o.location_id, o.id, case when o.credit_amount > 0 then 2 else 1 end, 'card',
		case o.state when 'open' then 'open' when 'fulfilled' then 'captured' else 'void' end,
		o.total_amount - o.due_amount - o.credit_amount, o.service_fee_amount, o.currency,
		case o.state when 'fulfilled' then o.fulfilled_at end, o.created_at
	FROM orders o WHERE o.total_amount > o.due_amount + o.credit_amount;

-- alloc is money.Alloc: the whole total, in proportion to the weights, the units left over to the largest remainders.
-- +goose StatementBegin
create function pg_temp.alloc(total bigint, weights bigint[]) returns bigint[]
language sql immutable
as $$
	select array_agg(case when s.all_of_them = 0 then case a.i when 1 then total else 0 end
			else a.q + case when a.rank <= a.units then 1 else 0 end end::bigint order by a.i)
	from (select coalesce(sum(w), 0) as all_of_them from unnest(weights) w) s
	cross join lateral (
		select x.i, x.q, row_number() over (order by x.r desc, x.i) as rank, total - sum(x.q) over () as units
		from (
			select u.i, div(total::numeric * u.w, greatest(s.all_of_them, 1)) as q, mod(total::numeric * u.w, greatest(s.all_of_them, 1)) as r
			from unnest(weights) with ordinality as u (w, i)
		) x
	) a
$$;
-- +goose StatementEnd

-- sold are the parts of orders with such a tender: of each line its income and its tax, then the service fee and its tax.
CREATE TEMPORARY TABLE sold ON COMMIT DROP AS
	SELECT o.business_id, o.id as order_id, x.id as line_id, 2 * x.position + p.n as seq, p.account, p.amount
	FROM orders o
	JOIN order_lines x ON x.business_id = o.business_id and x.order_id = o.id
	CROSS JOIN LATERAL (values
		(0, x.income_account, x.listed_amount - x.discount_amount - case o.tax_mode when 'inclusive' then x.tax_amount else 0 end),
		(1, 'tax:' || x.tax_rate_id, x.tax_amount)) p (n, account, amount)
	WHERE p.account is not null and p.amount <> 0 and o.total_amount > o.due_amount;
INSERT INTO sold
	SELECT o.business_id, o.id, null::uuid, 1000000 + p.n, p.account, p.amount
	FROM orders o
	CROSS JOIN LATERAL (select o.tax_amount - coalesce(sum(x.tax_amount), 0)::bigint as amount from order_lines x
		where x.business_id = o.business_id and x.order_id = o.id and x.tax_rate_id is not null) tax
	CROSS JOIN LATERAL (
		select 0 as n, 'income.booking_fee' as account, o.service_fee_amount - case o.tax_mode when 'inclusive' then tax.amount else 0 end as amount
		union all
		select rates.n::integer, 'tax:' || rates.id, shares.amount
		from (select row_number() over (order by min(x.position)) as n, x.tax_rate_id as id,
				sum((x.listed_amount - x.discount_amount) * x.tax_ppm)::bigint as weight
			from order_lines x where x.business_id = o.business_id and x.order_id = o.id and x.tax_rate_id is not null
			group by x.tax_rate_id) rates
		join lateral (select u.amount from unnest(pg_temp.alloc(tax.amount, (
				select array_agg(r.weight order by r.n) from (
					select min(x.position) as n, sum((x.listed_amount - x.discount_amount) * x.tax_ppm)::bigint as weight
					from order_lines x where x.business_id = o.business_id and x.order_id = o.id and x.tax_rate_id is not null
					group by x.tax_rate_id) r))) with ordinality as u (amount, n)
			where u.n = rates.n) shares on true
		where tax.amount > 0
	) p
	WHERE o.service_fee_amount > 0 and p.amount <> 0;

-- With something due at the studio a line says what its card and its credit are; else the credit is a share of all lines, and the card has
-- the remaining parts.
INSERT INTO tender_parts (business_id, tender_id, seq, line_id, account, amount)
	SELECT t.business_id, t.id, row_number() over (partition by t.business_id, t.id order by x.position, u.n), x.id, a.accounts[u.n], u.amount
	FROM order_tenders t
	JOIN orders o ON o.business_id = t.business_id and o.id = t.order_id and o.due_amount > 0
	JOIN order_lines x ON x.business_id = o.business_id and x.order_id = o.id
	CROSS JOIN LATERAL (select array_agg(s.account order by s.seq) as accounts, array_agg(s.amount order by s.seq) as amounts
		from sold s where s.business_id = x.business_id and s.order_id = o.id and s.line_id = x.id) a
	CROSS JOIN LATERAL unnest(pg_temp.alloc(x.card_amount, a.amounts)) with ordinality as u (amount, n)
	WHERE t.kind = 'card' and u.amount > 0;
INSERT INTO tender_parts (business_id, tender_id, seq, line_id, account, amount)
	SELECT t.business_id, t.id, row_number() over (partition by t.business_id, t.id order by x.position, u.n), x.id, a.accounts[u.n], u.amount
	FROM order_tenders t
	JOIN orders o ON o.business_id = t.business_id and o.id = t.order_id and o.due_amount > 0
	JOIN order_lines x ON x.business_id = o.business_id and x.order_id = o.id
	CROSS JOIN LATERAL (select array_agg(s.account order by s.seq) as accounts,
			array_agg(s.amount - coalesce(c.amount, 0) order by s.seq) as amounts
		from sold s
		left join order_tenders k on k.business_id = s.business_id and k.order_id = s.order_id and k.kind = 'card'
		left join tender_parts c on c.business_id = k.business_id and c.tender_id = k.id and c.line_id = s.line_id and c.account = s.account
		where s.business_id = x.business_id and s.order_id = o.id and s.line_id = x.id) a
	CROSS JOIN LATERAL unnest(pg_temp.alloc(x.credit_amount, a.amounts)) with ordinality as u (amount, n)
	WHERE t.kind = 'account_credit' and t.state in ('authorized', 'void') and t.position = 1 and u.amount > 0
		and not exists (select from tender_parts p where p.business_id = t.business_id and p.tender_id = t.id);
INSERT INTO tender_parts (business_id, tender_id, seq, line_id, account, amount)
	SELECT t.business_id, t.id, row_number() over (partition by t.business_id, t.id order by u.n), a.lines[u.n], a.accounts[u.n], u.amount
	FROM order_tenders t
	JOIN orders o ON o.business_id = t.business_id and o.id = t.order_id and o.due_amount = 0
	CROSS JOIN LATERAL (select array_agg(s.line_id order by s.seq) as lines, array_agg(s.account order by s.seq) as accounts,
			array_agg(s.amount order by s.seq) as amounts
		from sold s where s.business_id = o.business_id and s.order_id = o.id and s.line_id is not null) a
	CROSS JOIN LATERAL unnest(pg_temp.alloc(o.credit_amount, a.amounts)) with ordinality as u (amount, n)
	WHERE t.kind = 'account_credit' and t.state in ('authorized', 'void') and t.position = 1 and u.amount > 0
		and not exists (select from tender_parts p where p.business_id = t.business_id and p.tender_id = t.id);
INSERT INTO tender_parts (business_id, tender_id, seq, line_id, account, amount)
	SELECT t.business_id, t.id, row_number() over (partition by t.business_id, t.id order by s.seq)
			+ (select count(*) from tender_parts p where p.business_id = t.business_id and p.tender_id = t.id),
		s.line_id, s.account, s.amount - coalesce(c.amount, 0)
	FROM order_tenders t
	JOIN orders o ON o.business_id = t.business_id and o.id = t.order_id
	JOIN sold s ON s.business_id = o.business_id and s.order_id = o.id and (o.due_amount = 0 or s.line_id is null)
	LEFT JOIN LATERAL (select p.amount from order_tenders k
		join tender_parts p on p.business_id = k.business_id and p.tender_id = k.id and p.line_id = s.line_id and p.account = s.account
		where k.business_id = o.business_id and k.order_id = o.id and k.kind = 'account_credit' and k.position = 1) c ON true
	WHERE t.kind = 'card' and s.amount > coalesce(c.amount, 0);
-- +goose StatementBegin
do $$
declare
	r record;
begin
	for r in select t.business_id, t.id, t.amount, coalesce(sum(p.amount), 0) as parts
		from order_tenders t left join tender_parts p on p.business_id = t.business_id and p.tender_id = t.id
		group by t.business_id, t.id, t.amount having t.amount <> coalesce(sum(p.amount), 0) limit 1
	loop
		raise exception 'tender % of business % is %, and its parts are %', r.id, r.business_id, r.amount, r.parts;
	end loop;
end
$$;
-- +goose StatementEnd

ALTER TABLE "tender_parts" ENABLE TRIGGER USER;
DROP INDEX "order_tenders_by_age";
CREATE INDEX "order_tenders_by_age" ON "order_tenders" ("business_id", "captured_at", "id") WHERE kind <> 'card' and captured_at is not null;
CREATE UNIQUE INDEX "order_tenders_one_card" ON "order_tenders" ("business_id", "order_id") WHERE kind = 'card';
ALTER TABLE "order_tenders" ENABLE TRIGGER USER,
	ADD CONSTRAINT "order_tenders_kind" CHECK (kind in ('card', 'cash', 'other', 'account_credit')),
	ADD CONSTRAINT "order_tenders_state" CHECK (case state when 'open' then kind = 'card' and captured_at is null when 'authorized' then kind = 'account_credit' and captured_at is null when 'captured' then captured_at is not null else state = 'void' end),
	ADD CONSTRAINT "order_tenders_fee" CHECK (service_fee_amount between 0 and amount and (kind = 'card' or service_fee_amount = 0)),
	ADD CONSTRAINT "order_tenders_expires" CHECK (kind = 'account_credit' or expires_at is null);
DROP INDEX "orders_keeping_credit";
ALTER TABLE "orders" DISABLE TRIGGER USER,
	DROP CONSTRAINT "orders_amounts",
	DROP CONSTRAINT "orders_due",
	DROP CONSTRAINT "orders_credit";
UPDATE orders SET total_amount = total_amount - service_fee_amount WHERE service_fee_amount > 0;
ALTER TABLE "orders" ENABLE TRIGGER USER,
	DROP COLUMN "service_fee_amount",
	DROP COLUMN "due_amount",
	DROP COLUMN "credit_amount",
	DROP COLUMN "credit_until",
	ADD CONSTRAINT "orders_amounts" CHECK (discount_amount between 0 and subtotal_amount and tax_amount >= 0 and total_amount = subtotal_amount - discount_amount + case tax_mode when 'exclusive' then tax_amount else 0 end);
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_paid",
	DROP COLUMN "card_amount",
	DROP COLUMN "credit_amount";
CALL app.wall(true);
DROP TRIGGER audit ON orders;
CALL app.audited('orders', 'receipt_hash');
-- The log of changes tells what is taken at the studio. What is agreed with an order changes with it.
DROP TRIGGER audit ON order_tenders;
CREATE TRIGGER audit AFTER INSERT OR UPDATE ON order_tenders FOR EACH ROW WHEN (new.position = 0)
	EXECUTE FUNCTION app.audit('state', 'expires_at', 'captured_at', 'actor_kind', 'actor_id', 'actor_name');
REVOKE SELECT (created_at) ON order_tenders FROM foyer_lookup;
GRANT SELECT (kind, captured_at) ON order_tenders TO foyer_lookup;
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
		select t.id, t.captured_at from order_tenders t
			where t.business_id = o.business_id and t.order_id = o.id and t.kind <> 'card' and t.state = 'captured'
	) x
	where c.person_id = person and (key_at is null or (x.created_at, x.id) < (key_at, key_id))
	order by x.created_at desc, x.id desc limit most
$$;
-- +goose StatementEnd
