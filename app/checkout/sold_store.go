package checkout

import (
	"github.com/google/uuid"

	"foyer/app/pg"
)

var selectSold = pg.Hot(`select x.id as line_id, x.kind, x.listed_amount, x.discount_amount, x.tax_amount,
		x.tax_rate_id, x.tax_ppm, x.revenue_category_id, o.tax_mode, o.tax_amount as order_tax_amount, o.service_fee_amount,
		o.credit_amount as order_credit_amount, o.due_amount, x.card_amount, x.credit_amount
	from orders o join order_lines x on x.business_id = o.business_id and x.order_id = o.id
	where o.business_id = $1 and o.id = $2 order by x.position`)

// soldLines queues the reading of an order's lines.
func soldLines(b *pg.Batch, r pg.Reader, order uuid.UUID) *[]soldPart {
	rows := new([]soldPart)
	pg.QueueAll(b, rows, selectSold, r.Business(), order)
	return rows
}
