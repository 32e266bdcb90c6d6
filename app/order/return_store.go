package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// lockGoods locks a fulfilled order and reads its goods with what of them was returned.
func lockGoods(ctx context.Context, tx *pg.Tx, id uuid.UUID) (g SoldGoods, err error) {
	var found bool
	var lines []GoodsLine
	b := tx.Batch()
	pg.QueueExec(b, `select id from orders where business_id = $1 and id = $2 for no key update`, tx.Business(), id)
	pg.QueueOne(b, &g, &found, `select o.id as order_id, o.customer_id, o.location_id, o.currency,
			c.entered is null as anonymous,
			o.fulfilled_at >= date_trunc('day', $3::timestamptz at time zone l.zone) at time zone l.zone as today
		from orders o
		join locations l on l.business_id = $1 and l.id = o.location_id
		join customers c on c.business_id = $1 and c.id = o.customer_id
		where o.business_id = $1 and o.id = $2 and o.state = 'fulfilled'`, tx.Business(), id, tx.Now())
	pg.QueueAll(b, &lines, `select x.id, x.kind, x.subject_id, x.label, x.quantity, `+LineDueSQL+` as amount,
			`+ReturnedSQL("x")+` as returned
		from order_lines x join orders o on o.business_id = $1 and o.id = x.order_id
		where x.business_id = $1 and x.order_id = $2 and x.booking_id is null and x.fee_id is null
		order by x.position`, tx.Business(), id)
	if err = b.Send(ctx); err == nil && !found {
		err = pg.ErrNoRow
	}
	g.Lines = lines
	return pg.Found(g, err)
}

// ReturnedSQL is the returned quantity of a line of an order of business $1. Line is the name of its table in the
// statement.
func ReturnedSQL(line string) string {
	return `coalesce((select sum(g.quantity) from order_returns g
		where g.business_id = $1 and g.order_line_id = ` + line + `.id), 0)::int`
}

// insertReturns queues the writing of returns of goods.
func insertReturns(
	b *pg.Batch, tx *pg.Tx, by tenancy.Actor, note string, items []ReturnedItem, list []ReturnInput,
) {
	n := len(list)
	ids, lines, quantities := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]int, n)
	restocked, refunds := make([]bool, n), make([]*uuid.UUID, n)
	for i, it := range items {
		ids[i], lines[i], quantities[i], restocked[i] = it.ReturnID, it.LineID, it.Quantity, it.Restock
		refunds[i] = pg.OrNull(list[i].RefundID)
	}
	pg.QueueExec(b, `insert into order_returns (id, business_id, order_line_id, quantity, restocked, refund_id, note,
			actor_kind, actor_id, actor_name, created_at)
		select x.id, @business, x.line, x.quantity, x.restocked, x.refund, @note, @actor_kind, @actor, @actor_name, @now
		from unnest(@ids::uuid[], @lines::uuid[], @quantities::int[], @restocked::bool[], @refunds::uuid[])
			as x (id, line, quantity, restocked, refund)`, pg.Named{
		"ids": ids, "business": tx.Business(), "lines": lines, "quantities": quantities, "restocked": restocked,
		"refunds": refunds, "note": note, "actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name,
		"now": tx.Now(),
	})
}
