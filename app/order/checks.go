package order

import "foyer/app/declare"

// checks are the data checks of orders.
var checks = []declare.Check{{
	Name: "returned_goods", Title: "Returned goods",
	About: "No more of a line is returned than was sold, and only goods of orders that are fulfilled.",
	SQL: `select 'order_lines', x.id, 'at most ' || x.quantity || ' of ' || o.state,
			sum(g.quantity) || ' returned of ' || x.kind
		from order_returns g
		join order_lines x on x.business_id = $1 and x.id = g.order_line_id
		join orders o on o.business_id = $1 and o.id = x.order_id
		where g.business_id = $1
		group by x.id, x.quantity, x.kind, x.booking_id, x.fee_id, o.state
		having sum(g.quantity) > x.quantity or o.state <> 'fulfilled' or x.booking_id is not null or x.fee_id is not null`,
}}
