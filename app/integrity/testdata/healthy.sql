-- A business with one record of each kind, all of which agree with each other. Nothing here comes from the product's own
-- verbs, so that a check is not proved by what it checks.
create function pg_temp.id(n integer) returns uuid language sql immutable
	return ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid;
create function pg_temp.at(hour numeric) returns timestamptz language sql immutable
	return '2026-06-15 00:00Z'::timestamptz + hour * interval '1 hour';

insert into persons (id, email, created_at, updated_at) values (pg_temp.id(1), 'rosa@example.com', pg_temp.at(0), pg_temp.at(0));
insert into businesses (business_id, name, slug, currency, zone, created_at, updated_at)
	values (pg_temp.id(10), 'Studio', 'studio', 'USD', 'UTC', pg_temp.at(0), pg_temp.at(0));
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
	values (pg_temp.id(11), pg_temp.id(10), 'here', 'Here', 'UTC', 'USD', pg_temp.at(0), pg_temp.at(0));
insert into spaces (id, business_id, location_id, name, capacity, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), 'Room ' || n, 4, pg_temp.at(0), pg_temp.at(0) from unnest(array[12, 13]) n;
insert into members (id, business_id, person_id, email, name, version, created_at, updated_at)
	values (pg_temp.id(14), pg_temp.id(10), pg_temp.id(1), 'rosa@example.com', 'Rosa', 1, pg_temp.at(0), pg_temp.at(0));
insert into offerings (id, business_id, location_id, kind, slug, name, duration_minutes, capacity, online_capacity, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), case n when 20 then 'class' else 'rental' end, 'o-' || n, 'O', 60, 10, 10,
		pg_temp.at(0), pg_temp.at(0) from unnest(array[20, 21]) n;
insert into series (id, business_id, location_id, offering_id, freq, weekdays, starts_on, starts_at_minute, duration_minutes, except_dates,
		zone, member_id, space_id, capacity, online_capacity, created_at, updated_at)
	values (pg_temp.id(30), pg_temp.id(10), pg_temp.id(11), pg_temp.id(20), 'weekly', 'MO', '2026-06-15', 600, 60, '[]', 'UTC', pg_temp.id(14),
		pg_temp.id(12), 10, 10, pg_temp.at(0), pg_temp.at(0));

-- 40: a class with seats of every state, an offer, and its claims. 41: a class that was cancelled. 42, 43: two rentals that
-- share a room.
insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at, member_id,
		space_id, state, capacity, online_capacity, taken, taken_online, offered, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), pg_temp.id(offering), pg_temp.id(series), rule, '2026-06-15', pg_temp.at(hour),
		pg_temp.at(hour + 1), pg_temp.id(member), pg_temp.id(space), state, capacity, capacity, taken, online, offered, pg_temp.at(0), pg_temp.at(0)
	from (values
		(40, 20, 30, date '2026-06-15', 10, 14, 12, 'scheduled', 10, 6, 3, 2),
		(41, 20, 30, date '2026-06-22', 10, 14, 12, 'cancelled', 10, 0, 0, 0),
		(42, 21, null, null, 10, null, 13, 'scheduled', 2, 2, 2, 0),
		(43, 21, null, null, 10.5, null, 13, 'scheduled', 2, 2, 2, 0)
	) o (n, offering, series, rule, hour, member, space, state, capacity, taken, online, offered);
insert into claims (id, business_id, occurrence_id, member_id, space_id, starts_at, ends_at, exclusive, seats)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(o), pg_temp.id(member), pg_temp.id(space), pg_temp.at(begins), pg_temp.at(ends), seats = 0, seats
	from (values
		(50, 40, 14, null, 10, 11, 0), (51, 40, null, 12, 10, 11, 0),
		(52, 42, null, 13, 9.5, 11, 2), (53, 43, null, 13, 10.5, 11.5, 2)
	) c (n, o, member, space, begins, ends, seats);

insert into customers (id, business_id, name, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), 'C' || n, pg_temp.at(0), pg_temp.at(0) from generate_series(60, 69) n;
insert into carts (id, business_id, location_id, token_hash, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), sha256(n::text::bytea), pg_temp.at(0), pg_temp.at(0) from unnest(array[70, 71, 72]) n;
insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(n - 10), pg_temp.id(1), pg_temp.id(n - 20), state, pg_temp.at(0), pg_temp.at(0.1)
	from (values (80, 'live'), (81, 'confirmed'), (82, 'expired')) h (n, state);
