-- What accounting is measured with: companies that are connected to the provider, with closed days that are not in batches. The sales of
-- the first company have orders and payments. Its owner is that of business 0.

-- ## companies connected to the accounting provider
insert into businesses (business_id, name, slug, currency, zone, created_at, updated_at)
select bench.id(200, c), 'Company ' || c, 'company-' || c, 'USD', 'America/New_York', now(), now()
from generate_series(0, bench.size('companies') - 1) c;
insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
select bench.id(201, c), bench.id(200, c), 'hall-of-' || c, 'Hall of ' || c, 'America/New_York', 'USD', now(), now()
from generate_series(0, bench.size('companies') - 1) c;
insert into slugs (slug, business_id, current, created_at)
select slug, business_id, true, now() from businesses where slug like 'company-%';
insert into members (id, business_id, person_id, email, name, bookable, created_at, updated_at)
values (bench.id(202, 0), bench.id(200, 0), bench.id(9, 0), 'team0@example.com', 'Owner', false, now(), now());
insert into member_roles (id, business_id, member_id, role, created_at)
values (bench.id(203, 0), bench.id(200, 0), bench.id(202, 0), 'owner', now());
insert into tax_rates (id, business_id, name, ppm, created_at, updated_at)
select bench.id(204, c), bench.id(200, c), 'Sales tax', 88750, now(), now() from generate_series(0, bench.size('companies') - 1) c;
insert into ledger_accounts (id, business_id, code, currency, tax_rate_id, created_at)
select bench.id(205, c * 100 + a.n), bench.id(200, c), case a.code when 'tax' then 'tax:' || bench.id(204, c) else a.code end, 'USD',
	case a.code when 'tax' then bench.id(204, c) end, now()
from generate_series(0, bench.size('companies') - 1) c,
	unnest(array['clearing.processor', 'income.class', 'tax', 'expense.processor_fees', 'expense.booking_fees', 'asset.cash_on_hand', 'asset.bank'])
		with ordinality a (code, n);
insert into accounting_connections (id, business_id, external_company_id, company_name, home_currency, status, start_date, person_id, connected_at,
	created_at, updated_at)
select bench.id(206, c), bench.id(200, c), 'realm-' || c, 'Company ' || c, 'USD', 'connected', date '2020-01-01', bench.id(9, 0), now(), now(), now()
from generate_series(0, bench.size('companies') - 1) c;
insert into accounting_map_rows (id, business_id, connection_id, row_key, category, tax_rate_id, external_account_id, account_name, account_type,
	confirmed_at, created_at, updated_at)
select bench.id(207, c * 100 + a.n), bench.id(200, c), bench.id(206, c),
	case a.code when 'liability.sales_tax' then a.code || ':' || bench.id(204, c) else a.code end, a.code,
	case a.code when 'liability.sales_tax' then bench.id(204, c) end, a.n::text, a.code, 'Any', now(), now(), now()
from generate_series(0, bench.size('companies') - 1) c,
	unnest(array['clearing.processor', 'income.class', 'liability.sales_tax', 'expense.processor_fees', 'expense.booking_fees', 'asset.cash_on_hand',
		'asset.bank']) with ordinality a (code, n);

-- ## closed days: of ten entries six are card sales, two fees, one a sale in cash, one a refund; a payout a day
insert into ledger_closings (business_id, location_id, closed_through, due_at)
select bench.id(200, c), bench.id(201, c), (now() at time zone 'America/New_York')::date - 1, now() + interval '2 days'
from generate_series(0, bench.size('companies') - 1) c;
insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at, local_date, size, created_at)
select bench.id(208, k.k), bench.id(200, c), bench.id(201, c), e.kind, case e.kind when 'balance' then 'txn_bench_' || k.k else bench.id(209, k.k)::text end,
	e.event, 'USD', t.day + make_interval(hours => 17, secs => n), t.day, case e.event when 'payout' then 2 else 3 end, now()
