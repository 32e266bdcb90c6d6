-- +goose Up
ALTER TABLE "payments" ADD CONSTRAINT "payments_held" CHECK (on_approval or authorized_at is null and not wanted),
	ADD COLUMN "on_approval" boolean NOT NULL DEFAULT false,
	ADD COLUMN "authorized_at" timestamptz NULL,
	ADD COLUMN "wanted" boolean NOT NULL DEFAULT false;

GRANT SELECT (outcome) ON payments TO foyer_lookup;

-- payments_of: what a person has paid, or had held on their card, across businesses, newest first, by keyset; what was taken by mistake is none of it.
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
		select t.id, t.created_at from takings t where t.business_id = o.business_id and t.order_id = o.id and t.kind = 'taken'
			and not exists (select from takings v where v.business_id = o.business_id and v.of_id = t.id and v.kind = 'void')
	) x
	where c.person_id = person and (key_at is null or (x.created_at, x.id) < (key_at, key_id))
	order by x.created_at desc, x.id desc limit most
$$;
-- +goose StatementEnd
