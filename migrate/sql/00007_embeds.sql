-- What a studio's own website needs: the location's stylesheet for the embeds, and the other sites that are the studio's own.
-- And due work that is found across businesses in one statement instead of one per business.

-- +goose Up
call app.wall(false);

-- stylesheets: the CSS that a location's embeds wear, checked when it was saved and served as it was saved.
create table stylesheets (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	css text not null,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint stylesheets_pkey primary key (id),
	constraint stylesheets_location_key unique (business_id, location_id),
	constraint stylesheets_size check (octet_length(css) <= 32768),
	constraint stylesheets_location_fkey foreign key (business_id, location_id) references locations (business_id, id)
);
call app.tenant_table('stylesheets');
call app.audited('stylesheets');

alter table locations
	add column other_sites jsonb not null default '[]', -- further addresses of the studio's own website: ["https://shop.example.com"]
	add constraint locations_other_sites check (jsonb_typeof(other_sites) = 'array' and jsonb_array_length(other_sites) <= 20);

-- What was said about a change of a booking, and when a moved one would have begun.
alter table booking_moves
	add column note varchar not null default '',
	add column from_starts_at timestamptz;

-- Guests whose session is over, and requests whose time has come without an answer.
create index bookings_over on bookings (ends_at) where state = 'checked_in';
create index bookings_unanswered on bookings (starts_at) where state = 'requested';
-- +goose StatementBegin
-- due_bookings: the businesses that have some of them, by keyset.
create function app.due_bookings(at timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select d.business_id from (
		select b.business_id from bookings b where b.state = 'checked_in' and b.ends_at <= at
		union select b.business_id from bookings b where b.state = 'requested' and b.starts_at <= at
	) d where key is null or d.business_id > key order by 1 limit most
$$;
-- due_seals: the businesses with events up to that time that are not sealed, by keyset.
create function app.due_seals(at timestamptz, key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from businesses b
	where (key is null or b.business_id > key) and exists (select from audit_events e
		where e.business_id = b.business_id and e.at <= due_seals.at
			and e.seq > coalesce((select max(s.to_seq) from audit_seals s where s.business_id = b.business_id), 0))
	order by 1 limit most
$$;
-- +goose StatementEnd
call app.lookup('audit_events', 'business_id, seq, at');
call app.lookup('audit_seals', 'business_id, to_seq');
call app.lookup_function('app.due_bookings(timestamptz, uuid, integer)');
call app.lookup_function('app.due_seals(timestamptz, uuid, integer)');

call app.wall(true);
