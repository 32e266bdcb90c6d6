package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

func readBought(ctx context.Context, r pg.Reader, orders []uuid.UUID) ([]Bought, error) {
	return pg.All[Bought](ctx, r, `select distinct on (x.order_id) x.order_id, b.id as booking_id, c.name as customer_name,
			f.name as offering_name, b.starts_at, l.zone, (count(*) over (partition by x.order_id))::int - 1 as more
		from order_lines x
		left join fees y on y.business_id = x.business_id and y.id = x.fee_id
		join bookings b on b.business_id = x.business_id and b.id = coalesce(x.booking_id, y.booking_id)
		join customers c on c.business_id = b.business_id and c.id = b.customer_id
		join offerings f on f.business_id = b.business_id and f.id = b.offering_id
		join locations l on l.business_id = b.business_id and l.id = b.location_id
		where x.business_id = $1 and x.order_id = any($2)
		order by x.order_id, x.position`, r.Business(), orders)
}
