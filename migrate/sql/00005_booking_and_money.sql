-- Customers, carts, seats and money. A hold is a group of booking rows in state 'held' that already count; confirming
-- moves the same rows. An order is what was sold, a payment is one try to take the money for it.

-- +goose Up
create table customers (
	id uuid not null,
	business_id uuid not null,
	person_id uuid, -- the login behind the record, once there is one
	name varchar not null default '',
	email varchar not null default '', -- trimmed, lower case
	phone varchar not null default '',
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint customers_pkey primary key (id),
	constraint customers_tenant_key unique (business_id, id),
	constraint customers_person_key unique (business_id, person_id),
	constraint customers_email_normal check (email = lower(btrim(email))),
	constraint customers_business_fkey foreign key (business_id) references businesses (business_id),
	constraint customers_person_fkey foreign key (person_id) references persons (id)
);
create index customers_by_age on customers (business_id, created_at desc, id desc);
create index customers_of_person on customers (person_id) where person_id is not null;
call app.tenant_table('customers');
call app.lookup('customers', 'id, business_id, person_id');

create table carts (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	token_hash bytea not null,
	person_id uuid, -- who held it: from then on only that person may pay for it
	ref varchar not null default '', -- the page the customer came from, as sent; validated at each print
	state varchar not null default 'open',
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint carts_pkey primary key (id),
	constraint carts_tenant_key unique (business_id, id),
	constraint carts_place_key unique (business_id, location_id, id),
	constraint carts_token_hash_key unique (token_hash),
	constraint carts_state check (state in ('open', 'ordered')),
	constraint carts_location_fkey foreign key (business_id, location_id) references locations (business_id, id),
	constraint carts_person_fkey foreign key (person_id) references persons (id)
);
call app.tenant_table('carts');
call app.lookup('carts', 'id, business_id, location_id, token_hash');

create table cart_items (
	id uuid not null,
	business_id uuid not null,
	cart_id uuid not null,
	location_id uuid not null,
	offering_id uuid not null,
	occurrence_id uuid not null,
	attendee varchar not null default '', -- who is coming, when it is somebody else
	listed_amount bigint not null, -- the price when it was added: what a rise is told against
	created_at timestamptz not null,
	constraint cart_items_pkey primary key (id),
	constraint cart_items_tenant_key unique (business_id, id),
	constraint cart_items_place_key unique (business_id, cart_id, id),
	constraint cart_items_cart_fkey foreign key (business_id, location_id, cart_id) references carts (business_id, location_id, id),
	constraint cart_items_occurrence_fkey foreign key (business_id, location_id, offering_id, occurrence_id)
		references occurrences (business_id, location_id, offering_id, id)
);
create index cart_items_of_cart on cart_items (business_id, cart_id, created_at, id);
call app.tenant_table('cart_items');

create table holds (
	id uuid not null,
	business_id uuid not null,
	cart_id uuid not null,
	person_id uuid not null,
	customer_id uuid not null,
	state varchar not null default 'live',
	created_at timestamptz not null,
	expires_at timestamptz not null,
	extended boolean not null default false,
	constraint holds_pkey primary key (id),
	constraint holds_tenant_key unique (business_id, id),
	constraint holds_state check (state in ('live', 'confirmed', 'expired', 'released')),
	constraint holds_limit check (expires_at > created_at and expires_at <= created_at + interval '30 minutes'),
	constraint holds_cart_fkey foreign key (business_id, cart_id) references carts (business_id, id),
	constraint holds_person_fkey foreign key (person_id) references persons (id),
	constraint holds_customer_fkey foreign key (business_id, customer_id) references customers (business_id, id)
);
create unique index holds_one_live on holds (business_id, cart_id) where state = 'live';
create index holds_of_person on holds (business_id, person_id) where state = 'live';
create index holds_due on holds (expires_at) where state = 'live';
call app.tenant_table('holds');
call app.lookup('holds', 'id, business_id, state, expires_at');

