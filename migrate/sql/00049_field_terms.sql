-- Tables and columns get the names of the field: fees, manual payments, reconciliations, transactions. Nothing is copied and no row is
-- written; each table is locked for a moment. A program of before cannot run beside this one: stop it first.

-- +goose Up
ALTER TABLE "penalties" RENAME TO "fees";
ALTER TABLE "taking_parts" RENAME TO "manual_payment_parts";
ALTER TABLE "takings" RENAME TO "manual_payments";
ALTER TABLE "tie_outs" RENAME TO "reconciliations";
ALTER TABLE "credit_moves" RENAME TO "credit_transactions";
ALTER TABLE "drawer_moves" RENAME TO "drawer_transactions";
-- +goose StatementBegin
do $$
declare
	r record;
	t text[];
	tables text[][] := array[['penalties', 'fees'], ['taking_parts', 'manual_payment_parts'], ['takings', 'manual_payments'],
		['tie_outs', 'reconciliations'], ['credit_moves', 'credit_transactions'], ['drawer_moves', 'drawer_transactions']];
	columns text[][] := array[['penalty_id', 'fee_id'], ['taking_id', 'manual_payment_id']];
begin
	foreach t slice 1 in array columns loop
		for r in select c.relname from pg_attribute a join pg_class c on c.oid = a.attrelid
			where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = t[1] and not a.attisdropped
		loop
			execute format('alter table %I rename column %I to %I', r.relname, t[1], t[2]);
		end loop;
	end loop;
	tables := tables || array[['_penalty_', '_fee_'], ['_taking_', '_manual_payment_']];
	foreach t slice 1 in array tables loop
		for r in select k.conname, c.relname from pg_constraint k join pg_class c on c.oid = k.conrelid
			where c.relnamespace = 'public'::regnamespace and strpos(k.conname, t[1]) > 0
		loop
			execute format('alter table %I rename constraint %I to %I', r.relname, r.conname, replace(r.conname, t[1], t[2]));
		end loop;
		for r in select c.relname from pg_class c
			where c.relnamespace = 'public'::regnamespace and c.relkind in ('i', 'I') and strpos(c.relname, t[1]) > 0
		loop
			execute format('alter index %I rename to %I', r.relname, replace(r.relname, t[1], t[2]));
		end loop;
	end loop;
end
$$;
-- +goose StatementEnd
ALTER TABLE "reconciliations" RENAME COLUMN "kept" TO "recorded";
ALTER TABLE "dispute_answers" RENAME COLUMN "handed_in_at" TO "submitted_at";
ALTER TABLE "payments" RENAME COLUMN "keep_text" TO "consent_text";
ALTER TABLE "payments" RENAME COLUMN "keep_version" TO "consent_version";
ALTER TABLE "payments" RENAME COLUMN "keep_at" TO "consent_at";

-- due_fees: fees whose time to be charged has come, whichever business they are of.
-- +goose StatementBegin
create or replace function app.due_fees(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select f.business_id, f.id from fees f where f.charge_at <= at order by f.charge_at limit most
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
		select m.id, m.created_at from manual_payments m where m.business_id = o.business_id and m.order_id = o.id and m.kind = 'taken'
			and not exists (select from manual_payments v where v.business_id = o.business_id and v.of_id = m.id and v.kind = 'void')
	) x
	where c.person_id = person and (key_at is null or (x.created_at, x.id) < (key_at, key_id))
	order by x.created_at desc, x.id desc limit most
$$;
-- +goose StatementEnd
