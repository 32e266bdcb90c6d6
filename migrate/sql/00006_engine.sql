-- The booking engine: policies, times that are computed from people's and spaces' hours, busy time, waitlists, fees that
-- are due, quotes, and the record of who changed what.

-- +goose Up
create extension if not exists btree_gist;

-- app.wall(stands) lifts the wall for the owner while a migration changes tables that have rows, and sets it up again. A
-- foreign key that is added looks at all businesses' rows. Nobody else sees the transaction in which it is down.
-- +goose StatementBegin
create procedure app.wall(stands boolean)
language plpgsql
set search_path = pg_catalog, public
as $$
declare
	t regclass;
begin
	for t in select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity loop
		execute format('alter table %s %s row level security', t, case when stands then 'force' else 'no force' end);
	end loop;
end
$$;
-- +goose StatementEnd
call app.wall(false);

-- quotes: what a rehearsed call would do, for the call that names it. credential, operation and request say whose it is
-- and what was asked; effects is the digest of what it would do. Like replays it belongs to a request, not to a tenant.
create table quotes (
	id uuid not null,
	credential bytea not null, -- SHA-256 of who asked and which operation
	request bytea not null, -- SHA-256 of what was asked
	effects bytea not null, -- SHA-256 of the answer's effects
	created_at timestamptz not null,
	expires_at timestamptz not null,
	constraint quotes_pkey primary key (id)
);
create index quotes_expires_at on quotes (expires_at);
grant select, insert, update, delete on quotes to foyer_app, foyer_job;

-- audit_events: who changed which record, written by a trigger in the transaction of the change. before and after hold
-- only what differs.
create table audit_events (
	seq bigint generated always as identity,
	business_id uuid not null,
	at timestamptz not null,
	actor_kind varchar not null,
	actor_id uuid,
	actor_name varchar not null,
	surface varchar not null,
	action varchar not null,
	record varchar not null, -- the table
	record_id uuid not null,
	location_id uuid, -- where the record has one
	before jsonb,
	after jsonb,
	reason varchar not null default '',
	constraint audit_events_pkey primary key (seq),
	constraint audit_events_action check (action in ('create', 'update', 'delete'))
);
create index audit_events_by_time on audit_events (business_id, seq desc);
create index audit_events_of_record on audit_events (business_id, record_id, seq desc);
call app.tenant_table('audit_events');
call app.append_only('audit_events');

-- audit_seals: a hash over the events up to seq and over the seal before, so that a change of the past shows.
create table audit_seals (
	id uuid not null,
	business_id uuid not null,
	position bigint not null, -- 1, 2, 3 … of the business
	from_seq bigint not null, -- first event
	to_seq bigint not null, -- last event
	events integer not null,
	hash bytea not null,
	created_at timestamptz not null,
	constraint audit_seals_pkey primary key (id),
	constraint audit_seals_position_key unique (business_id, position),
	constraint audit_seals_span check (from_seq <= to_seq and events > 0),
	constraint audit_seals_business_fkey foreign key (business_id) references businesses (business_id)
);
call app.tenant_table('audit_seals');
call app.append_only('audit_seals');

-- app.audit() is the trigger. The transaction says who acts in the setting app.actor, a JSON object that package pg sets
-- beside app.business_id; without one the change is the system's. Arguments: columns that say nothing to a reader
-- (counters, hashes) and whose change alone is no event.
-- +goose StatementBegin
create function app.audit() returns trigger
language plpgsql
set search_path = pg_catalog, public
as $$
declare
	setting text := current_setting('app.actor', true);
	actor jsonb := coalesce(nullif(setting, ''), '{}')::jsonb;
	silent text[] := array['business_id', 'version', 'created_at', 'updated_at'] || tg_argv::text[];
	was jsonb;
	is_now jsonb;
	old_row jsonb;
	new_row jsonb;