-- 90: paid 22.00, of which 5.00 went back. 91: paid too late, all of it went back.
insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode, subtotal_amount, tax_amount,
		total_amount, created_at, fulfilled_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), pg_temp.id(61), pg_temp.id(cart), sha256(n::text::bytea), state, 'USD', 'exclusive',
		2000, 200, 2200, pg_temp.at(0), settled
	from (values (90, 71, 'fulfilled', pg_temp.at(0)), (91, 72, 'refunded', pg_temp.at(0))) o (n, cart, state, settled);
-- bookings of 40: held, confirmed with an order, checked in by the studio for two, no show, completed; and ones that take none
insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, hold_id, order_id, state, online, party, starts_at,
		ends_at, price_amount, currency, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), o.offering_id, o.id, pg_temp.id(customer), pg_temp.id(hold), pg_temp.id(o_id), b.state,
		online, party, o.starts_at, o.ends_at, 2000, 'USD', pg_temp.at(0), pg_temp.at(0)
	from (values
		(100, 40, 60, 80, null, 'held', true, 1), (101, 40, 61, 81, 90, 'confirmed', true, 1), (102, 40, 62, null, null, 'checked_in', false, 2),
		(103, 40, 63, null, null, 'no_show', false, 1), (104, 40, 64, null, null, 'completed', true, 1),
		(105, 40, 65, 82, 91, 'expired', true, 1), (106, 40, 66, null, null, 'late_cancelled', false, 1), (107, 40, 67, null, null, 'requested', true, 1),
		(108, 42, 68, null, null, 'confirmed', true, 2), (109, 43, 69, null, null, 'confirmed', true, 2)
	) b (n, occurrence, customer, hold, o_id, state, online, party)
	join occurrences o on o.id = pg_temp.id(occurrence);
insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, created_at)
	select gen_random_uuid(), business_id, id, s.from_state, s.to_state, 'system', 'job', created_at + length(s.from_state) * interval '1 second'
	from bookings b, lateral (select '' as from_state, 'held' as to_state union all select 'held', b.state where b.state <> 'held') s;
insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, created_at)
	values (gen_random_uuid(), pg_temp.id(10), pg_temp.id(101), 'confirmed', 'confirmed', 'system', 'job', pg_temp.at(0)); -- moved to another time
insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, tax_amount, income_account)
	values (pg_temp.id(110), pg_temp.id(10), pg_temp.id(90), pg_temp.id(101), 1, 'class', 'O', 2000, 200, 'income.class'),
		(pg_temp.id(111), pg_temp.id(10), pg_temp.id(91), pg_temp.id(105), 1, 'class', 'O', 2000, 200, 'income.class');
insert into payments (id, business_id, location_id, order_id, env, account, attempt, amount, currency, fee_amount, fee_ppm, status, outcome,
		created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), pg_temp.id(o), 'test', 'acct_1', n, 2200, 'USD', 44, 20000, status, outcome,
		pg_temp.at(0), pg_temp.at(0)
	from (values (120, 90, 'succeeded', 'fulfilled'), (121, 91, 'succeeded', 'refunded'), (122, 90, 'failed', '')) p (n, o, status, outcome);
insert into refunds (id, business_id, payment_id, amount, fee_amount, state, reason, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(p), amount, fee, state, 'r' || n, pg_temp.at(0), pg_temp.at(0)
	from (values (130, 120, 500, 10, 'succeeded'), (131, 121, 2200, 44, 'submitted'), (132, 120, 2200, 44, 'failed')) r (n, p, amount, fee, state);

-- 92: sold at the desk for booking 102 and paid in cash.
insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, currency, tax_mode, subtotal_amount, tax_amount, total_amount,
		created_at, fulfilled_at)
	values (pg_temp.id(92), pg_temp.id(10), pg_temp.id(11), pg_temp.id(62), sha256('92'), 'fulfilled', 'USD', 'exclusive', 2000, 0, 2000,
		pg_temp.at(0), pg_temp.at(0));
insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, tax_amount, income_account)
	values (pg_temp.id(112), pg_temp.id(10), pg_temp.id(92), pg_temp.id(102), 1, 'class', 'O', 2000, 0, 'income.class');
insert into order_tenders (id, business_id, location_id, order_id, kind, state, amount, currency, actor_kind, captured_at, created_at)
	values (pg_temp.id(170), pg_temp.id(10), pg_temp.id(11), pg_temp.id(92), 'cash', 'captured', 2000, 'USD', 'system', pg_temp.at(0),
		pg_temp.at(0));
