-- The least floor of a sale of goods at the desk for cash: what must be written for it, by hand, and nothing else. It does not
-- follow the product: it changes when a promise does. sale.go says which promises these are, and makes a script of pgbench of it.
-- :n is the number of the sale, which decides who buys and the ten variants.

-- ## set
-- Each client's first sales are not planned anew.
select set_config('app.business_id', :business, true), set_config('app.actor', :actor, true),
	set_config('plan_cache_mode', 'force_generic_plan', true);

-- ## sell
with place as materialized (
	select l.business_id, l.id, l.currency, l.tax_mode, l.zone, u.id as customer_id
	from locations l join customers u on u.business_id = l.business_id and u.id = bench.customer(:n)
	where l.business_id = :business::uuid and l.id = bench.location(0) and l.archived_at is null for share of l
), asked as materialized (
	select i::integer as position, bench.shelf(:n, i) as variant_id, 1 as quantity from generate_series(1, 10) i
), shelves as (
	select s.variant_id, s.below_zero, s.on_hand - s.held as available from stock_levels s
	where s.business_id = :business::uuid and s.location_id = bench.location(0) and s.variant_id = any(array(select variant_id from asked))
	order by s.variant_id for no key update
), wanted as (
	select a.*, bench.id(164, :n * 10 + a.position) as line_id, v.price_amount * a.quantity as amount,
		p.name || ' (' || (select string_agg(c, ', ') from jsonb_array_elements_text(v.choices) c) || ')' as label
	from asked a
		join shelves s on s.variant_id = a.variant_id
		join place l on true
		join product_variants v on v.business_id = l.business_id and v.id = a.variant_id
		join products p on p.business_id = l.business_id and p.id = v.product_id
	where v.id = any(array(select variant_id from asked)) and v.tracked_at is not null and v.archived_at is null and p.state = 'published' and p.currency = l.currency
		and (s.below_zero or s.available >= a.quantity)
), going as (
	select l.*, x.total from place l, (select count(*) as lines, sum(amount)::bigint as total from wanted) x where x.lines = 10
), sold as (
	insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, currency, tax_mode, subtotal_amount, tax_amount,
		total_amount, created_at, fulfilled_at)
	select bench.id(162, :n), business_id, id, customer_id, sha256(('sale' || :n::bigint)::bytea), 'fulfilled', currency, tax_mode, total, 0,
		total, now(), now()
	from going
), lines as (
	insert into order_lines (id, business_id, order_id, subject_id, position, kind, quantity, label, listed_amount, tax_amount, tax_name,
		tax_ppm, income_account)
	select w.line_id, g.business_id, bench.id(162, :n), w.variant_id, w.position, 'product', w.quantity, w.label, w.amount, 0, '', 0,
		'income.product'
	from wanted w, going g
), taken as (
	update stock_levels s set on_hand = s.on_hand - w.quantity, moves = s.moves + 1, updated_at = now() from wanted w, going g
	where s.business_id = g.business_id and s.variant_id = any(array(select variant_id from asked)) and s.variant_id = w.variant_id
		and s.location_id = g.id
	returning s.business_id, s.variant_id, s.location_id, s.moves, s.on_hand, w.position, w.quantity, w.line_id
), moved as (
	insert into stock_moves (id, business_id, variant_id, location_id, number, kind, quantity, on_hand, order_line_id, actor_kind,
		actor_id, actor_name, created_at)
	select bench.id(165, :n * 10 + position), business_id, variant_id, location_id, moves, 'sell', -quantity, on_hand, line_id, 'person',
		bench.booker(0), :name, now()
	from taken
), drawer as (
	select d.id from drawers d, going g
	where d.business_id = g.business_id and d.location_id = g.id and d.closed_at is null for share of d
), paid as (
	insert into order_tenders (id, business_id, location_id, order_id, drawer_id, kind, state, amount, currency, actor_kind, actor_id,
		actor_name, captured_at, created_at)
	select bench.id(163, :n), business_id, id, bench.id(162, :n), (select id from drawer), 'cash', 'captured', total, currency, 'person',
		bench.booker(0), :name, now(), now()
	from going
), split as (
	insert into tender_parts (business_id, tender_id, seq, line_id, account, amount)
	select g.business_id, bench.id(163, :n), w.position, w.line_id, 'income.product', w.amount from wanted w, going g
), books as (
	select c.closed_through from ledger_closings c, going g where c.business_id = g.business_id and c.location_id = g.id for share of c
), written as (
	insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at, local_date, size,
		created_at)
	select bench.id(166, :n), g.business_id, g.id, 'manual_payment', bench.id(163, :n)::text, 'sale', g.currency, now(),
		greatest((now() at time zone g.zone)::date, b.closed_through + 1), 2, now()
	from going g, books b
	returning id, business_id, currency, local_date
)
insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount, base)
select w.business_id, w.id, x.seq, a.id, w.currency, w.local_date, x.sign * g.total, 0
from written w, going g, (values (0, 'asset.cash_on_hand', 1), (1, 'income.product', -1)) x (seq, code, sign)
join ledger_accounts a on a.business_id = :business::uuid and a.code = x.code and a.currency = 'USD';