begin
	if tg_op <> 'INSERT' then
		old_row := to_jsonb(old) - silent;
	end if;
	if tg_op <> 'DELETE' then
		new_row := to_jsonb(new) - silent;
	end if;
	if tg_op = 'UPDATE' then
		select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, new_row -> o.key)
			into was, is_now
			from jsonb_each(old_row) o where new_row -> o.key is distinct from o.value;
		if was is null then
			return null;
		end if;
	else
		was := old_row;
		is_now := new_row;
	end if;
	insert into audit_events (business_id, at, actor_kind, actor_id, actor_name, surface, action, record, record_id, location_id,
		before, after, reason)
	values (coalesce(to_jsonb(new) ->> 'business_id', to_jsonb(old) ->> 'business_id')::uuid,
		coalesce((actor ->> 'at')::timestamptz, clock_timestamp()),
		coalesce(actor ->> 'kind', 'system'), (actor ->> 'id')::uuid, coalesce(actor ->> 'name', ''), coalesce(actor ->> 'surface', 'job'),
		case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end,
		tg_table_name,
		coalesce(new_row ->> 'id', old_row ->> 'id', to_jsonb(new) ->> 'business_id')::uuid,
		coalesce(new_row ->> 'location_id', old_row ->> 'location_id')::uuid,
		was, is_now, coalesce(actor ->> 'reason', ''));
	return null;
end
$$;
-- app.audited(t, silent) writes every change of table t down.
create procedure app.audited(t regclass, variadic silent text[] default '{}')
language plpgsql
set search_path = pg_catalog
as $$
begin
	execute format('create trigger audit after insert or update or delete on %s for each row execute function app.audit(%s)',
		t, (select coalesce(string_agg(quote_literal(s), ', '), '') from unnest(silent) s));
end
$$;
-- +goose StatementEnd

-- policies: the rules of booking and cancelling, shared by offerings. A location points at its default; where nothing
-- points at one, the standard policy of package catalog holds.
create table policies (
	id uuid not null,
	business_id uuid not null,
	name varchar not null,
	rules jsonb not null, -- catalog.Rules; copied onto each booking when it is made
	archived_at timestamptz,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint policies_pkey primary key (id),
	constraint policies_tenant_key unique (business_id, id),
	constraint policies_business_fkey foreign key (business_id) references businesses (business_id)
);
create unique index policies_name_key on policies (business_id, name) where archived_at is null;
call app.tenant_table('policies');

alter table locations
	add column policy_id uuid, -- default for its offerings; null: the standard one
	add column daily_cap integer, -- appointments and rentals a day
	add column walkins_off boolean not null default false,
	add column walkins_paused_until timestamptz,
	add constraint locations_daily_cap check (daily_cap between 1 and 10000),
	add constraint locations_policy_fkey foreign key (business_id, policy_id) references policies (business_id, id);

alter table members
	add column daily_cap integer, -- appointments a day
	add column weekly_cap integer, -- appointments a week, Monday to Sunday
	add constraint members_daily_cap check (daily_cap between 1 and 1000),
	add constraint members_weekly_cap check (weekly_cap between 1 and 1000);

alter table offerings
	add column policy_id uuid, -- null: the location's
	add column buffer_before_minutes integer not null default 0, -- people and spaces are kept busy so long before
	add column buffer_after_minutes integer not null default 0,
	add column grid_minutes integer, -- starts lie on this grid from opening; null: one after the other
	add column last_start_minute integer, -- wall clock, minutes after midnight; null: as long as it fits
	add column compact boolean not null default false, -- offer starts that touch another booking first
	add column approval boolean not null default false, -- the studio says yes or no to each booking
	add column enrolment varchar not null default 'date', -- series: a course, one booking for all its dates
	add column sold_as varchar not null default 'person', -- space: a rental of the whole space
	add column durations jsonb not null default '[]', -- [{"minutes": 60, "priceAmount": 3000}]: lengths to choose from
	add column needs_member boolean not null default false, -- a rental that a person attends
	add column walkins boolean not null default false, -- a per-person rental that takes people at the door
	add constraint offerings_buffers check (buffer_before_minutes between 0 and 240 and buffer_after_minutes between 0 and 240),
	add constraint offerings_grid check (grid_minutes in (5, 10, 15, 30, 60)),
	add constraint offerings_last_start check (last_start_minute between 0 and 1439),
	add constraint offerings_enrolment check (enrolment = 'date' or (enrolment = 'series' and kind = 'class')),
	add constraint offerings_sold_as check (sold_as = 'person' or (sold_as = 'space' and kind = 'rental')),
	add constraint offerings_walkins check (not walkins or (kind = 'rental' and sold_as = 'person')),
	add constraint offerings_policy_fkey foreign key (business_id, policy_id) references policies (business_id, id);

