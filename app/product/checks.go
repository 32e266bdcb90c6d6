package product

import "foyer/app/declare"

// checks are the data checks of products and their stock.
var checks = []declare.Check{
	{
		Name: "stock_levels", Title: "Stock levels",
		About: "The stock of a variant at a location is the sum of its ledger, with the stock after each line.",
		SQL: `with moved as (
				select variant_id, location_id, sum(quantity)::int as quantity, count(*)::int as moves
				from stock_moves where business_id = $1 group by 1, 2
			)
			select 'product_variants', s.variant_id, coalesce(m.quantity, 0) || ' by ' || coalesce(m.moves, 0) || ' moves',
				s.on_hand || ' by ' || s.moves
			from stock_levels s left join moved m on m.variant_id = s.variant_id and m.location_id = s.location_id
			where s.business_id = $1 and (s.on_hand, s.moves) <> (coalesce(m.quantity, 0), coalesce(m.moves, 0))
			union all
			select 'stock_moves', m.id, m.before + m.quantity || ' after it', m.on_hand::text
			from (select id, quantity, on_hand, coalesce(lag(on_hand) over (
					partition by variant_id, location_id order by number), 0) as before
				from stock_moves where business_id = $1) m
			where m.on_hand <> m.before + m.quantity`,
	},
	{
		Name: "stock_held", Title: "Held stock",
		About: "The held stock of a variant is what carts have reserved, and only as long as they hold it, or sales at " +
			"the desk while a saved card is charged.",
		SQL: `with kept as (
				select variant_id, location_id, sum(quantity)::int as quantity
				from stock_reservations where business_id = $1 group by 1, 2
			)
			select 'product_variants', s.variant_id, coalesce(k.quantity, 0) || ' held', s.held::text
			from stock_levels s left join kept k on k.variant_id = s.variant_id and k.location_id = s.location_id
			where s.business_id = $1 and s.held <> coalesce(k.quantity, 0)
			union all
			select 'cart_items', r.item_id, 'reserved by a hold', 'without one'
			from stock_reservations r join cart_items i on i.business_id = $1 and i.id = r.item_id
			where r.business_id = $1 and not r.at_desk and i.hold_id is null
			union all
			select 'order_lines', r.item_id, 'reserved for an open order', o.state
			from stock_reservations r
			join order_lines x on x.business_id = $1 and x.id = r.item_id
			join orders o on o.business_id = $1 and o.id = x.order_id
			where r.business_id = $1 and r.at_desk and o.state <> 'open'`,
	},
	{
		Name: "stock_below_zero", Title: "Stock below zero",
		About: "Stock is below zero only of variants that may be sold so.",
		SQL: `select 'product_variants', s.variant_id, case when v.below_zero then 'may be below zero' else 'at least 0' end,
				(s.on_hand - s.held)::text || case when s.below_zero then ', may be below zero' else '' end
			from stock_levels s join product_variants v on v.business_id = $1 and v.id = s.variant_id
			where s.business_id = $1 and (s.below_zero <> v.below_zero or not v.below_zero and s.on_hand < s.held)`,
	},
	{
		Name: "stock_sold", Title: "Sold stock",
		About: "What orders have sold of a variant with tracked stock has left the stock, once.",
		// An item that was in a cart before its stock was tracked may have been held without a reservation.
		SQL: `select 'order_lines', x.id,
				case when o.state = 'fulfilled' then x.quantity || ' of ' || x.variant_id else 'none' end,
				coalesce(-m.quantity || ' of ' || m.variant_id, 'none')
			from order_lines x
			join orders o on o.business_id = $1 and o.id = x.order_id
			join product_variants v on v.business_id = $1 and v.id = x.variant_id
			left join cart_items i on i.business_id = $1 and i.id = x.cart_item_id
			left join stock_moves m on m.business_id = $1 and m.order_line_id = x.id and m.kind = 'sell'
			where x.business_id = $1 and case
				when m.id is not null then o.state <> 'fulfilled' or (m.variant_id, -m.quantity) <> (x.variant_id, x.quantity)
				else o.state = 'fulfilled' and v.tracked_at <= coalesce(i.created_at, o.created_at) end`,
	},
	{
		Name: "stock_returned", Title: "Returned stock",
		About: "What was returned for sale again of a variant with tracked stock is back in the stock, once.",
		SQL: `select 'order_returns', g.id,
				case when g.restocked then g.quantity || ' of ' || x.variant_id else 'none' end,
				coalesce(m.quantity || ' of ' || m.variant_id, 'none')
			from order_returns g
			join order_lines x on x.business_id = $1 and x.id = g.order_line_id
			join orders o on o.business_id = $1 and o.id = x.order_id
			join product_variants v on v.business_id = $1 and v.id = x.variant_id
			left join stock_moves m on m.business_id = $1 and m.return_id = g.id
			where g.business_id = $1 and case
				when m.id is not null then not g.restocked or (m.order_line_id, m.variant_id, m.location_id, m.quantity)
					<> (x.id, x.variant_id, o.location_id, g.quantity)
				else g.restocked and v.tracked_at <= g.created_at end`,
	},
	{
		Name: "variant_options", Title: "Product options",
		About: "Each variant has one of the choices of each option of its product.",
		SQL: `select 'product_variants', v.id, 'one choice of each option', v.choices::text
			from product_variants v
			where v.business_id = $1 and v.archived_at is null and (
				jsonb_array_length(v.choices) <> (select count(*) from product_options o
					where o.business_id = $1 and o.product_id = v.product_id)
				or exists (select from product_options o where o.business_id = $1 and o.product_id = v.product_id
					and not o.choices ? (v.choices ->> o.position - 1)))`,
	},
}
