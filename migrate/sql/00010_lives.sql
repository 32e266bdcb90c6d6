-- What strangers and passers-by leave behind has an end (docs/reliability.md): what the sweeps look by, what their deletes are
-- checked by, and what they may not delete.

-- +goose Up

-- What a sweep looks by. Both say their condition so that no other statement is led to them (see holds_due in 00005_lighter.sql):
-- nobody else looks for seats that were given up and never sold, nor for carts by when they were begun.
create index bookings_left on bookings (business_id, created_at) where state = 'expired' and order_id is null;
create index carts_left on carts (business_id, (case when state = 'open' then created_at end))
	where (case when state = 'open' then created_at end) is not null;
create index invites_unused on invites (expires_at) where consumed_at is null;

-- What refers to a row that is deleted is looked for, each time: without these, among all rows of the table.
create index holds_of_cart on holds (business_id, cart_id);
create index orders_of_cart on orders (business_id, cart_id);
create index cart_items_of_occurrence on cart_items (business_id, occurrence_id) where occurrence_id is not null;
create index order_lines_of_booking on order_lines (business_id, booking_id);
create index penalties_of_booking on penalties (business_id, booking_id);
create index waitlist_entries_of_booking on waitlist_entries (business_id, booking_id) where booking_id is not null;

-- A booking is never deleted. A seat that was kept for minutes and given up is none yet, and may go; what was written down of it
-- goes with it, as nobody who serves may delete from booking_transitions itself.
-- +goose StatementBegin
create function app.keep_booked() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
	if old.state <> 'expired' or old.order_id is not null then
		raise exception 'booking % is %: it is never deleted', old.id, old.state using errcode = '23001';
	end if;
	return null;
end
$$;
-- +goose StatementEnd
create trigger keep_booked after delete on bookings for each row execute function app.keep_booked();
call app.wall(false);
alter table booking_transitions drop constraint booking_transitions_booking_fkey,
	add constraint booking_transitions_booking_fkey foreign key (business_id, booking_id) references bookings (business_id, id)
		on delete cascade;
call app.wall(true);

-- due_left_seats and due_left_carts: the businesses that may have some from before a time, by keyset.
grant select (order_id, created_at) on bookings to foyer_lookup;
grant select (state, created_at, updated_at) on carts to foyer_lookup;
-- +goose StatementBegin
create function app.due_left_seats(before timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from businesses b
	where (key is null or b.business_id > key) and exists (select from bookings k
		where k.business_id = b.business_id and k.state = 'expired' and k.order_id is null and k.created_at < before)
	order by 1 limit most
$$;
create function app.due_left_carts(before timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from businesses b
	where (key is null or b.business_id > key) and exists (select from carts c
		where c.business_id = b.business_id and (case when c.state = 'open' then c.created_at end) < before and c.updated_at < before)
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup_function('app.due_left_seats(timestamptz, uuid, integer)');
call app.lookup_function('app.due_left_carts(timestamptz, uuid, integer)');
