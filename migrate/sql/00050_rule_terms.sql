-- Stored rules, states and kinds get the names of the field: fulfilled orders, received and refunded manual payments, grace, balances and
-- non-refundable deposits. Rows of bookings, orders, payments and of the books are written, so it takes some minutes with millions of them.
-- A program of before cannot run beside this one: stop it first. Rows of audit_events stay as they were written.

-- +goose Up
CALL app.wall(false);
-- +goose StatementBegin
do $$
declare
	t text;
begin
	-- Neither the activity log nor the guard of the books is concerned: what the rows mean does not change.
	foreach t in array array['policies', 'bookings', 'credit_transactions', 'fees', 'ledger_entries', 'manual_payments', 'orders', 'payments',
		'saved_views', 'series_edits', 'waitlist_entries']
	loop
		execute format('alter table %I disable trigger user', t);
	end loop;
end
$$;

-- rule_terms returns stored rules with the names of this program.
create function app.rule_terms(rules jsonb) returns jsonb
language sql immutable
as $$
	select rules - 'forgive' - 'deposit'
		|| case when rules ? 'forgive' then jsonb_build_object('grace', rules -> 'forgive') else '{}' end
		|| case when rules ? 'deposit' then jsonb_build_object('deposit', case jsonb_typeof(rules -> 'deposit') when 'object' then
			(rules -> 'deposit') - 'kept' - 'restMinutes'
			|| case when rules -> 'deposit' ? 'kept' then jsonb_build_object('nonRefundable', rules -> 'deposit' -> 'kept') else '{}' end
			|| case when rules -> 'deposit' ? 'restMinutes' then jsonb_build_object('balanceMinutes', rules -> 'deposit' -> 'restMinutes') else '{}' end
			else rules -> 'deposit' end) else '{}' end
$$;
-- +goose StatementEnd

-- Names of columns and constraints.
ALTER TABLE "bookings" RENAME COLUMN "rest_asked_at" TO "balance_requested_at";
ALTER TABLE "locations" RENAME COLUMN "ground" TO "background";
ALTER TABLE "locations" RENAME CONSTRAINT "locations_ground" TO "locations_background";
ALTER TABLE "order_lines" RENAME COLUMN "kept_amount" TO "non_refundable_amount";
ALTER TABLE "order_lines" RENAME CONSTRAINT "order_lines_kept" TO "order_lines_non_refundable";
ALTER TABLE "orders" RENAME COLUMN "settled_at" TO "fulfilled_at";
ALTER TABLE "waitlist_entries" ALTER COLUMN "payment_choice" SET DEFAULT 'choose_later';

-- Constraints that quote a value are made again below.
ALTER TABLE "credit_transactions" DROP CONSTRAINT "credit_transactions_kind";
ALTER TABLE "fees" DROP CONSTRAINT "fees_state";
ALTER TABLE "manual_payments" DROP CONSTRAINT "manual_payments_kind";
ALTER TABLE "orders" DROP CONSTRAINT "orders_state", DROP CONSTRAINT "orders_settled";
ALTER TABLE "payments" DROP CONSTRAINT "payments_outcome";
ALTER TABLE "waitlist_entries" DROP CONSTRAINT "waitlist_entries_payment";
DROP INDEX "bookings_rest";

UPDATE "policies" SET rules = app.rule_terms(rules) WHERE jsonb_typeof(rules) = 'object';
UPDATE "bookings" SET policy = app.rule_terms(policy) WHERE jsonb_typeof(policy) = 'object';
UPDATE "credit_transactions" SET kind = 'refunded' WHERE kind = 'returned';
UPDATE "fees" SET state = 'grace_waived' WHERE state = 'forgiven';
UPDATE "ledger_entries" SET source_kind = case source_kind when 'taking' then 'manual_payment' else source_kind end,
	event = case event when 'back' then 'refund' when 'moved' then 'transfer' else event end
	WHERE source_kind = 'taking' or event in ('back', 'moved');
