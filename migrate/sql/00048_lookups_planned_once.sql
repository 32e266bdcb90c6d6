-- The look-ups that pages and a person's own reads call, as plpgsql: a definer function in "language sql" is planned at every call.

-- +goose Up
-- +goose StatementBegin
create or replace function app.find_slug(wanted text) returns table (business_id uuid, location_id uuid, current_slug text)
language plpgsql stable security definer rows 1 set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select s.business_id, s.location_id, c.slug::text
		from slugs s
		join slugs c on c.business_id = s.business_id and c.current
			and c.location_id is not distinct from s.location_id
		where s.slug = wanted;
end
$$;
create or replace function app.find_order(hash bytea) returns table (business_id uuid, id uuid)
language plpgsql stable security definer rows 1 set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select o.business_id, o.id from orders o where o.receipt_hash = hash;
end
$$;
create or replace function app.find_waitlist_offer(hash bytea) returns table (business_id uuid, id uuid)
language plpgsql stable security definer rows 1 set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select e.business_id, e.id from waitlist_entries e where e.token_hash = hash;
end
$$;
create or replace function app.businesses_of(person uuid) returns table (business_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select m.business_id from members m where m.person_id = person and m.deactivated_at is null order by m.business_id;
end
$$;
create or replace function app.booking_of(person uuid, wanted uuid) returns table (business_id uuid)
language plpgsql stable security definer rows 1 set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select b.business_id from bookings b join customers c on c.business_id = b.business_id and c.id = b.customer_id
		where b.id = wanted and c.person_id = person and b.state not in ('held', 'expired');
end
$$;
create or replace function app.waitlist_entry_of(person uuid, wanted uuid) returns table (business_id uuid)
language plpgsql stable security definer rows 1 set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select e.business_id from waitlist_entries e join customers c on c.business_id = e.business_id and c.id = e.customer_id
		where e.id = wanted and c.person_id = person;
end
$$;
-- +goose StatementEnd
