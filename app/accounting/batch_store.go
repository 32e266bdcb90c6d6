package accounting

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// dueBatch is a location with a closed day that is not batched.
type dueBatch struct{ BusinessID, LocationID uuid.UUID }

func dueBatches(ctx context.Context, db *pg.DB) ([]dueBatch, error) {
	return pg.All[dueBatch](ctx, db.View(uuid.Nil), `select business_id, location_id from app.due_batches($1)`, batchMost)
}

// lockProgress locks the progress of a location and returns the days that are closed and not batched. The first time,
// it begins before the location's first entry.
func lockProgress(ctx context.Context, tx *pg.Tx, location uuid.UUID) (s span, found bool, err error) {
	b := tx.Batch()
	pg.QueueExec(b, `insert into accounting_progress (business_id, location_id, batched_through)
		select $1, c.location_id, coalesce((select min(e.local_date) - 1 from ledger_entries e
			where e.business_id = $1 and e.location_id = c.location_id and e.local_date <= c.closed_through), c.closed_through)
		from ledger_closings c where c.business_id = $1 and c.location_id = $2
		on conflict do nothing`, tx.Business(), location)
	pg.QueueOne(b, &s, &found, `select p.batched_through as from, c.closed_through as to
		from accounting_progress p join ledger_closings c on c.business_id = $1 and c.location_id = p.location_id
		where p.business_id = $1 and p.location_id = $2 for update of p`, tx.Business(), location)
	return s, found, b.Send(ctx)
}

func saveProgressIn(b *pg.Batch, tx *pg.Tx, location uuid.UUID, through civil.Date) {
	pg.QueueExec(b, `update accounting_progress set batched_through = $3::date
		where business_id = $1 and location_id = $2`,
		tx.Business(), location, through.String())
}

// refundEvents are the events of entries that are refunds and not sales.
var refundEvents = []string{string(ledger.EventRefund), string(ledger.EventVoid), string(ledger.EventFailed)}

// depositEvents are the events of entries with a document of their own.
var depositEvents = []string{string(ledger.EventPayout), string(ledger.EventBanked)}

// readSums adds up the postings of a span by day, currency and account, with deposits one by one.
func readSums(ctx context.Context, tx *pg.Tx, location uuid.UUID, s span) ([]sum, error) {
	return pg.All[sum](ctx, tx, `select x.date, x.currency, a.code, x.refund, x.entry_id, x.source_kind, x.source_id,
			sum(x.amount)::bigint as amount
		from (select e.local_date as date, e.currency, p.account_id, e.event = any(@refunds::varchar[]) as refund, p.amount,
				case when e.event = any(@deposits::varchar[]) then e.id end as entry_id,
				case when e.event = any(@deposits::varchar[]) then e.source_kind else '' end as source_kind,
				case when e.event = any(@deposits::varchar[]) then e.source_id else '' end as source_id
			from ledger_entries e
			join ledger_postings p on p.business_id = @business and p.entry_id = e.id
			where e.business_id = @business and e.location_id = @location
				and e.local_date > @from::date and e.local_date <= @to::date) x
		join ledger_accounts a on a.business_id = @business and a.id = x.account_id
		group by x.date, x.currency, a.code, x.refund, x.entry_id, x.source_kind, x.source_id
		order by x.date, x.currency, x.entry_id nulls first, a.code, x.refund`, pg.Named{
		"business": tx.Business(), "location": location, "from": s.From.String(), "to": s.To.String(),
		"refunds": refundEvents, "deposits": depositEvents,
	})
}

// readArrivals returns the days on which the payouts among sums arrive, by balance transaction.
func readArrivals(ctx context.Context, tx *pg.Tx, sums []sum) (map[string]civil.Date, error) {
	var ids []string
	for _, x := range sums {
		if x.EntryID != uuid.Nil && x.SourceKind == string(ledger.SourceBalance) {
			ids = append(ids, x.SourceID)
		}
	}
	slices.Sort(ids)
	out := map[string]civil.Date{}
	for some := range slices.Chunk(slices.Compact(ids), depositsIn) {
		rows, err := pg.All[arrival](ctx, tx, `select t.external_id as transaction_id, p.arrives_on
			from balance_transactions t
			join payouts p on p.business_id = $1 and p.env = t.env and p.account = t.account and p.external_id = t.source
			where t.business_id = $1 and t.external_id = any($2::varchar[])`, tx.Business(), some)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.TransactionID] = r.ArrivesOn
		}
	}
	return out, nil
}