UPDATE "manual_payments" SET kind = case kind when 'taken' then 'received' else 'refunded' end WHERE kind in ('taken', 'given_back');
UPDATE "orders" SET state = 'fulfilled' WHERE state = 'settled';
UPDATE "payments" SET outcome = 'fulfilled' WHERE outcome = 'settled';
UPDATE "saved_views" SET query = regexp_replace(query, '(^|&)sort=owes(&|$)', '\1sort=balance\2') WHERE screen = 'customers';
UPDATE "series_edits" SET after = jsonb_set(after, '{plan}', (after -> 'plan') - 'kept' || jsonb_build_object('unchanged', after #> '{plan,kept}')
	|| case jsonb_typeof(after #> '{plan,hit}') when 'array' then jsonb_build_object('hit', (select coalesce(jsonb_agg(case h.one ->> 'outcome'
		when 'transferred' then h.one || '{"outcome": "rescheduled"}' else h.one end order by h.n), '[]')
		from jsonb_array_elements(after #> '{plan,hit}') with ordinality h (one, n))) else '{}' end)
	WHERE after -> 'plan' ? 'kept';
UPDATE "waitlist_entries" SET payment_choice = 'choose_later' WHERE payment_choice = 'ask';
DROP FUNCTION app.rule_terms(jsonb);

ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_kind" CHECK (case kind when 'granted' then amount > 0 and num_nonnulls(manual_payment_id, refund_id) = 0 when 'removed' then amount < 0 and num_nonnulls(manual_payment_id, refund_id) = 0 when 'spent' then amount < 0 and manual_payment_id is not null and refund_id is null when 'refunded' then amount > 0 and num_nonnulls(manual_payment_id, refund_id) = 1 else false end);
ALTER TABLE "fees" ADD CONSTRAINT "fees_state" CHECK (state in ('due', 'paid', 'waived', 'grace_waived', 'withdrawn'));
ALTER TABLE "manual_payments" ADD CONSTRAINT "manual_payments_kind" CHECK (kind in ('received', 'refunded', 'void') and (kind = 'received') = (of_id is null));
ALTER TABLE "orders" ADD CONSTRAINT "orders_state" CHECK (state in ('open', 'fulfilled', 'refunded', 'void')),
	ADD CONSTRAINT "orders_fulfilled" CHECK ((state in ('fulfilled', 'refunded')) = (fulfilled_at is not null));
ALTER TABLE "payments" ADD CONSTRAINT "payments_outcome" CHECK (outcome in ('', 'fulfilled', 'refunded'));
ALTER TABLE "waitlist_entries" ADD CONSTRAINT "waitlist_entries_payment" CHECK (payment_choice in ('choose_later', 'plan', 'best_plan', 'card'));
CREATE INDEX "bookings_balance" ON "bookings" (((starts_at at time zone 'UTC') - make_interval(mins => (policy -> 'deposit' ->> 'balanceMinutes')::integer))) WHERE state = 'confirmed' and order_id is not null and balance_requested_at is null and policy -> 'deposit' ->> 'balanceMinutes' <> '0';

-- due_balances: bookings whose balance due is to be charged to the saved card, whichever business they are of. The conditions are those of
-- bookings_balance.
DROP FUNCTION app.due_rests(timestamptz, integer);
-- +goose StatementBegin
create function app.due_balances(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id, b.id from bookings b
	where b.state = 'confirmed' and b.order_id is not null and b.balance_requested_at is null and b.policy -> 'deposit' ->> 'balanceMinutes' <> '0'
		and (b.starts_at at time zone 'UTC') - make_interval(mins => (b.policy -> 'deposit' ->> 'balanceMinutes')::integer) <= at at time zone 'UTC'
	order by (b.starts_at at time zone 'UTC') - make_interval(mins => (b.policy -> 'deposit' ->> 'balanceMinutes')::integer) limit most
$$;
-- payments_of: what a person has paid, or has authorized on their card, across businesses, newest first, by keyset; voided payments are
-- left out.
create or replace function app.payments_of(person uuid, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select o.business_id, x.id, x.created_at
	from customers c join orders o on o.business_id = c.business_id and o.customer_id = c.id
	cross join lateral (
		select p.id, p.created_at from payments p where p.business_id = o.business_id and p.order_id = o.id and p.outcome <> ''
		union all
		select m.id, m.created_at from manual_payments m where m.business_id = o.business_id and m.order_id = o.id and m.kind = 'received'
			and not exists (select from manual_payments v where v.business_id = o.business_id and v.of_id = m.id and v.kind = 'void')
	) x
	where c.person_id = person and (key_at is null or (x.created_at, x.id) < (key_at, key_id))
	order by x.created_at desc, x.id desc limit most
$$;
do $$
declare
	t text;
begin
	foreach t in array array['policies', 'bookings', 'credit_transactions', 'fees', 'ledger_entries', 'manual_payments', 'orders', 'payments',
		'saved_views', 'series_edits', 'waitlist_entries']
	loop
		execute format('alter table %I enable trigger user', t);
	end loop;
end
$$;
-- +goose StatementEnd
call app.lookup_function('app.due_balances(timestamptz, integer)');
CALL app.wall(true);
