-- Who signs in, and the business they run. Persons, sessions, challenges and invites belong to no business: package
-- identity finds them only by id or by hash.

-- +goose Up
create table persons (
	id uuid not null,
	email varchar not null, -- trimmed, lower case: the key and the address in one
	name varchar not null default '',
	phone varchar not null default '',
	locale varchar not null default 'en',
	zone varchar not null default '',
	verified_at timestamptz, -- first time a mailed code came back
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint persons_pkey primary key (id),
	constraint persons_email_key unique (email),
	constraint persons_email_normal check (email = lower(btrim(email)))
);

create table challenges (
	id uuid not null,
	email varchar not null,
	attempts integer not null default 0,
	created_at timestamptz not null,
	expires_at timestamptz not null,
	consumed_at timestamptz,
	constraint challenges_pkey primary key (id),
	constraint challenges_attempts check (attempts between 0 and 5)
);
create index challenges_created_at on challenges (created_at);

create table sessions (
	id uuid not null,
	person_id uuid not null,
	token_hash bytea not null,
	agent varchar not null default '',
	created_at timestamptz not null,
	seen_at timestamptz not null,
	expires_at timestamptz not null, -- the sliding end, never past created_at + 90 days
	revoked_at timestamptz,
	constraint sessions_pkey primary key (id),
	constraint sessions_token_hash_key unique (token_hash),
	constraint sessions_person_fkey foreign key (person_id) references persons (id)
);
create index sessions_ended on sessions (expires_at);
create index sessions_person on sessions (person_id, created_at desc);

create table invites (
	id uuid not null,
	token_hash bytea not null,
	email varchar not null,
	business_name varchar not null default '',
	created_at timestamptz not null,
	expires_at timestamptz not null,
	consumed_at timestamptz,
	consumed_by uuid,
	opened_business uuid,
	constraint invites_pkey primary key (id),
	constraint invites_token_hash_key unique (token_hash),
	constraint invites_consumed_by_fkey foreign key (consumed_by) references persons (id)
);
grant select, insert, update, delete on persons, challenges, sessions, invites to foyer_app, foyer_job;

create table businesses (
	business_id uuid not null,
	name varchar not null,
	slug varchar not null,
	currency varchar not null, -- default for new locations
	zone varchar not null, -- default for new locations
	fee_mode varchar not null default 'absorb',
	fee_ppm integer not null default 20000,
	class_word varchar not null default 'Classes', -- headings for listings without a word of their own
	appointment_word varchar not null default 'Appointments',
	rental_word varchar not null default 'Rentals',
	status varchar not null default 'active',
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint businesses_pkey primary key (business_id),
	constraint businesses_currency check (currency ~ '^[A-Z]{3}$'),
	constraint businesses_fee_mode check (fee_mode in ('absorb', 'split', 'customer')),
	constraint businesses_fee_ppm check (fee_ppm between 0 and 300000),
	constraint businesses_status check (status in ('active', 'paused', 'closed'))
);
call app.tenant_table('businesses');

-- slugs: the one table of root paths: businesses, locations, and names they had before.
create table slugs (
	slug varchar not null,
	business_id uuid not null,
	location_id uuid, -- null: the business itself
	current boolean not null,
	created_at timestamptz not null,
	constraint slugs_pkey primary key (slug),
	constraint slugs_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 60),
	constraint slugs_business_fkey foreign key (business_id) references businesses (business_id)
);
create unique index slugs_one_current on slugs (business_id, coalesce(location_id, business_id)) where current;
call app.tenant_table('slugs');
call app.lookup('slugs', 'slug, business_id, location_id, current');

create table tax_rates (
	id uuid not null,
	business_id uuid not null,
	name varchar not null,
	ppm integer not null, -- 8.25 % is 82500
	archived_at timestamptz,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint tax_rates_pkey primary key (id),
	constraint tax_rates_tenant_key unique (business_id, id),
	constraint tax_rates_ppm check (ppm between 0 and 1000000),
	constraint tax_rates_business_fkey foreign key (business_id) references businesses (business_id)
);
call app.tenant_table('tax_rates');

create table locations (
	id uuid not null,
	business_id uuid not null,
	slug varchar not null,
	name varchar not null,
	zone varchar not null,
	currency varchar not null,
	tax_mode varchar not null default 'exclusive',
	tax_rate_id uuid, -- default for new offerings
	street varchar not null default '',
	city varchar not null default '',
	region varchar not null default '',
	postal_code varchar not null default '',
	country varchar not null default '',
	website varchar not null default '',
	accent varchar not null default '#a4472b',
	ground varchar not null default 'paper',
	type varchar not null default 'figtree',
	corners varchar not null default 'soft',
	archived_at timestamptz,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint locations_pkey primary key (id),
	constraint locations_tenant_key unique (business_id, id),
	constraint locations_currency check (currency ~ '^[A-Z]{3}$'),
	constraint locations_tax_mode check (tax_mode in ('exclusive', 'inclusive')),
	constraint locations_accent check (accent ~ '^#[0-9a-f]{6}$'),
	constraint locations_ground check (ground in ('paper', 'white', 'dark')),
	constraint locations_type check (type in ('figtree', 'system')),
	constraint locations_corners check (corners in ('square', 'soft', 'round', 'pill')),
	constraint locations_business_fkey foreign key (business_id) references businesses (business_id),
	constraint locations_tax_rate_fkey foreign key (business_id, tax_rate_id) references tax_rates (business_id, id)
);
call app.tenant_table('locations');
call app.lookup('locations', 'id, business_id');
alter table slugs add constraint slugs_location_fkey
	foreign key (business_id, location_id) references locations (business_id, id);

