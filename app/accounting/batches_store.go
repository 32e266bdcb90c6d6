package accounting

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
)

const batchColumns = `select b.id, b.location_id, l.name as location_name, b.local_date, b.currency, b.kind,
		b.deposit_ref, b.amount, coalesce(p.status, '') as status, coalesce(p.skip_reason, '') as skip_reason,
		coalesce(p.last_error, '') as last_error, coalesce(p.external_url, '') as external_url, p.posted_at`

const fromBatches = `
	from accounting_batches b
	join locations l on l.business_id = $1 and l.id = b.location_id
	left join accounting_postings p on p.business_id = $1 and p.batch_id = b.id
	where b.business_id = $1 `

func listBatches(ctx context.Context, r pg.Reader, in BatchFilter) ([]ListedBatch, error) {
	q := pg.NewShape(batchColumns+fromBatches+`and b.amount > 0`, r.Business())
	q.AndIf(!in.From.IsZero(), "b.local_date >= ?::date", in.From.String())
	q.AndIf(!in.To.IsZero(), "b.local_date <= ?::date", in.To.String())
	if in.Page.After != nil {
		q.And("(b.local_date, b.id) < (?::date, ?)", in.Page.After.Date.String(), in.Page.After.ID)
	}
	q.Add(" order by b.local_date desc, b.id desc limit ?", in.Page.Size()+1)
	return pg.All[ListedBatch](ctx, r, q.SQL(), q.Args()...)
}

func readBatch(ctx context.Context, r pg.Reader, id uuid.UUID) (OpenBatch, error) {
	type row struct {
		ListedBatch
		Lines []byte
	}
	b, err := pg.Found(pg.One[row](ctx, r, batchColumns+`, b.lines`+fromBatches+`and b.id = $2`, r.Business(), id))
	if err != nil {
		return OpenBatch{}, err
	}
	lines, err := linesOf(b.Lines)
	return OpenBatch{b.ListedBatch, lines}, err
}

// listEntries lists the postings of the entries of a batch. A payment is found by the entry's source: a payment, a
// refund of one, or a balance transaction of one.
func listEntries(
	ctx context.Context, r pg.Reader, batch uuid.UUID, of lineFilter, in paging.In[paging.Moment],
) ([]BatchEntry, error) {
	q := pg.NewShape(`with e as (
			select e.id, e.source_kind, e.source_id, e.event, e.occurred_at
			from accounting_batch_entries x join ledger_entries e on e.business_id = $1 and e.id = x.entry_id
			where x.business_id = $1 and x.batch_id = $2`, r.Business(), batch)
	amount := `select sum(p.amount) filter (where p.amount > 0)::bigint as amount from ledger_postings p
			where p.business_id = $1 and p.entry_id = e.id`
	if of.codes != nil {
		q.And("(e.event = any(?::varchar[])) = ?", refundEvents, of.refund)
		q.And(`exists (select from ledger_postings p join ledger_accounts a on a.business_id = $1 and a.id = p.account_id
			where p.business_id = $1 and p.entry_id = e.id and a.code = any(?::varchar[]))`, of.codes)
		amount = `select sum(p.amount)::bigint as amount from ledger_postings p
			join ledger_accounts a on a.business_id = $1 and a.id = p.account_id
			where p.business_id = $1 and p.entry_id = e.id and a.code = any(?::varchar[])`
	}
	if in.After != nil {
		q.And("(e.occurred_at, e.id) > (?, ?)", in.After.At, in.After.ID)
	}
	q.Add(` order by e.occurred_at, e.id limit ?)
		select e.id as entry_id, e.source_kind, e.source_id, e.event, e.occurred_at, t.amount, s.payment_id, s.order_id,
			coalesce(nullif(c.name, ''), c.email, '') as customer,
			coalesce((select y.label from order_lines y where y.business_id = $1 and y.order_id = s.order_id
				order by y.position limit 1), '') as label
		from e
		join lateral (`, in.Size()+1)
	if of.codes != nil {
		q.Add(amount, of.codes)
	} else {
		q.Add(amount)
	}
	q.Add(`) t on true
		left join lateral (
			select p.id as payment_id, p.order_id from payments p
				where e.source_kind = 'payment' and p.business_id = $1 and p.id = e.source_id::uuid
			union all
			select p.id, p.order_id from refunds f join payments p on p.business_id = $1 and p.id = f.payment_id
				where e.source_kind = 'refund' and f.business_id = $1 and f.id = e.source_id::uuid
			union all
			select p.id, p.order_id from balance_transactions m join payments p on p.business_id = $1 and p.id = m.payment_id
				where e.source_kind = 'balance' and m.business_id = $1 and m.external_id = e.source_id
			union all
			select null, k.order_id from order_tenders k
				where e.source_kind = 'manual_payment' and k.business_id = $1 and k.id = e.source_id::uuid
			union all
			select null, k.order_id from refunds f join order_tenders k on k.business_id = $1 and k.id = f.tender_id
				where e.source_kind = 'manual_payment' and f.business_id = $1 and f.id = e.source_id::uuid
			limit 1) s on true
		left join orders o on o.business_id = $1 and o.id = s.order_id
		left join customers c on c.business_id = $1 and c.id = o.customer_id
		order by e.occurred_at, e.id`)
	return pg.All[BatchEntry](ctx, r, q.SQL(), q.Args()...)
}

// exportedLine is a line of a batch in a table.
type exportedLine struct {
	BatchID      uuid.UUID
	LocalDate    civil.Date
	LocationName string
	Kind         Kind
	Currency     money.Currency
	Category     Category
	Label        string
	Refund       bool
	Amount       int64
	ExternalURL  string
}

func exportLines(ctx context.Context, r pg.Reader, from, to civil.Date, most int) ([]exportedLine, error) {
	return pg.All[exportedLine](ctx, r, `select b.id as batch_id, b.local_date, l.name as location_name, b.kind,
			b.currency, x.line->>'category' as category, x.line->>'label' as label,
			coalesce((x.line->>'refund')::boolean, false) as refund, (x.line->>'amount')::bigint as amount,
			coalesce(p.external_url, '') as external_url
		from accounting_batches b
		join locations l on l.business_id = $1 and l.id = b.location_id
		left join accounting_postings p on p.business_id = $1 and p.batch_id = b.id
		cross join lateral jsonb_array_elements(b.lines) with ordinality as x (line, n)
		where b.business_id = $1 and b.amount > 0 and b.local_date between $2::date and $3::date
		order by b.local_date, b.id, x.n limit $4`, r.Business(), from.String(), to.String(), most)
}