create table orders (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	customer_id uuid not null,
	cart_id uuid not null,
	receipt_hash bytea not null,
	state varchar not null,
	currency varchar not null,
	tax_mode varchar not null,
	subtotal_amount bigint not null, -- sum of the lines as listed
	tax_amount bigint not null, -- on top when exclusive, inside when inclusive
	service_fee_amount bigint not null default 0,
	total_amount bigint not null, -- what the customer pays
	created_at timestamptz not null,
	settled_at timestamptz,
	constraint orders_pkey primary key (id),
	constraint orders_tenant_key unique (business_id, id),
	constraint orders_receipt_hash_key unique (receipt_hash),
	constraint orders_state check (state in ('open', 'settled', 'refunded', 'void')),
	constraint orders_amounts check (subtotal_amount >= 0 and tax_amount >= 0 and service_fee_amount >= 0 and total_amount =
		subtotal_amount + service_fee_amount + case tax_mode when 'exclusive' then tax_amount else 0 end),
	constraint orders_tax_mode check (tax_mode in ('exclusive', 'inclusive')),
	constraint orders_settled check ((state in ('settled', 'refunded')) = (settled_at is not null)),
	constraint orders_location_fkey foreign key (business_id, location_id) references locations (business_id, id),
	constraint orders_customer_fkey foreign key (business_id, customer_id) references customers (business_id, id),
	constraint orders_cart_fkey foreign key (business_id, cart_id) references carts (business_id, id)
);
create unique index orders_cart_key on orders (business_id, cart_id) where state <> 'void';
call app.tenant_table('orders');
call app.lookup('orders', 'id, business_id, receipt_hash');

create table bookings (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	offering_id uuid not null,
	occurrence_id uuid not null,
	customer_id uuid not null,
	hold_id uuid, -- the hold it began as
	order_id uuid, -- what it was sold with
	state varchar not null,
	online boolean not null, -- counts in taken_online
	attendee varchar not null default '',
	starts_at timestamptz not null,
	ends_at timestamptz not null,
	price_amount bigint not null, -- as listed when it was held
	currency varchar not null,
	confirmed_at timestamptz,
	version bigint not null default 1,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint bookings_pkey primary key (id),
	constraint bookings_tenant_key unique (business_id, id),
	constraint bookings_state check (state in ('held', 'expired', 'confirmed', 'requested', 'declined', 'cancelled',
		'late_cancelled', 'studio_cancelled', 'checked_in', 'no_show', 'completed')),
	constraint bookings_price check (price_amount >= 0),
	constraint bookings_occurrence_fkey foreign key (business_id, location_id, offering_id, occurrence_id)
		references occurrences (business_id, location_id, offering_id, id),
	constraint bookings_customer_fkey foreign key (business_id, customer_id) references customers (business_id, id),
	constraint bookings_hold_fkey foreign key (business_id, hold_id) references holds (business_id, id),
	constraint bookings_order_fkey foreign key (business_id, order_id) references orders (business_id, id)
);
create index bookings_by_start on bookings (business_id, starts_at desc, id desc);
create index bookings_of_occurrence on bookings (business_id, occurrence_id, created_at, id);
create index bookings_of_customer on bookings (business_id, customer_id, starts_at desc, id desc);
create index bookings_of_hold on bookings (business_id, hold_id);
create index bookings_of_order on bookings (business_id, order_id);
create index bookings_across on bookings (customer_id, starts_at, id);
call app.tenant_table('bookings');
call app.lookup('bookings', 'id, business_id, customer_id, starts_at, ends_at, state');