// readLabels reads the names of all tax rates and revenue categories, archived ones, too.
func readLabels(ctx context.Context, r pg.Reader) (labels, error) {
	type named struct {
		ID   uuid.UUID
		Name string
		PPM  *int64 `db:"ppm"`
	}
	rows, err := pg.All[named](ctx, r, `select id, name, ppm::bigint as ppm from tax_rates where business_id = $1
		union all select id, name, null from revenue_categories where business_id = $1`, r.Business())
	out := labels{map[uuid.UUID]rateName{}, map[uuid.UUID]string{}}
	for _, x := range rows {
		if x.PPM != nil {
			out.rates[x.ID] = rateName{x.Name, *x.PPM}
		} else {
			out.categories[x.ID] = x.Name
		}
	}
	return out, err
}

// storedLine is a Line as the column lines has it.
type storedLine struct {
	Category          Category   `json:"category"`
	TaxRateID         *uuid.UUID `json:"taxRateId,omitempty"`
	RevenueCategoryID *uuid.UUID `json:"revenueCategoryId,omitempty"`
	Label             string     `json:"label"`
	Refund            bool       `json:"refund,omitempty"`
	Amount            int64      `json:"amount"`
}

func storedLines(lines []Line) ([]byte, error) {
	out := make([]storedLine, len(lines))
	for i, l := range lines {
		out[i] = storedLine{l.Category, ptrID(l.TaxRateID), ptrID(l.RevenueCategoryID), l.Label, l.Refund, l.Amount}
	}
	return json.Marshal(out)
}

func linesOf(stored []byte) ([]Line, error) {
	var rows []storedLine
	if err := json.Unmarshal(stored, &rows); err != nil {
		return nil, err
	}
	out := make([]Line, len(rows))
	for i, r := range rows {
		out[i] = Line{Row{r.Category, valueID(r.TaxRateID), valueID(r.RevenueCategoryID)}, r.Label, r.Refund, r.Amount}
	}
	return out, nil
}

func ptrID(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

func valueID(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

// rowKeys are the keys of the rows of the map that lines need, each once.
func rowKeys(lines []Line) []string {
	out := []string{}
	for _, l := range lines {
		out = append(out, l.Row.Key())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// insertBatchesIn queues the batches of a span and the assignment of its entries to them.
func insertBatchesIn(b *pg.Batch, tx *pg.Tx, batches []draft, s span) error {
	if len(batches) == 0 {
		return nil
	}
	n := len(batches)
	ids, entries, keys := make([]uuid.UUID, n), make([]*uuid.UUID, n), make([]string, n)
	days, dates, currencies, kinds := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	refs, lines, amounts := make([]string, n), make([]string, n), make([]int64, n)
	for i, d := range batches {
		stored, err := storedLines(d.Lines)
		if err != nil {
			return err
		}
		need, err := json.Marshal(rowKeys(d.Lines))
		if err != nil {
			return err
		}
		ids[i], entries[i], days[i], dates[i] = d.ID, ptrID(d.entry), d.day.String(), d.LocalDate.String()
		currencies[i], kinds[i], refs[i] = string(d.Currency), string(d.Kind), d.DepositRef
		amounts[i], lines[i], keys[i] = d.Amount, string(stored), string(need)
	}
	pg.QueueExec(b, `insert into accounting_batches (id, business_id, location_id, local_date, currency, kind, deposit_ref,
			amount, lines, row_keys, created_at)
		select x.id, @business, @location, x.date, x.currency, x.kind, x.ref, x.amount, x.lines::jsonb, x.keys::jsonb, @now
		from unnest(@ids::uuid[], @dates::date[], @currencies::varchar[], @kinds::varchar[], @refs::varchar[],
			@amounts::bigint[], @lines::text[], @keys::text[])
			as x (id, date, currency, kind, ref, amount, lines, keys)`, pg.Named{
		"business": tx.Business(), "location": batches[0].LocationID, "now": tx.Now(), "ids": ids, "dates": dates,
		"currencies": currencies, "kinds": kinds, "refs": refs, "amounts": amounts, "lines": lines, "keys": keys,
	})
	pg.QueueExec(b, `insert into accounting_batch_entries (business_id, entry_id, batch_id)
		select @business, e.id, x.id
		from ledger_entries e
		join unnest(@ids::uuid[], @days::date[], @currencies::varchar[], @entries::uuid[]) as x (id, day, currency, entry)
			on x.day = e.local_date and x.currency = e.currency
			and x.entry is not distinct from case when e.event = any(@deposits::varchar[]) then e.id end
		where e.business_id = @business and e.location_id = @location
			and e.local_date > @from::date and e.local_date <= @to::date`, pg.Named{
		"business": tx.Business(), "location": batches[0].LocationID, "ids": ids, "days": days, "currencies": currencies,
		"entries": entries, "deposits": depositEvents, "from": s.From.String(), "to": s.To.String(),
	})
	return nil
}