-- Who gives an appointment, and where a rental or an appointment can be.
create table offering_members (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	offering_id uuid not null,
	member_id uuid not null,
	position integer not null,
	constraint offering_members_pkey primary key (id),
	constraint offering_members_once unique (business_id, offering_id, member_id),
	constraint offering_members_offering_fkey foreign key (business_id, location_id, offering_id)
		references offerings (business_id, location_id, id),
	constraint offering_members_member_fkey foreign key (business_id, member_id) references members (business_id, id)
);
create index offering_members_of_member on offering_members (business_id, member_id);
call app.tenant_table('offering_members');

create table offering_spaces (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	offering_id uuid not null,
	space_id uuid not null,
	position integer not null,
	constraint offering_spaces_pkey primary key (id),
	constraint offering_spaces_once unique (business_id, offering_id, space_id),
	constraint offering_spaces_offering_fkey foreign key (business_id, location_id, offering_id)
		references offerings (business_id, location_id, id),
	constraint offering_spaces_space_fkey foreign key (business_id, location_id, space_id)
		references spaces (business_id, location_id, id)
);
create index offering_spaces_of_space on offering_spaces (business_id, space_id);
call app.tenant_table('offering_spaces');

-- Weekly hours on the wall clock of a location: of a person there, of a space. A space without rows is open whenever its
-- location is; a person without rows at a location gives no appointments there.
create table member_hours (
	id uuid not null,
	business_id uuid not null,
	member_id uuid not null,
	location_id uuid not null,
	weekday integer not null, -- 0 is Sunday
	opens integer not null, -- minutes after midnight
	closes integer not null,
	constraint member_hours_pkey primary key (id),
	constraint member_hours_weekday check (weekday between 0 and 6),
	constraint member_hours_span check (opens >= 0 and opens < closes and closes <= 1440),
	constraint member_hours_member_fkey foreign key (business_id, member_id) references members (business_id, id),
	constraint member_hours_location_fkey foreign key (business_id, location_id) references locations (business_id, id)
);
create index member_hours_of_member on member_hours (business_id, member_id, location_id, weekday, opens);
create index member_hours_of_location on member_hours (business_id, location_id);
call app.tenant_table('member_hours');

create table space_hours (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	space_id uuid not null,
	weekday integer not null,
	opens integer not null,
	closes integer not null,
	constraint space_hours_pkey primary key (id),
	constraint space_hours_weekday check (weekday between 0 and 6),
	constraint space_hours_span check (opens >= 0 and opens < closes and closes <= 1440),
	constraint space_hours_space_fkey foreign key (business_id, location_id, space_id)
		references spaces (business_id, location_id, id)
);
create index space_hours_of_space on space_hours (business_id, space_id, weekday, opens);
call app.tenant_table('space_hours');

-- closures: days on which a location is closed, or has hours of its own.
create table closures (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	name varchar not null,
	starts_on date not null,
	ends_on date not null, -- last day
	hours jsonb not null default '[]', -- [{"opens": 600, "closes": 840}]: special hours; empty: closed
	created_at timestamptz not null,
	constraint closures_pkey primary key (id),
	constraint closures_tenant_key unique (business_id, id),
	constraint closures_span check (starts_on <= ends_on and ends_on <= starts_on + 366),
	constraint closures_location_fkey foreign key (business_id, location_id) references locations (business_id, id)
);
create index closures_of_location on closures (business_id, location_id, ends_on, id);
call app.tenant_table('closures');