create table location_hours (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	weekday integer not null, -- 0 is Sunday
	opens integer not null, -- minutes after midnight on the wall clock
	closes integer not null,
	constraint location_hours_pkey primary key (id),
	constraint location_hours_weekday check (weekday between 0 and 6),
	constraint location_hours_span check (opens >= 0 and opens < closes and closes <= 1440),
	constraint location_hours_location_fkey foreign key (business_id, location_id) references locations (business_id, id)
);
create index location_hours_location on location_hours (business_id, location_id, weekday, opens);
call app.tenant_table('location_hours');

create table spaces (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	parent_id uuid, -- booking the whole blocks the parts
	name varchar not null,
	capacity integer not null,
	archived_at timestamptz,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint spaces_pkey primary key (id),
	constraint spaces_tenant_key unique (business_id, id),
	constraint spaces_place_key unique (business_id, location_id, id),
	constraint spaces_capacity check (capacity between 1 and 10000),
	constraint spaces_parent check (parent_id <> id),
	constraint spaces_location_fkey foreign key (business_id, location_id) references locations (business_id, id),
	constraint spaces_parent_fkey foreign key (business_id, location_id, parent_id) references spaces (business_id, location_id, id)
);
create unique index spaces_name_key on spaces (business_id, location_id, name) where archived_at is null;
call app.tenant_table('spaces');

create table members (
	id uuid not null,
	business_id uuid not null,
	person_id uuid not null,
	email varchar not null,
	name varchar not null,
	bookable boolean not null default false, -- may teach or be booked
	deactivated_at timestamptz,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint members_pkey primary key (id),
	constraint members_tenant_key unique (business_id, id),
	constraint members_person_key unique (business_id, person_id),
	constraint members_business_fkey foreign key (business_id) references businesses (business_id),
	constraint members_person_fkey foreign key (person_id) references persons (id)
);
call app.tenant_table('members');
call app.lookup('members', 'business_id, person_id, deactivated_at');
create index members_of_person on members (person_id) where deactivated_at is null;

create table member_roles (
	id uuid not null,
	business_id uuid not null,
	member_id uuid not null,
	role varchar not null,
	location_id uuid, -- null: the whole business
	created_at timestamptz not null,
	constraint member_roles_pkey primary key (id),
	constraint member_roles_role check (role in
		('owner', 'admin', 'manager', 'front_desk', 'instructor', 'accountant', 'marketer', 'viewer')),
	constraint member_roles_owner_everywhere check (role not in ('owner', 'admin') or location_id is null),
	constraint member_roles_member_fkey foreign key (business_id, member_id) references members (business_id, id),
	constraint member_roles_location_fkey foreign key (business_id, location_id) references locations (business_id, id)
);
create unique index member_roles_once on member_roles
	(business_id, member_id, role, coalesce(location_id, '00000000-0000-0000-0000-000000000000'));
call app.tenant_table('member_roles');

create table api_keys (
	id uuid not null,
	business_id uuid not null,
	name varchar not null,
	prefix varchar not null, -- "bk_" and the first characters, to tell keys apart
	key_hash bytea not null,
	features jsonb not null, -- the set it was created with
	created_by uuid not null, -- member
	created_at timestamptz not null,
	expires_at timestamptz,
	used_at timestamptz, -- to the minute
	revoked_at timestamptz,
	constraint api_keys_pkey primary key (id),
	constraint api_keys_key_hash_key unique (key_hash),
	constraint api_keys_created_by_fkey foreign key (business_id, created_by) references members (business_id, id)
);
call app.tenant_table('api_keys');
call app.lookup('api_keys', 'id, business_id, key_hash');

create table processor_accounts (
	id uuid not null,
	business_id uuid not null,
	env varchar not null,
	external_id varchar not null,
	state varchar not null,
	default_currency varchar not null default '',
	due jsonb not null, -- what the processor still asks for
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint processor_accounts_pkey primary key (id),
	constraint processor_accounts_one unique (business_id, env),
	constraint processor_accounts_external_key unique (env, external_id),
	constraint processor_accounts_env check (env in ('live', 'test', 'simulated')),
	constraint processor_accounts_sim check ((env = 'simulated') = (external_id like 'acct\_sim\_%')),
	constraint processor_accounts_state check (state in
		('not_connected', 'onboarding', 'pending', 'restricted', 'active', 'active_payouts_paused', 'disconnected')),
	constraint processor_accounts_business_fkey foreign key (business_id) references businesses (business_id)
);
call app.tenant_table('processor_accounts');
call app.lookup('processor_accounts', 'business_id, env, external_id');

-- Look-ups that find the business. They return ids only, and belong to foyer_lookup, whose own policies let it see.
-- +goose StatementBegin
create function app.find_slug(wanted text) returns table (business_id uuid, location_id uuid, current_slug text)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select s.business_id, s.location_id, c.slug::text
	from slugs s
	join slugs c on c.business_id = s.business_id and c.current
		and c.location_id is not distinct from s.location_id
	where s.slug = wanted
$$;
create function app.find_location(wanted uuid) returns table (business_id uuid, location_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from locations where id = wanted $$;
create function app.find_api_key(hash bytea) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from api_keys where key_hash = hash $$;
create function app.find_account(environment text, external text) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id from processor_accounts where env = environment and external_id = external $$;
create function app.businesses_of(person uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id from members where person_id = person and deactivated_at is null order by business_id $$;
-- +goose StatementEnd
call app.lookup_function('app.find_slug(text)');
call app.lookup_function('app.find_location(uuid)');
call app.lookup_function('app.find_api_key(bytea)');
call app.lookup_function('app.find_account(text, text)');
call app.lookup_function('app.businesses_of(uuid)');
