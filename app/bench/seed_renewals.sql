-- Members of business 0 whose second billing period began yesterday, with a saved card each; bench.renewals says how many. Their
-- plan is called Renewing.

-- ## members whose billing period begins
insert into customers (id, business_id, name, email, created_at, updated_at)
select bench.id(171, n), bench.business(0), 'Member ' || n, 'member' || n || '@example.com', now() - interval '2 months', now()
from generate_series(0, bench.size('renewals') - 1) n;
insert into memberships (id, business_id, customer_id, plan_id, location_id, name, kind, currency, state, sold, starts_on, anchor_on,
	consent_text, consented_at, actor_kind, actor_name, version, created_at, updated_at)
select bench.id(172, n), bench.business(0), bench.id(171, n), p.id, bench.location(0), p.name, p.kind, p.currency, 'active',
	jsonb_build_object('benefits', '[]'::jsonb, 'validity', '{"Count": 1, "Unit": "month", "FromFirstUse": false}'::jsonb, 'price',
		p.price_amount, 'renewal', '{"introAmount": 0, "introPeriods": 0, "minPeriods": 0, "ends": false, "noticeDays": 0}'::jsonb),
	d.day - 31, d.day - 31, 'Charge my card each month.', now() - interval '31 days', 'system', '', 1, now() - interval '31 days', now()
from generate_series(0, bench.size('renewals') - 1) n, plans p, (select (now() at time zone 'America/New_York')::date - 1 as day) d
where p.business_id = bench.business(0) and p.name = 'Renewing';
insert into cycles (id, business_id, membership_id, number, starts_on, ends_on, price_amount, state, version, created_at, updated_at)
select bench.id(172 + c, n), bench.business(0), bench.id(172, n), c, d.day - 31 * (2 - c), d.day - 31 * (1 - c), 6000,
	case c when 1 then 'paid' else 'coming' end, 1, now() - interval '31 days', now()
from generate_series(0, bench.size('renewals') - 1) n, generate_series(1, 2) c,
	(select (now() at time zone 'America/New_York')::date - 1 as day) d;
insert into saved_cards (id, business_id, customer_id, env, account, method, brand, last4, exp_month, exp_year, fingerprint,
	consent_text, consent_version, consented_at, created_at, updated_at)
select bench.id(175, n), bench.business(0), bench.id(171, n), a.env, a.external_id, 'pm_' || n, 'visa', '4242', 12, 2099, 'f' || n,
	'Save my card.', '1', now() - interval '31 days', now() - interval '31 days', now()
from generate_series(0, bench.size('renewals') - 1) n, processor_accounts a where a.business_id = bench.business(0);