-- time_off: a person is away, everywhere.
create table time_off (
	id uuid not null,
	business_id uuid not null,
	member_id uuid not null,
	starts_at timestamptz not null,
	ends_at timestamptz not null,
	note varchar not null default '',
	created_at timestamptz not null,
	constraint time_off_pkey primary key (id),
	constraint time_off_tenant_key unique (business_id, id),
	constraint time_off_span check (starts_at < ends_at),
	constraint time_off_member_fkey foreign key (business_id, member_id) references members (business_id, id)
);
create index time_off_of_member on time_off (business_id, member_id, ends_at, starts_at);
call app.tenant_table('time_off');

-- space_blocks: a space is out of use: maintenance, a private event.
create table space_blocks (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	space_id uuid not null,
	starts_at timestamptz not null,
	ends_at timestamptz not null,
	note varchar not null default '',
	created_at timestamptz not null,
	constraint space_blocks_pkey primary key (id),
	constraint space_blocks_tenant_key unique (business_id, id),
	constraint space_blocks_span check (starts_at < ends_at),
	constraint space_blocks_space_fkey foreign key (business_id, location_id, space_id)
		references spaces (business_id, location_id, id)
);
create index space_blocks_of_space on space_blocks (business_id, space_id, ends_at, starts_at);
call app.tenant_table('space_blocks');

-- Series: rules beyond the weekly one, added dates, and where a split came from.
alter table series
	add column freq varchar not null default 'weekly',
	add column every integer not null default 1, -- every second week: 2
	add column monthly_by varchar not null default '', -- monthly rules: the day of the month or the weekday in it, of starts_on
	add column extra_dates jsonb not null default '[]', -- ["2026-12-27"]: dates beside the rule
	add column split_from uuid, -- the series this one continues
	add column ended_at timestamptz,
	drop constraint series_weekdays,
	add constraint series_weekdays check (weekdays = '' and freq <> 'weekly'
		or weekdays ~ '^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$'),
	add constraint series_freq check (freq in ('daily', 'weekly', 'monthly')),
	add constraint series_every check (every between 1 and 52),
	add constraint series_monthly_by check ((freq = 'monthly') = (monthly_by in ('day', 'weekday'))),
	add constraint series_split_fkey foreign key (business_id, offering_id, split_from) references series (business_id, offering_id, id);

-- series_edits: what an edit changed, as it was before, so that it can be undone for a day.
create table series_edits (
	id uuid not null,
	business_id uuid not null,
	offering_id uuid not null,
	series_id uuid not null,
	before jsonb not null, -- the rows of series and occurrences as they were
	after jsonb not null, -- their versions as the edit left them: undoing needs them unchanged
	created_at timestamptz not null,
	undo_until timestamptz not null,
	undone_at timestamptz,
	constraint series_edits_pkey primary key (id),
	constraint series_edits_series_fkey foreign key (business_id, offering_id, series_id)
		references series (business_id, offering_id, id)
);
create index series_edits_of_series on series_edits (business_id, series_id, created_at desc);
call app.tenant_table('series_edits');

-- Occurrences: those of appointments and rentals belong to no series; a field that differs from the series is named in
-- overrides; seats on offer to the waitlist count as taken.
alter table occurrences
	alter column series_id drop not null,
	alter column rule_date drop not null,
	add column offered integer not null default 0, -- seats on offer to the waitlist
	add column overrides jsonb not null default '[]', -- ["startsAt", "memberId"]: fields that no longer follow the series
	add column cancel_reason varchar not null default '',
	add constraint occurrences_of_series check ((series_id is null) = (rule_date is null)),
	add constraint occurrences_offered check (offered >= 0 and taken + offered <= capacity);