from generate_series(0, bench.size('companies') - 1) c, generate_series(0, bench.size('days') - 1) d, generate_series(0, bench.size('entries') - 1) n,
	lateral (select (c * bench.size('days') + d)::bigint * bench.size('entries') + n as k) k,
	lateral (select (now() at time zone 'America/New_York')::date - 1 - d as day) t,
	lateral (select case when n = 0 or n % 10 in (6, 7) then 'balance' when n % 10 = 8 then 'manual_payment' when n % 10 = 9 then 'refund' else 'payment' end as kind,
		case when n = 0 then 'payout' when n % 10 in (6, 7) then 'fees' when n % 10 = 9 then 'refund' else 'sale' end as event) e;
insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount, base)
select e.business_id, e.id, p.seq, a.id, 'USD', e.local_date, p.amount, p.base
from ledger_entries e
join (values ('payment', 'sale', 0, 'clearing.processor', 2395, 0), ('payment', 'sale', 1, 'income.class', -2200, 0), ('payment', 'sale', 2, 'tax', -195, -2200),
	('manual_payment', 'sale', 0, 'asset.cash_on_hand', 2395, 0), ('manual_payment', 'sale', 1, 'income.class', -2200, 0), ('manual_payment', 'sale', 2, 'tax', -195, -2200),
	('refund', 'refund', 0, 'clearing.processor', -2395, 0), ('refund', 'refund', 1, 'income.class', 2200, 0), ('refund', 'refund', 2, 'tax', 195, 2200),
	('balance', 'fees', 0, 'expense.processor_fees', 99, 0), ('balance', 'fees', 1, 'expense.booking_fees', 48, 0),
	('balance', 'fees', 2, 'clearing.processor', -147, 0), ('balance', 'payout', 0, 'asset.bank', 100000, 0),
	('balance', 'payout', 1, 'clearing.processor', -100000, 0)) p (kind, event, seq, code, amount, base)
	on p.kind = e.source_kind and p.event = e.event
join ledger_accounts a on a.business_id = e.business_id and split_part(a.code, ':', 1) = p.code
where e.business_id in (select business_id from businesses where slug like 'company-%');

-- ## the sales of the first company
insert into customers (id, business_id, name, email, created_at, updated_at)
select bench.id(210, n), bench.id(200, 0), 'Customer ' || n, 'customer' || n || '@example.com', now(), now() from generate_series(0, 99) n;
insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, currency, tax_mode, subtotal_amount, tax_amount, total_amount,
	fulfilled_at, created_at)
select e.id, e.business_id, e.location_id, bench.id(210, row_number() over () % 100), sha256(e.id::text::bytea), 'fulfilled', 'USD', 'exclusive', 2200, 195, 2395,
	e.occurred_at, e.occurred_at
from ledger_entries e where e.business_id = bench.id(200, 0) and e.source_kind in ('payment', 'manual_payment');
insert into order_lines (business_id, id, order_id, booking_id, position, kind, label, listed_amount, tax_amount,
	income_account)
select o.business_id, gen_random_uuid(), o.id, gen_random_uuid(), 0, 'class', 'Class in the hall', 2200, 195, 'income.class' from orders o where o.business_id = bench.id(200, 0);
insert into payments (id, business_id, location_id, order_id, env, account, attempt, amount, currency, fee_amount, fee_ppm, status, outcome, created_at,
	updated_at, succeeded_at)
select e.source_id::uuid, e.business_id, e.location_id, e.id, 'simulated', 'acct_sim_company', 1, 2395, 'USD', 48, 20000, 'succeeded', 'fulfilled',
	e.occurred_at, e.occurred_at, e.occurred_at
from ledger_entries e where e.business_id = bench.id(200, 0) and e.source_kind = 'payment';
insert into order_tenders (id, business_id, location_id, order_id, kind, state, amount, currency, actor_kind, captured_at, created_at)
select e.source_id::uuid, e.business_id, e.location_id, e.id, 'cash', 'captured', 2395, 'USD', 'system', e.occurred_at, e.occurred_at
from ledger_entries e where e.business_id = bench.id(200, 0) and e.source_kind = 'manual_payment';
