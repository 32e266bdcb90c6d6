-- What the sweeps of package app/accounting find across businesses. A definer function in "language sql" is planned at every call.

-- +goose Up
-- +goose StatementBegin
create function app.due_batches(most integer) returns table (business_id uuid, location_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select c.business_id, c.location_id from ledger_closings c
		left join accounting_progress p on p.business_id = c.business_id and p.location_id = c.location_id
		where p.batched_through is null or p.batched_through < c.closed_through
		order by c.closed_through, c.location_id limit most;
end
$$;

-- The connections with postings that are due; disconnected ones and those that wait for their owner have none.
create function app.due_postings(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select c.business_id, c.id from accounting_connections c
		where c.work_at <= at and (c.claimed_until is null or c.claimed_until <= at) and c.status = 'connected' order by c.work_at limit most;
end
$$;

create function app.expiring_connections(before timestamptz, most integer) returns table (business_id uuid, id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select t.business_id, t.connection_id from accounting_tokens t
		join accounting_connections c on c.business_id = t.business_id and c.id = t.connection_id
		where t.refresh_expires_at < before and c.expiry_mailed_at is null and c.status = 'connected'
		order by t.refresh_expires_at limit most;
end
$$;

create function app.old_attempts(before timestamptz, most integer) returns table (business_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public
as $$
#variable_conflict use_column
begin
	return query select distinct a.business_id from accounting_attempts a where a.created_at < before limit most;
end
$$;
-- +goose StatementEnd
call app.lookup_function('app.due_batches(integer)');
call app.lookup_function('app.due_postings(timestamptz, integer)');
call app.lookup_function('app.expiring_connections(timestamptz, integer)');
call app.lookup_function('app.old_attempts(timestamptz, integer)');