-- claims: busy time of people and spaces, buffers included; all of it and nowhere else. A class claims its teacher and
-- room with each date, an appointment and a rental with the booking. Who claims locks the rows of the members and spaces
-- first, in the order of their ids; the exclusion constraints are the backstop.
create table claims (
	id uuid not null,
	business_id uuid not null,
	occurrence_id uuid not null,
	member_id uuid,
	space_id uuid,
	starts_at timestamptz not null,
	ends_at timestamptz not null,
	exclusive boolean not null, -- false: seats of a space that others may share
	forced boolean not null default false, -- somebody decided that it may overlap
	direct boolean not null default true, -- false: blocked because a space it is a part of is booked
	seats integer not null default 0, -- of a shared space
	constraint claims_pkey primary key (id),
	constraint claims_one_resource check (num_nonnulls(member_id, space_id) = 1),
	constraint claims_span check (starts_at < ends_at),
	constraint claims_seats check (seats >= 0 and (exclusive or seats > 0)),
	constraint claims_member_once exclude using gist (business_id with =, member_id with =, tstzrange(starts_at, ends_at) with &&)
		where (member_id is not null and exclusive and not forced),
	constraint claims_space_once exclude using gist (business_id with =, space_id with =, tstzrange(starts_at, ends_at) with &&)
		where (space_id is not null and exclusive and not forced),
	constraint claims_occurrence_fkey foreign key (business_id, occurrence_id) references occurrences (business_id, id),
	constraint claims_member_fkey foreign key (business_id, member_id) references members (business_id, id),
	constraint claims_space_fkey foreign key (business_id, space_id) references spaces (business_id, id)
);
create index claims_of_member on claims (business_id, member_id, ends_at, starts_at) where member_id is not null;
create index claims_of_space on claims (business_id, space_id, ends_at, starts_at) include (exclusive, direct, seats) where space_id is not null;
create index claims_of_occurrence on claims (business_id, occurrence_id);
call app.tenant_table('claims');

-- The dates that are there already claim their people and rooms. They may overlap: nobody looked until now.
insert into claims (id, business_id, occurrence_id, member_id, space_id, starts_at, ends_at, exclusive, forced)
select gen_random_uuid(), o.business_id, o.id, r.member_id, r.space_id, o.starts_at, o.ends_at, true, true
from occurrences o, lateral (values (o.member_id, null::uuid), (null::uuid, o.space_id)) r (member_id, space_id)
where o.state = 'scheduled' and num_nonnulls(r.member_id, r.space_id) = 1;

-- Cart items name a date of a class, or a time of an appointment or a rental: that gets an occurrence when it is held.
alter table cart_items
	alter column occurrence_id drop not null,
	add column starts_at timestamptz,
	add column minutes integer,
	add column member_id uuid, -- null: anyone
	add column space_id uuid, -- null: any of the offering's
	add column party integer not null default 1,
	add column position integer not null default 0, -- order of services that follow each other
	add constraint cart_items_what check (num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0),
	add constraint cart_items_minutes check (minutes between 5 and 1440),
	add constraint cart_items_party check (party between 1 and 1000),
	add constraint cart_items_offering_fkey foreign key (business_id, location_id, offering_id)
		references offerings (business_id, location_id, id),
	add constraint cart_items_member_fkey foreign key (business_id, member_id) references members (business_id, id),
	add constraint cart_items_space_fkey foreign key (business_id, location_id, space_id)
		references spaces (business_id, location_id, id);

alter table bookings
	add column party integer not null default 1, -- seats it takes
	add column policy jsonb, -- catalog.Rules as they were when it was made; null: made before there were any
	add column group_id uuid, -- bookings that were made together: services in a row, a course, a recurring booking
	add column note varchar not null default '', -- the studio's
	add column cancelled_at timestamptz,
	add column checked_in_at timestamptz,
	add column checked_out_at timestamptz, -- a walk-in that left early
	add column reschedules integer not null default 0, -- how often the customer moved it
	add column review_at timestamptz, -- a no-show whose fee is looked at until then
	add column grace_until timestamptz, -- promoted late from the waitlist: leaving is free until then
	add constraint bookings_party check (party between 1 and 1000);
create index bookings_of_group on bookings (business_id, group_id) where group_id is not null;

