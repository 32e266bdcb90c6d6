package order

import (
	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/tender"
)

var selectSold = pg.Hot(`select x.id as line_id, x.listed_amount, x.discount_amount, x.tax_amount,
		x.tax_rate_id, x.tax_ppm, x.income_account, o.tax_mode, o.tax_amount as order_tax_amount,
		coalesce(t.service_fee_amount, 0) as service_fee_amount
	from orders o join order_lines x on x.business_id = o.business_id and x.order_id = o.id
	left join order_tenders t on t.business_id = o.business_id and t.order_id = o.id and t.kind = 'card'
	where o.business_id = $1 and o.id = $2 order by x.position`)

// soldLines queues the reading of an order's lines.
func soldLines(b *pg.Batch, r pg.Reader, order uuid.UUID) *[]soldPart {
	rows := new([]soldPart)
	pg.QueueAll(b, rows, selectSold, r.Business(), order)
	return rows
}

// paidLater queues the reading of the amounts that saved cards paid later for the lines of an order: parts of its
// lines.
func paidLater(b *pg.Batch, r pg.Reader, order uuid.UUID) func() []tender.Part {
	var rows []struct {
		soldPart
		OfLineID uuid.UUID
		OrderID  uuid.UUID
	}
	pg.QueueAll(b, &rows, `select y.id as line_id, y.listed_amount, y.discount_amount, y.tax_amount, y.tax_rate_id,
			y.tax_ppm, x.income_account, q.tax_mode,
			0::bigint as order_tax_amount, 0::bigint as service_fee_amount, y.of_line_id, q.id as order_id
		from order_lines x
		join order_lines y on y.business_id = $1 and y.of_line_id = x.id
		join orders q on q.business_id = $1 and q.id = y.order_id and q.state = 'fulfilled'
		where x.business_id = $1 and x.order_id = $2 order by y.order_id, y.position`, r.Business(), order)
	return func() (parts []tender.Part) {
		for _, row := range rows {
			row.LineID = row.OfLineID
			row.OrderTaxAmount = row.TaxAmount
			parts = append(parts, partsOf([]soldPart{row.soldPart})...)
		}
		return parts
	}
}