insert into order_tenders (id, business_id, location_id, order_id, position, kind, state, amount, currency, captured_at, created_at)
	values (pg_temp.id(174), pg_temp.id(10), pg_temp.id(11), pg_temp.id(90), 1, 'card', 'captured', 2200, 'USD', pg_temp.at(0), pg_temp.at(0)),
		(pg_temp.id(175), pg_temp.id(10), pg_temp.id(11), pg_temp.id(91), 1, 'card', 'void', 2200, 'USD', null, pg_temp.at(0));
insert into tender_parts (business_id, tender_id, seq, line_id, account, amount)
	select pg_temp.id(10), pg_temp.id(t), p.seq, pg_temp.id(l), p.account, p.amount
	from (values (174, 110), (175, 111)) x (t, l), (values (1, 'income.class', 2000), (2, 'tax:x', 200)) p (seq, account, amount);
-- 93: sold at the desk's price for booking 108 with a code that takes 5.00 off, and that one order may have.
insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, currency, tax_mode, subtotal_amount, discount_amount, tax_amount,
		total_amount, created_at, fulfilled_at)
	values (pg_temp.id(93), pg_temp.id(10), pg_temp.id(11), pg_temp.id(68), sha256('93'), 'fulfilled', 'USD', 'exclusive', 2000, 500, 0, 1500,
		pg_temp.at(0), pg_temp.at(0));
insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, discount_amount, tax_amount, income_account)
	values (pg_temp.id(113), pg_temp.id(10), pg_temp.id(93), pg_temp.id(108), 1, 'class', 'O', 2000, 500, 0, 'income.class');
insert into discounts (id, business_id, name, code, amount, currency, uses_max, created_at, updated_at)
	values (pg_temp.id(191), pg_temp.id(10), 'N', 'C5', 500, 'USD', 1, pg_temp.at(0), pg_temp.at(0));
insert into order_discounts (id, business_id, order_id, discount_id, position, name, code, amount)
	values (pg_temp.id(192), pg_temp.id(10), pg_temp.id(93), pg_temp.id(191), 1, 'N', 'C5', 500);
-- 180: a drawer that was opened with 10.00 from the bank, got the 20.00 and 5.00 more, and was counted: 1.00 is missing, 10.00 stay.
-- 182: a drawer that is open. 183: 10.00 that were paid elsewhere have arrived.
insert into drawers (id, business_id, location_id, currency, float_amount, found_amount, closed_at, expected_amount, counted_amount, left_amount,
		created_at, updated_at)
	values (pg_temp.id(180), pg_temp.id(10), pg_temp.id(11), 'USD', 1000, 0, pg_temp.at(1), 3500, 3400, 1000, pg_temp.at(0), pg_temp.at(0)),
		(pg_temp.id(182), pg_temp.id(10), pg_temp.id(11), 'USD', 1000, 1000, null, null, null, null, pg_temp.at(2), pg_temp.at(2));
insert into drawer_transactions (id, business_id, drawer_id, kind, amount, note, actor_kind, created_at)
	values (pg_temp.id(181), pg_temp.id(10), pg_temp.id(180), 'pay_in', 500, 'change', 'system', pg_temp.at(0));
insert into settlements (id, business_id, location_id, currency, amount, fee_amount, actor_kind, created_at)
	values (pg_temp.id(183), pg_temp.id(10), pg_temp.id(11), 'USD', 950, 50, 'system', pg_temp.at(0));
update order_tenders set drawer_id = pg_temp.id(180) where id = pg_temp.id(170);
insert into tender_parts (business_id, tender_id, seq, line_id, account, amount)
	values (pg_temp.id(10), pg_temp.id(170), 1, pg_temp.id(112), 'income.class', 2000);

insert into ledger_accounts (id, business_id, code, currency, created_at)
	select pg_temp.id(n), pg_temp.id(10), code, 'USD', pg_temp.at(0)
	from (values (150, 'clearing.processor'), (151, 'income.class'), (152, 'asset.cash_on_hand'),
		(153, 'clearing.trx'), (154, 'asset.bank')) a (n, code);
with e as (
	insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at, local_date, size, created_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), kind, pg_temp.id(source), event, 'USD', pg_temp.at(0), '2026-06-15', 2, pg_temp.at(0)
	from (values (160, 'payment', 120, 'sale'), (161, 'payment', 121, 'sale'), (162, 'refund', 130, 'refund'), (163, 'manual_payment', 170, 'sale'),
		(164, 'drawer', 180, 'transfer'), (165, 'drawer', 181, 'transfer'), (166, 'drawer', 180, 'counted'), (167, 'drawer', 180, 'banked'),
		(168, 'settlement', 183, 'banked')) e (n, kind, source, event)
)
insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount)
	select pg_temp.id(10), pg_temp.id(n), seq, pg_temp.id(case when seq = 0 then held when n < 164 then 151 else 154 end), 'USD', '2026-06-15', case seq when 0 then amount else -amount end
	from (values (160, 2200, 150), (161, 2200, 150), (162, -500, 150), (163, 2000, 152), (164, 1000, 152), (165, 500, 152),
		(166, -100, 152), (167, -2400, 152), (168, -1000, 153)) e (n, amount, held), generate_series(0, 1) seq;