-- penalties: fees for cancelling late and for not coming, as due. Charging them is the ledger's.
create table penalties (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	booking_id uuid not null,
	customer_id uuid not null,
	kind varchar not null,
	state varchar not null,
	amount bigint not null, -- minor units
	currency varchar not null,
	reason varchar not null default '', -- why it was waived or forgiven
	review_until timestamptz not null, -- not asked for before
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint penalties_pkey primary key (id),
	constraint penalties_tenant_key unique (business_id, id),
	constraint penalties_kind check (kind in ('late_cancel', 'no_show')),
	constraint penalties_state check (state in ('due', 'waived', 'forgiven', 'withdrawn')),
	constraint penalties_amount check (amount >= 0),
	constraint penalties_location_fkey foreign key (business_id, location_id) references locations (business_id, id),
	constraint penalties_booking_fkey foreign key (business_id, booking_id) references bookings (business_id, id),
	constraint penalties_customer_fkey foreign key (business_id, customer_id) references customers (business_id, id)
);
create unique index penalties_one on penalties (business_id, booking_id, kind) where state <> 'withdrawn';
create index penalties_of_customer on penalties (business_id, customer_id, kind, created_at);
create index penalties_by_age on penalties (business_id, created_at desc, id desc);
call app.tenant_table('penalties');

-- waitlist_entries: who waits for a date. An offered entry counts in occurrences.offered.
create table waitlist_entries (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	offering_id uuid not null,
	occurrence_id uuid not null,
	customer_id uuid not null,
	person_id uuid, -- who may accept it; null: the studio put them on the list and they have no login yet
	token_hash bytea not null, -- of the one link that accepts, declines and leaves
	state varchar not null,
	rank bigint not null, -- lower is sooner
	party integer not null default 1,
	attendee varchar not null default '',
	payment_choice varchar not null default 'ask',
	consent_at timestamptz, -- to a saved card being charged
	drop_if_promoted boolean not null default false,
	offered_at timestamptz,
	offer_until timestamptz,
	booking_id uuid, -- what it became
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint waitlist_entries_pkey primary key (id),
	constraint waitlist_entries_tenant_key unique (business_id, id),
	constraint waitlist_entries_token_key unique (token_hash),
	constraint waitlist_entries_state check (state in
		('waiting', 'offered', 'promoted', 'declined', 'offer_expired', 'skipped_payment', 'left', 'closed')),
	constraint waitlist_entries_offered check ((state = 'offered') = (offer_until is not null)),
	constraint waitlist_entries_promoted check ((state = 'promoted') = (booking_id is not null)),
	constraint waitlist_entries_payment check (payment_choice in ('ask', 'plan', 'best_plan', 'card')),
	constraint waitlist_entries_party check (party between 1 and 100),
	constraint waitlist_entries_occurrence_fkey foreign key (business_id, location_id, offering_id, occurrence_id)
		references occurrences (business_id, location_id, offering_id, id),
	constraint waitlist_entries_customer_fkey foreign key (business_id, customer_id) references customers (business_id, id),
	constraint waitlist_entries_person_fkey foreign key (person_id) references persons (id),
	constraint waitlist_entries_booking_fkey foreign key (business_id, booking_id) references bookings (business_id, id)
);
create unique index waitlist_entries_once on waitlist_entries (business_id, occurrence_id, customer_id, attendee)
	where state in ('waiting', 'offered');
create index waitlist_entries_in_order on waitlist_entries (business_id, occurrence_id, rank, id);
create index waitlist_entries_of_customer on waitlist_entries (business_id, customer_id, created_at desc);
create index waitlist_entries_due on waitlist_entries (offer_until) where state = 'offered';
call app.tenant_table('waitlist_entries');
call app.lookup('waitlist_entries', 'id, business_id, customer_id, token_hash, state, offer_until, created_at');

-- waitlist_moves: every change of an entry, and why: the log that tells a customer why somebody else was first.
create table waitlist_moves (
	id uuid not null,
	business_id uuid not null,
	entry_id uuid not null,
	from_state varchar not null, -- '' for the first
	to_state varchar not null,
	actor_kind varchar not null,
	actor_id uuid,
	actor_name varchar not null default '',
	surface varchar not null,
	reason varchar not null default '',
	created_at timestamptz not null,
	constraint waitlist_moves_pkey primary key (id),
	constraint waitlist_moves_entry_fkey foreign key (business_id, entry_id) references waitlist_entries (business_id, id)
);
create index waitlist_moves_of_entry on waitlist_moves (business_id, entry_id, created_at, id);
call app.tenant_table('waitlist_moves');
call app.append_only('waitlist_moves');

