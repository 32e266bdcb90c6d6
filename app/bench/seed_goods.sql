-- What goods are measured with: a variant of business 0 with a long stock ledger, and variants of the rush that as many buyers want
-- as there are of each. bench.moves is how long the ledger is, bench.shelves how many of those variants there are. And goods of
-- business 0 that are sold at the desk, more than are needed.

-- ## a variant with a long stock ledger
insert into products (id, business_id, name, state, currency, created_at, updated_at)
values (bench.id(120, 0), bench.business(0), 'Mat', 'published', 'USD', now(), now());
insert into product_variants (id, business_id, product_id, price_amount, tracked_at, created_at, updated_at)
values (bench.id(121, 0), bench.business(0), bench.id(120, 0), 2400, now(), now(), now());
insert into stock_levels (business_id, variant_id, location_id, on_hand, below_zero, moves, updated_at)
values (bench.business(0), bench.id(121, 0), bench.location(0), bench.size('moves') % 2, false, bench.size('moves'), now());
insert into stock_moves (id, business_id, variant_id, location_id, number, kind, quantity, on_hand, reason, actor_kind, actor_name, created_at)
select bench.id(122, n), bench.business(0), bench.id(121, 0), bench.location(0), n, case n % 2 when 1 then 'receive' else 'adjust' end,
	case n % 2 when 1 then 1 else -1 end, n % 2, case n % 2 when 1 then '' else 'Used in class' end, 'person', 'Owner',
	now() - make_interval(mins => bench.size('moves') - n)
from generate_series(1, bench.size('moves')) n;

-- ## goods for the desk
insert into products (id, business_id, name, state, currency, created_at, updated_at)
select bench.id(160, p), bench.business(0), 'Bottle number ' || p, 'published', 'USD', now(), now() from generate_series(0, 60) p;
insert into product_variants (id, business_id, product_id, choices, price_amount, tracked_at, created_at, updated_at)
select bench.id(161, v), bench.business(0), bench.id(160, v / 10), jsonb_build_array('Size ' || v % 10), 900 + 100 * (v % 10), now(), now(),
	now()
from generate_series(0, 609) v;
insert into stock_levels (business_id, variant_id, location_id, on_hand, below_zero, moves, updated_at)
select bench.business(0), bench.id(161, v), bench.location(0), 900000, false, 1, now() from generate_series(0, 609) v;
insert into stock_moves (id, business_id, variant_id, location_id, number, kind, quantity, on_hand, actor_kind, actor_name, created_at)
select bench.id(167, v), bench.business(0), bench.id(161, v), bench.location(0), 1, 'receive', 900000, 900000, 'person', 'Owner', now()
from generate_series(0, 609) v;

-- ## variants with 200 of each, and a buyer with a cart for every one
insert into products (id, business_id, name, state, currency, created_at, updated_at)
values (bench.id(120, 1), bench.rush(), 'Strap', 'published', 'USD', now(), now());
insert into product_variants (id, business_id, product_id, choices, price_amount, tracked_at, created_at, updated_at)
select bench.id(123, v), bench.rush(), bench.id(120, 1), jsonb_build_array(v::text), 900, now(), now(), now()
from generate_series(0, bench.size('shelves') - 1) v;
insert into stock_levels (business_id, variant_id, location_id, on_hand, below_zero, moves, updated_at)
select bench.rush(), bench.id(123, v), bench.rush_location(), 200, false, 1, now() from generate_series(0, bench.size('shelves') - 1) v;
insert into stock_moves (id, business_id, variant_id, location_id, number, kind, quantity, on_hand, actor_kind, actor_name, created_at)
select bench.id(124, v), bench.rush(), bench.id(123, v), bench.rush_location(), 1, 'receive', 200, 200, 'person', 'Owner', now()
from generate_series(0, bench.size('shelves') - 1) v;
insert into persons (id, email, name, verified_at, created_at, updated_at)
select bench.id(125, n), 'buyer' || n || '@example.com', 'Buyer ' || n, now(), now(), now()
from generate_series(0, 200 * bench.size('shelves') - 1) n;
insert into customers (id, business_id, person_id, name, email, created_at, updated_at)
select bench.id(126, n), bench.rush(), bench.id(125, n), 'Buyer ' || n, 'buyer' || n || '@example.com', now(), now()
from generate_series(0, 200 * bench.size('shelves') - 1) n;
insert into sessions (id, person_id, token_hash, created_at, seen_at, expires_at)
select bench.id(127, n), bench.id(125, n), sha256(bench.session_token(100000 + n)::bytea), now(), now(), now() + interval '1 day'
from generate_series(0, 200 * bench.size('shelves') - 1) n;
insert into carts (id, business_id, location_id, token_hash, created_at, updated_at)
select bench.id(128, n), bench.rush(), bench.rush_location(), bench.cart_hash(1500000000 + n), now(), now()
from generate_series(0, 200 * bench.size('shelves') - 1) n;
insert into cart_items (id, business_id, cart_id, location_id, kind, subject_id, listed_amount, created_at)
select bench.id(129, n), bench.rush(), bench.id(128, n), bench.rush_location(), 'product', bench.id(123, n / 200), 900, now()
from generate_series(0, 200 * bench.size('shelves') - 1) n;