-- 195: credit of 5.00 that was granted to 68, in the books as 169.
insert into credits (business_id, customer_id, currency, balance, updated_at) values (pg_temp.id(10), pg_temp.id(68), 'USD', 500, pg_temp.at(0));
insert into credit_transactions (id, business_id, customer_id, location_id, currency, kind, amount, balance, note, actor_kind, created_at)
	values (pg_temp.id(195), pg_temp.id(10), pg_temp.id(68), pg_temp.id(11), 'USD', 'granted', 500, 500, 'a gift', 'system', pg_temp.at(0));
insert into ledger_accounts (id, business_id, code, currency, created_at)
	values (pg_temp.id(155), pg_temp.id(10), 'income.other', 'USD', pg_temp.at(0)), (pg_temp.id(156), pg_temp.id(10), 'stored_value.credit', 'USD', pg_temp.at(0));
with e as (
	insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at, local_date, size, created_at)
	values (pg_temp.id(169), pg_temp.id(10), pg_temp.id(11), 'credit', pg_temp.id(195), 'granted', 'USD', pg_temp.at(0), '2026-06-15', 2, pg_temp.at(0))
)
insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount)
	values (pg_temp.id(10), pg_temp.id(169), 0, pg_temp.id(155), 'USD', '2026-06-15', 500), (pg_temp.id(10), pg_temp.id(169), 1, pg_temp.id(156), 'USD', '2026-06-15', -500);

insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, token_hash, state, rank, party,
		offer_until, booking_id, created_at, updated_at)
	select pg_temp.id(n), pg_temp.id(10), pg_temp.id(11), pg_temp.id(20), pg_temp.id(occurrence), pg_temp.id(customer), sha256(n::text::bytea), state, n,
		party, case state when 'offered' then pg_temp.at(9) end, pg_temp.id(booking), pg_temp.at(0), pg_temp.at(0)
	from (values (140, 40, 68, 'waiting', 1, null), (141, 40, 69, 'offered', 2, null), (142, 40, 61, 'promoted', 1, 101), (143, 41, 65, 'closed', 1, null))
		e (n, occurrence, customer, state, party, booking);
insert into waitlist_transitions (id, business_id, entry_id, from_state, to_state, actor_kind, surface, created_at)
	select gen_random_uuid(), business_id, id, s.from_state, s.to_state, 'system', 'job', created_at
	from waitlist_entries e, lateral (select '' as from_state, 'waiting' as to_state union all select 'waiting', e.state where e.state <> 'waiting') s;

-- 200: a waiver in one copy, which customer 61 has signed for booking 101.
insert into agreement_documents (id, business_id, location_id, name, show, frequency, created_at, updated_at)
	values (pg_temp.id(200), pg_temp.id(10), pg_temp.id(11), 'Waiver', 'list', 'every_booking', pg_temp.at(0), pg_temp.at(0));
insert into agreement_copies (id, business_id, document_id, number, kind, format, body, sha256, bytes, actor_kind, created_at)
	values (pg_temp.id(201), pg_temp.id(10), pg_temp.id(200), 1, 'text', 'plain', 'Words.', sha256('Words.'), 6, 'system', pg_temp.at(0));
insert into agreement_acceptances (id, business_id, customer_id, document_id, copy_id, round, source, booking_id, actor_kind, created_at)
	values (pg_temp.id(202), pg_temp.id(10), pg_temp.id(61), pg_temp.id(200), pg_temp.id(201), 1, 'staff', pg_temp.id(101), 'system', pg_temp.at(0));

-- 203: a photo, and the files of another one that are to go.
insert into assets (id, business_id, sha256, format, bytes, width, height, color, blur, title, sizes, created_at, updated_at)
	values (pg_temp.id(203), pg_temp.id(10), repeat('a', 64), 'jpeg', 1000, 200, 100, '#aabbcc', 'x', 'Hall', '[160]', pg_temp.at(0), pg_temp.at(0));
insert into asset_leftovers (id, business_id, due_at, created_at) values (pg_temp.id(204), pg_temp.id(10), pg_temp.at(1), pg_temp.at(0));