-- waitlist_rounds: dates whose free seats are to be offered. A row is written by whatever frees a seat, in its own
-- transaction, and taken away by the round that found nobody left to ask.
create table waitlist_rounds (
	occurrence_id uuid not null,
	business_id uuid not null,
	due_at timestamptz not null,
	constraint waitlist_rounds_pkey primary key (business_id, occurrence_id),
	constraint waitlist_rounds_occurrence_fkey foreign key (business_id, occurrence_id) references occurrences (business_id, id)
);
create index waitlist_rounds_due on waitlist_rounds (due_at);
call app.tenant_table('waitlist_rounds');
call app.lookup('waitlist_rounds', 'occurrence_id, business_id, due_at');

call app.lookup('businesses', 'business_id');

-- +goose StatementBegin
create function app.find_waitlist_offer(hash bytea) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from waitlist_entries where token_hash = hash $$;
create function app.due_offers(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from waitlist_entries where state = 'offered' and offer_until <= at order by offer_until limit most $$;
create function app.due_rounds(at timestamptz, most integer) returns table (business_id uuid, occurrence_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, occurrence_id from waitlist_rounds where due_at <= at order by due_at limit most $$;
-- waitlist_of: a person's entries across businesses, newest first, by keyset.
create function app.waitlist_of(person uuid, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select e.business_id, e.id, e.created_at
	from customers c join waitlist_entries e on e.business_id = c.business_id and e.customer_id = c.id
	where c.person_id = person and (key_at is null or (e.created_at, e.id) < (key_at, key_id))
	order by e.created_at desc, e.id desc limit most
$$;
create function app.waitlist_entry_of(person uuid, wanted uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select e.business_id from waitlist_entries e join customers c on c.business_id = e.business_id and c.id = e.customer_id
	where e.id = wanted and c.person_id = person
$$;
-- businesses_after: all businesses, by keyset, for the sweeps that look after each of them in the night.
create function app.businesses_after(key uuid, most integer) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id from businesses where key is null or business_id > key order by business_id limit most $$;
-- +goose StatementEnd
call app.lookup_function('app.find_waitlist_offer(bytea)');
call app.lookup_function('app.due_offers(timestamptz, integer)');
call app.lookup_function('app.due_rounds(timestamptz, integer)');
call app.lookup_function('app.waitlist_of(uuid, timestamptz, uuid, integer)');
call app.lookup_function('app.waitlist_entry_of(uuid, uuid)');
call app.lookup_function('app.businesses_after(uuid, integer)');

-- integrity_findings: what the nightly recount found. An empty report is a row too: it was looked.
create table integrity_reports (
	id uuid not null,
	business_id uuid not null,
	differences jsonb not null,
	created_at timestamptz not null,
	constraint integrity_reports_pkey primary key (id),
	constraint integrity_reports_business_fkey foreign key (business_id) references businesses (business_id)
);
create index integrity_reports_by_age on integrity_reports (business_id, created_at desc);
call app.tenant_table('integrity_reports');

call app.audited('businesses');
call app.audited('tax_rates');
call app.audited('locations');
call app.audited('location_hours');
call app.audited('spaces');
call app.audited('members');
call app.audited('member_roles');
call app.audited('api_keys', 'key_hash', 'used_at');
call app.audited('processor_accounts');
call app.audited('policies');
call app.audited('offerings');
call app.audited('offering_members');
call app.audited('offering_spaces');
call app.audited('member_hours');
call app.audited('space_hours');
call app.audited('closures');
call app.audited('time_off');
call app.audited('space_blocks');
call app.audited('series', 'materialized_to', 'due_at');
call app.audited('customers');
call app.audited('penalties');
call app.audited('waitlist_entries', 'token_hash');
call app.audited('orders', 'receipt_hash');
call app.audited('refunds', 'due_at');
-- Dates are written by the hundred from an audited rule; what is done to one of them is told. Holding a seat for some
-- minutes is not told; booking it is.
create trigger audit after update on occurrences for each row execute function app.audit('taken', 'taken_online', 'offered');
create trigger audit after insert or update on bookings for each row when (new.state not in ('held', 'expired'))
	execute function app.audit();

call app.wall(true);