-- booking_moves: every change of state of a booking, as a fact.
create table booking_moves (
	id uuid not null,
	business_id uuid not null,
	booking_id uuid not null,
	from_state varchar not null, -- '' for the first
	to_state varchar not null,
	actor_kind varchar not null,
	actor_id uuid,
	actor_name varchar not null default '',
	surface varchar not null,
	reason varchar not null default '',
	created_at timestamptz not null,
	constraint booking_moves_pkey primary key (id),
	constraint booking_moves_booking_fkey foreign key (business_id, booking_id) references bookings (business_id, id)
);
create index booking_moves_of_booking on booking_moves (business_id, booking_id, created_at, id);
call app.tenant_table('booking_moves');
call app.append_only('booking_moves');

create table order_lines (
	id uuid not null,
	business_id uuid not null,
	order_id uuid not null,
	booking_id uuid not null,
	position integer not null,
	kind varchar not null,
	label varchar not null,
	listed_amount bigint not null, -- as listed: with tax inside when inclusive
	tax_amount bigint not null,
	tax_rate_id uuid,
	tax_name varchar not null default '', -- frozen: a later edit of the rate changes no old order
	tax_ppm integer not null default 0,
	constraint order_lines_pkey primary key (id),
	constraint order_lines_position_key unique (business_id, order_id, position),
	constraint order_lines_amounts check (listed_amount >= 0 and tax_amount >= 0),
	constraint order_lines_kind check (kind in ('class', 'appointment', 'rental')),
	constraint order_lines_order_fkey foreign key (business_id, order_id) references orders (business_id, id),
	constraint order_lines_booking_fkey foreign key (business_id, booking_id) references bookings (business_id, id),
	constraint order_lines_tax_rate_fkey foreign key (business_id, tax_rate_id) references tax_rates (business_id, id)
);
call app.tenant_table('order_lines');
call app.append_only('order_lines');

create table payments (
	id uuid not null,
	business_id uuid not null,
	location_id uuid not null,
	order_id uuid not null,
	env varchar not null,
	account varchar not null, -- the studio's account at the time: a refund uses this one
	attempt integer not null,
	intent varchar, -- the processor's id, once it answered
	charge varchar,
	amount bigint not null, -- what the card pays
	currency varchar not null,
	fee_amount bigint not null, -- application fee
	fee_ppm integer not null,
	status varchar not null,
	card_brand varchar not null default '',
	card_last4 varchar not null default '',
	failure_code varchar not null default '',
	failure_message varchar not null default '',
	outcome varchar not null default '', -- what became of the money of a succeeded payment
	due_at timestamptz, -- when to ask the processor again; null: nothing is open
	created_at timestamptz not null,
	updated_at timestamptz not null,
	succeeded_at timestamptz,
	constraint payments_pkey primary key (id),
	constraint payments_tenant_key unique (business_id, id),
	constraint payments_attempt_key unique (business_id, order_id, attempt),
	constraint payments_intent_key unique (env, account, intent),
	constraint payments_env check (env in ('live', 'test', 'simulated')),
	constraint payments_sim check ((env = 'simulated') = (account like 'acct\_sim\_%')),
	constraint payments_status check (status in ('new', 'awaiting_method', 'awaiting_customer', 'processing', 'authorized',
		'succeeded', 'failed', 'canceled')),
	constraint payments_outcome check (outcome in ('', 'settled', 'refunded')),
	constraint payments_amounts check (amount > 0 and fee_amount >= 0 and fee_amount < amount),
	constraint payments_order_fkey foreign key (business_id, order_id) references orders (business_id, id),
	constraint payments_location_fkey foreign key (business_id, location_id) references locations (business_id, id)
);
create unique index payments_one_open on payments (business_id, order_id)
	where status not in ('failed', 'canceled');
create index payments_due on payments (due_at) where due_at is not null;
call app.tenant_table('payments');
call app.lookup('payments', 'id, business_id, due_at');

