-- What can be booked, and when. A class is an offering with series; a series is a rule on the location's wall clock; an
-- occurrence is one date of it with a permanent id and the counters that guard its seats.

-- +goose Up
create table offerings (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	kind varchar not null,
	slug varchar not null, -- unique inside its location
	name varchar not null,
	description varchar not null default '',
	heading varchar not null default '', -- own word; empty: the business's word for its kind
	state varchar not null default 'draft',
	duration_minutes integer not null,
	price_amount bigint, -- minor units of the location's currency; null: not set yet
	tax_rate_id uuid, -- null: untaxed
	capacity integer not null,
	online_capacity integer not null, -- how many of the seats the storefront may sell
	position integer not null default 0, -- order inside its heading
	published_at timestamptz,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint offerings_pkey primary key (id),
	constraint offerings_tenant_key unique (business_id, id),
	constraint offerings_place_key unique (business_id, location_id, id),
	constraint offerings_slug_key unique (business_id, location_id, slug),
	constraint offerings_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
	constraint offerings_kind check (kind in ('class', 'appointment', 'rental')),
	constraint offerings_state check (state in ('draft', 'published', 'archived')),
	constraint offerings_duration check (duration_minutes between 5 and 1440),
	constraint offerings_price check (price_amount between 0 and 99999999),
	constraint offerings_capacity check (capacity between 1 and 10000),
	constraint offerings_online_capacity check (online_capacity between 0 and capacity),
	constraint offerings_published check (state <> 'published' or price_amount is not null),
	constraint offerings_location_fkey foreign key (business_id, location_id) references locations (business_id, id),
	constraint offerings_tax_rate_fkey foreign key (business_id, tax_rate_id) references tax_rates (business_id, id)
);
create index offerings_by_location on offerings (business_id, location_id, state, id);
call app.tenant_table('offerings');
-- The planner takes business and location for independent and would expect a hundredth of a location's rows.
create statistics offerings_place (dependencies, ndistinct) on business_id, location_id from offerings;
call app.lookup('offerings', 'id, business_id, location_id');

create table series (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	offering_id uuid not null,
	weekdays varchar not null, -- RFC 5545 BYDAY: "MO,WE"
	starts_on date not null,
	starts_at_minute integer not null, -- minutes after midnight on the wall clock
	duration_minutes integer not null,
	ends_on date, -- last possible date
	max_count integer, -- number of dates, exceptions included
	except_dates jsonb not null, -- ["2026-12-25"]
	zone varchar not null,
	member_id uuid, -- who teaches
	space_id uuid,
	capacity integer not null,
	online_capacity integer not null,
	materialized_to date, -- occurrences exist up to and including this date
	due_at timestamptz, -- when the next dates are to be written; null: the rule has ended
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint series_pkey primary key (id),
	constraint series_tenant_key unique (business_id, id),
	constraint series_place_key unique (business_id, offering_id, id),
	constraint series_weekdays check (weekdays ~ '^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$'),
	constraint series_starts_at check (starts_at_minute between 0 and 1439),
	constraint series_duration check (duration_minutes between 5 and 1440),
	constraint series_end check (ends_on is null or ends_on >= starts_on),
	constraint series_one_end check (ends_on is null or max_count is null),
	constraint series_max_count check (max_count between 1 and 1000),
	constraint series_capacity check (capacity between 1 and 10000),
	constraint series_online_capacity check (online_capacity between 0 and capacity),
	constraint series_offering_fkey foreign key (business_id, location_id, offering_id)
		references offerings (business_id, location_id, id),
	constraint series_member_fkey foreign key (business_id, member_id) references members (business_id, id),
	constraint series_space_fkey foreign key (business_id, location_id, space_id)
		references spaces (business_id, location_id, id)
);
create index series_of_offering on series (business_id, offering_id, starts_on, id);
create index series_due on series (due_at) where due_at is not null;
call app.tenant_table('series');
call app.lookup('series', 'id, business_id, due_at');

create table occurrences (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	offering_id uuid not null,
	series_id uuid not null,
	rule_date date not null, -- the date the rule gave: what makes writing dates twice impossible
	local_date date not null, -- the date on the location's wall clock
	starts_at timestamptz not null,
	ends_at timestamptz not null,
	member_id uuid,
	space_id uuid,
	state varchar not null default 'scheduled',
	capacity integer not null,
	online_capacity integer not null,
	taken integer not null default 0, -- seats held or booked
	taken_online integer not null default 0, -- of those, through the storefront
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint occurrences_pkey primary key (id),
	constraint occurrences_tenant_key unique (business_id, id),
	constraint occurrences_place_key unique (business_id, location_id, offering_id, id),
	constraint occurrences_rule_date_key unique (business_id, series_id, rule_date),
	constraint occurrences_span check (starts_at < ends_at),
	constraint occurrences_state check (state in ('scheduled', 'cancelled')),
	constraint occurrences_capacity check (capacity between 1 and 10000),
	constraint occurrences_online_capacity check (online_capacity between 0 and capacity),
	constraint occurrences_seats check (taken between 0 and capacity),
	constraint occurrences_online_seats check (taken_online between 0 and taken),
	constraint occurrences_offering_fkey foreign key (business_id, location_id, offering_id)
		references offerings (business_id, location_id, id),
	constraint occurrences_series_fkey foreign key (business_id, offering_id, series_id)
		references series (business_id, offering_id, id),
	constraint occurrences_member_fkey foreign key (business_id, member_id) references members (business_id, id),
	constraint occurrences_space_fkey foreign key (business_id, location_id, space_id)
		references spaces (business_id, location_id, id)
);
create index occurrences_by_location on occurrences (business_id, location_id, starts_at, id)
	include (offering_id, ends_at, state, capacity, online_capacity, taken, taken_online);
create index occurrences_by_offering on occurrences (business_id, offering_id, starts_at, id);
create statistics occurrences_place (dependencies, ndistinct) on business_id, location_id from occurrences;
call app.tenant_table('occurrences');

-- +goose StatementBegin
create function app.find_offering(wanted uuid) returns table (business_id uuid, location_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, location_id from offerings where id = wanted $$;
create function app.due_series(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from series where due_at <= at order by due_at limit most $$;
-- +goose StatementEnd
call app.lookup_function('app.find_offering(uuid)');
call app.lookup_function('app.due_series(timestamptz, integer)');
