package report

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/balance"
	"foyer/billing/ledger"
)

// rateRow is a tax rate with its name.
type rateRow struct {
	ID   uuid.UUID
	Name string
	Ppm  int64
}

// names are the names of the rows of a report.
type names struct {
	locations, categories map[uuid.UUID]string
	rates                 map[uuid.UUID]rateRow
}

// nameRow is a row with its name.
type nameRow struct {
	ID   uuid.UUID
	Name string
}

func byID(rows []nameRow) map[uuid.UUID]string {
	out := make(map[uuid.UUID]string, len(rows))
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out
}

func readNames(ctx context.Context, v *pg.View) (names, error) {
	var places, categories []nameRow
	var rates []rateRow
	b := v.Batch()
	pg.QueueAll(b, &places, `select id, name from locations where business_id = $1`, v.Business())
	pg.QueueAll(b, &rates, `select id, name, ppm from tax_rates where business_id = $1`, v.Business())
	pg.QueueAll(b, &categories, `select id, name from revenue_categories where business_id = $1`, v.Business())
	if err := b.Send(ctx); err != nil {
		return names{}, err
	}
	out := names{locations: byID(places), categories: byID(categories), rates: map[uuid.UUID]rateRow{}}
	for _, r := range rates {
		out.rates[r.ID] = r
	}
	return out, nil
}

// orderRow is the customer of an order and its lines.
type orderRow struct {
	ID           uuid.UUID
	CustomerName string
	Label        string // of the first line
	LineCount    int
}

// readOrders returns the orders of the lines of payouts.
func readOrders(ctx context.Context, r pg.Reader, lines []balance.PayoutLine) (map[uuid.UUID]orderRow, error) {
	var ids []uuid.UUID
	for _, l := range lines {
		if l.OrderID != uuid.Nil {
			ids = append(ids, l.OrderID)
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	rows, err := pg.All[orderRow](ctx, r, `select o.id, c.name as customer_name, n.label, n.line_count from orders o
		join customers c on c.business_id = $1 and c.id = o.customer_id
		cross join lateral (select coalesce((array_agg(i.label order by i.position))[1], '') as label,
				count(*)::integer as line_count
			from order_lines i where i.business_id = $1 and i.order_id = o.id) n
		where o.business_id = $1 and o.id = any ($2)`, r.Business(), slices.Compact(ids))
	out := make(map[uuid.UUID]orderRow, len(rows))
	for _, o := range rows {
		out[o.ID] = o
	}
	return out, err
}

// readPaid is ledger.Turnovers of the fees, for each payment by itself. A fee belongs to the payment with its charge,
// refund or dispute in the fee's balance transaction. It reads no more than most rows.
func readPaid(ctx context.Context, v *pg.View, s ledger.Span, most int) ([]paid, error) {
	return pg.All[paid](ctx, v, `with posted as (`+ledger.SourcesSQL("@business", "@from::date", "@to::date", "@accounts::varchar[]")+`
			and (@currency::varchar = '' or a.currency = @currency) and (@everyone or e.location_id = any (@locations::uuid[]))
			and (a.code <> @clearing or e.event = 'sale')
		), of as (
			select s.date, s.location_id, s.currency, s.code, s.event, s.amount, case s.source_kind when 'payment' then s.source_id::uuid
				when 'balance' then coalesce(p.id, r.payment_id, t.payment_id, d.payment_id) end as payment_id
			from posted s
			left join payments p on s.source_kind = 'balance' and p.business_id = @business and p.balance_transaction = s.source_id
			left join refunds r on s.source_kind = 'balance' and r.business_id = @business and r.balance_transaction = s.source_id
			left join balance_transactions t on s.source_kind = 'balance' and t.business_id = @business and t.external_id = s.source_id
			left join disputes d on t.category in ('dispute', 'dispute_reversal') and d.business_id = @business and d.external_id = t.source
		)
		select date, location_id, currency, code as account, event, sum(amount)::bigint as amount,
			coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as credit, 0::bigint as base, count(*)::integer as count,
			coalesce(payment_id, '00000000-0000-0000-0000-000000000000') as payment_id
		from of group by date, location_id, currency, code, event, payment_id limit @most`, pg.Named{
		"business": v.Business(), "from": s.From.String(), "to": s.To.String(), "accounts": feeAccounts, "currency": string(s.Currency),
		"everyone": s.Everyone, "locations": s.Locations, "clearing": string(ledger.Clearing), "most": most,
	})
}