create table refunds (
	id uuid not null,
	business_id uuid not null,
	payment_id uuid not null,
	amount bigint not null,
	fee_amount bigint not null, -- application fee given back, as predicted until the processor reports
	state varchar not null,
	reason varchar not null,
	external_id varchar,
	due_at timestamptz,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	constraint refunds_pkey primary key (id),
	constraint refunds_tenant_key unique (business_id, id),
	constraint refunds_amounts check (amount > 0 and fee_amount between 0 and amount),
	constraint refunds_state check (state in ('pending', 'submitted', 'succeeded', 'failed', 'canceled')),
	constraint refunds_payment_fkey foreign key (business_id, payment_id) references payments (business_id, id)
);
create unique index refunds_one_automatic on refunds (business_id, payment_id) where reason = 'late_payment';
create index refunds_due on refunds (due_at) where due_at is not null;
call app.tenant_table('refunds');
call app.lookup('refunds', 'id, business_id, due_at');

-- webhook_events: each event of the processor once, before anybody knows whose it is.
create table webhook_events (
	id varchar not null, -- the processor's event id
	env varchar not null,
	account varchar not null,
	type varchar not null,
	object varchar not null,
	received_at timestamptz not null,
	processed_at timestamptz,
	constraint webhook_events_pkey primary key (env, id)
);
create index webhook_events_processed on webhook_events (processed_at) where processed_at is not null;
grant select, insert, update, delete on webhook_events to foyer_app, foyer_job;

-- +goose StatementBegin
create function app.find_cart(hash bytea) returns table (business_id uuid, location_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, location_id, id from carts where token_hash = hash $$;
create function app.find_order(hash bytea) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from orders where receipt_hash = hash $$;
create function app.due_holds(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from holds where state = 'live' and expires_at <= at order by expires_at limit most $$;
create function app.due_payments(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from payments where due_at <= at order by due_at limit most $$;
create function app.due_refunds(at timestamptz, most integer) returns table (business_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$ select business_id, id from refunds where due_at <= at order by due_at limit most $$;

-- bookings_of: a person's bookings across businesses, ids only, by keyset. Upcoming ones (ends_at > at) come soonest
-- first after the key, past ones latest first before it. Held and expired rows are no bookings yet.
create function app.bookings_of(person uuid, at timestamptz, upcoming boolean, key_at timestamptz, key_id uuid, most integer)
returns table (business_id uuid, id uuid, starts_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public
as $$
	(select b.business_id, b.id, b.starts_at
	from customers c join bookings b on b.business_id = c.business_id and b.customer_id = c.id
	where upcoming and c.person_id = person and b.ends_at > at and b.state not in ('held', 'expired')
		and (key_at is null or (b.starts_at, b.id) > (key_at, key_id))
	order by b.starts_at, b.id limit most)
	union all
	(select b.business_id, b.id, b.starts_at
	from customers c join bookings b on b.business_id = c.business_id and b.customer_id = c.id
	where not upcoming and c.person_id = person and b.ends_at <= at and b.state not in ('held', 'expired')
		and (key_at is null or (b.starts_at, b.id) < (key_at, key_id))
	order by b.starts_at desc, b.id desc limit most)
$$;
-- a person's one booking, whichever business it is in
create function app.booking_of(person uuid, wanted uuid) returns table (business_id uuid)
language sql stable security definer set search_path = pg_catalog, public
as $$
	select b.business_id from bookings b join customers c on c.business_id = b.business_id and c.id = b.customer_id
	where b.id = wanted and c.person_id = person and b.state not in ('held', 'expired')
$$;
-- +goose StatementEnd
call app.lookup_function('app.find_cart(bytea)');
call app.lookup_function('app.find_order(bytea)');
call app.lookup_function('app.due_holds(timestamptz, integer)');
call app.lookup_function('app.due_payments(timestamptz, integer)');
call app.lookup_function('app.due_refunds(timestamptz, integer)');
call app.lookup_function('app.bookings_of(uuid, timestamptz, boolean, timestamptz, uuid, integer)');
call app.lookup_function('app.booking_of(uuid, uuid)');
