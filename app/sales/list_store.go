package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// The two kinds of payments in the same columns.
var (
	cardColumns = `select p.id, 'card' as method, p.location_id, p.order_id, p.amount, p.currency, p.fee_amount, p.fee_ppm, p.status,
			p.balance_transaction is not null or p.on_approval and p.status = 'canceled' as costs_known, p.processor_fee, p.card_brand, p.card_last4, p.card_wallet, p.failure_code, p.failure_message,
			'' as note, '' as recorded_by, p.env, p.created_at, p.succeeded_at as paid_at,
			` + billing.AuthorizedSQL("p") + ` as authorized, ` + billing.ReleasedSQL("p") + ` as released
		from payments p where p.business_id = $1`
	manualPaymentColumns = `select t.id, t.kind as method, t.location_id, t.order_id, t.amount, t.currency, 0, 0,
			'succeeded', true, 0, '', '', '', '', '', t.note, t.actor_name, 'live', t.captured_at as created_at,
			t.captured_at, false, false
		from order_tenders t where t.business_id = $1 and t.kind <> 'card' and t.captured_at is not null`
)

// row is a payment with the data of its state and its fees.
type row struct {
	Payment
	Status       processor.Status
	CostsKnown   bool
	ProcessorFee int64
	Message      string `db:"failure_message"`
	Env          processor.Env
	Voided       bool
}

// feeLater is the platform fee of a payment x refunded because of a refund or dispute without us.
var feeLater = billing.FeeLaterSQL("$1", "x.id")

// beside joins names and refunds to the payments x.
var beside = `
	select x.*, l.name as location_name, l.zone, o.customer_id, c.name as customer_name, n.label, n.line_count,
		coalesce(r.amount, 0)::bigint as refunded,
		(coalesce(r.fee, 0) + case when x.method = 'card' then ` + feeLater + ` else 0 end)::bigint as fee_refunded,
		coalesce(r.voided, false) as voided
	from x
	join locations l on l.business_id = $1 and l.id = x.location_id
	join orders o on o.business_id = $1 and o.id = x.order_id
	join customers c on c.business_id = $1 and c.id = o.customer_id
	cross join lateral (select coalesce((array_agg(i.label order by i.position))[1], '') as label, count(*)::integer as line_count
		from order_lines i where i.business_id = $1 and i.order_id = x.order_id) n
	left join lateral (
		select sum(i.amount) as amount, sum(i.fee_amount) as fee, false as voided
		from refunds i
		where x.method = 'card' and i.business_id = $1 and i.payment_id = x.id and ` + billing.CountsSQL("i") + `
		having count(*) > 0
		union all
		select sum(i.amount) filter (where i.kind = 'refund'), 0, bool_or(i.kind = 'void')
		from refunds i where x.method <> 'card' and i.business_id = $1 and i.tender_id = x.id having count(*) > 0
	) r on true`

const newestFirst = ` order by created_at desc, id desc`

// lateAtMost is the maximum time from the beginning of a payment to its success: billing reads it for a week.
const lateAtMost = 8 * 24 * time.Hour

// listPayments reads a page of payments, one row more than it has, and cuts it before it joins names to the rows.
func listPayments(ctx context.Context, v *pg.View, in ListInput, see sight) ([]Payment, error) {
	s := pg.NewShape(`with x as (select * from ((`+cardColumns, v.Business())
	choose(s, "p", "p.created_at", "coalesce(p.succeeded_at, p.created_at)", in, see, v.Now())
	s.AndIf(in.Method != "" && in.Method != ByCard, `false`)
	if in.State == "" {
		s.And(`not ` + cardStateSQL(Canceled, cardBack))
	} else {
		s.And(cardStateSQL(in.State, cardBack))
	}
	s.Add(newestFirst+` limit ?) union all (`+manualPaymentColumns, in.Page.Size()+1)
	choose(s, "t", "t.captured_at", "t.captured_at", in, see, v.Now())
	s.AndIf(in.Method != "", `t.kind = ?`, in.Method)
	s.AndIf(in.State != "", manualPaymentStateSQL(in.State, tenderBack))
	s.Add(newestFirst+` limit ?)) both_kinds`+newestFirst+` limit ?)`+beside+newestFirst, in.Page.Size()+1, in.Page.Size()+1)
	rows, err := pg.All[row](ctx, v.Kept(), s.SQL(), s.Args()...)
	return payments(rows), err
}

// choose adds the conditions of both kinds: of the rows of table, listed by age, with the time of payment in taken.
func choose(s *pg.Shape, table, age, taken string, in ListInput, see sight, now time.Time) {
	day := func(moment string) string {
		return `(select (` + moment + `) at time zone l.zone from locations l where l.business_id = $1 and l.id = ` + table + `.location_id)`
	}
	s.AndIf(in.CustomerID != uuid.Nil, table+`.order_id in (select o.id from orders o where o.business_id = $1 and o.customer_id = ?)`, in.CustomerID)
	s.AndIf(in.LocationID != uuid.Nil, table+`.location_id = ?`, in.LocationID)
	s.AndIf(in.OrderID != uuid.Nil, table+`.order_id = ?`, in.OrderID)
	s.AndIf(!see.cover.Everywhere, table+`.location_id = any(?)`, see.cover.Locations)
	if see.limited() {
		s.And(`(`+table+`.location_id = any(?) or `+taken+` >= `+day(`date_trunc('day', ?::timestamptz at time zone l.zone)`)+`)`, see.full.Locations, now)
	}
	if !in.From.IsZero() { // the second condition is for the index
		s.And(taken+` >= `+day(`?::date::timestamp`)+` and `+age+` > ?`, in.From.String(), in.From.Utc().Add(-lateAtMost))
	}
	if !in.To.IsZero() {
		s.And(taken+` < `+day(`?::date::timestamp`)+` and `+age+` < ?`,
			in.To.AddDays(1).String(), in.To.Utc().AddDate(0, 0, 3))
	}
	after := in.Page.From()
	s.AndIf(in.Page.After != nil, `(`+age+`, `+table+`.id) < (?, ?)`, after.At, after.ID)
}

func payments(rows []row) []Payment {
	out := make([]Payment, len(rows))
	for i, r := range rows {
		out[i] = r.payment()
	}
	return out
}

// payment returns the row with its derived fields.
func (r row) payment() Payment {
	p := r.Payment
	p.State, p.Test = r.state(), r.Env != processor.EnvLive
	if p.State == Failed {
		p.Failure = r.Message
	}
	var fee *int64
	if r.CostsKnown {
		fee = &r.ProcessorFee
	}
	p.settle(fee)
	return p
}
