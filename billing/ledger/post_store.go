package ledger

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
)

// PostIn queues entries, all of one location. An entry that is written already is left as it is, so that a replay
// does nothing. It comes last in its transaction: the day's books stay open until that commits.
//
// An error is a mistake in the program: an entry with another sum than zero.
func PostIn(b *pg.Batch, tx *pg.Tx, entries ...Entry) error {
	entries = slices.DeleteFunc(slices.Clone(entries), Entry.Empty)
	if len(entries) == 0 {
		return nil
	}
	for _, e := range entries {
		if err := e.check(); err != nil {
			return err
		}
	}
	pg.QueueExec(b, openBooks, tx.Business(), entries[0].LocationID, tx.Now(), closeAfter)
	a := accountsOf(entries)
	pg.QueueExec(b, openAccounts, tx.Business(), tx.Now(), pg.NewIDs(len(a.codes)), a.codes, a.currencies, a.rates,
		a.categories)
	pg.QueueExec(b, post, posting(tx, entries))
	return nil
}

// openBooks begins the books of a location with today.
var openBooks = pg.Hot(`insert into ledger_closings (business_id, location_id, closed_through, due_at)
	select $1, l.id, d.today - 1, ((d.today + 1)::timestamp at time zone l.zone) + $4::interval
	from locations l, lateral (select ($3::timestamptz at time zone l.zone)::date as today) d
	where l.business_id = $1 and l.id = $2
	on conflict do nothing`)

// openAccounts opens the accounts that do not exist yet, in the order of their codes.
var openAccounts = pg.Hot(`insert into ledger_accounts (id, business_id, code, currency, tax_rate_id,
		revenue_category_id, created_at)
	select x.id, $1, x.code, x.currency, x.rate, x.category, $2
	from unnest($3::uuid[], $4::varchar[], $5::varchar[], $6::uuid[], $7::uuid[]) as x (id, code, currency, rate, category)
	where not exists (select from ledger_accounts a where a.business_id = $1 and a.code = x.code and a.currency = x.currency)
	on conflict do nothing`)

// post writes entries into the first open day from the one of their event. No day is closed meanwhile: the location's
// row is locked against that, and against nothing else.
var post = pg.Hot(`with books as (
		select closed_through from ledger_closings where business_id = @business and location_id = @location for share
	), written as (
		insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at, local_date, size,
			created_at)
		select x.id, @business, @location, x.kind, x.source, x.event, x.currency, x.at,
			greatest((x.at at time zone l.zone)::date, books.closed_through + 1), x.size, @now
		from books, locations l, unnest(@ids::uuid[], @kinds::varchar[], @sources::varchar[], @events::varchar[], @currencies::varchar[],
			@at::timestamptz[], @sizes::integer[]) as x (id, kind, source, event, currency, at, size)
		where l.business_id = @business and l.id = @location
		on conflict on constraint ledger_entries_source_key do nothing
		returning id, currency, local_date
	)
	insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount, base)
	select @business, w.id, x.seq, a.id, w.currency, w.local_date, x.amount, x.base
	from unnest(@of::uuid[], @seqs::integer[], @codes::varchar[], @amounts::bigint[], @bases::bigint[]) as x (entry, seq, code, amount, base)
	join written w on w.id = x.entry
	join ledger_accounts a on a.business_id = @business and a.code = x.code and a.currency = w.currency`)

// accountRows are the accounts of entries, each once, by column.
type accountRows struct {
	codes, currencies []string
	rates, categories []*uuid.UUID
}

func accountsOf(entries []Entry) accountRows {
	type key struct {
		code     Account
		currency money.Currency
	}
	var keys []key
	for _, e := range entries {
		for _, p := range e.Postings {
			keys = append(keys, key{p.Account, e.Currency})
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.currency, b.currency)) })
	var out accountRows
	for _, k := range slices.Compact(keys) {
		out.codes, out.currencies = append(out.codes, string(k.code)), append(out.currencies, string(k.currency))
		out.rates, out.categories = append(out.rates, k.code.rate()), append(out.categories, k.code.revenueCategory())
	}
	return out
}

// posting returns the arguments of post: entries and their postings, by column.
func posting(tx *pg.Tx, entries []Entry) pg.Named {
	n := len(entries)
	ids, at, sizes := pg.NewIDs(n), make([]time.Time, n), make([]int, n)
	kinds, sources, events, currencies := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	var of []uuid.UUID
	var seqs []int
	var codes []string
	var amounts, bases []int64
	for i, e := range entries {
		kinds[i], sources[i], events[i], currencies[i] = string(e.Kind), e.ID, string(e.Event), string(e.Currency)
		at[i], sizes[i] = e.At, len(e.Postings)
		for seq, p := range e.Postings {
			of, seqs = append(of, ids[i]), append(seqs, seq)
			codes, amounts, bases = append(codes, string(p.Account)), append(amounts, p.Amount), append(bases, p.Base)
		}
	}
	return pg.Named{
		"business": tx.Business(), "location": entries[0].LocationID, "now": tx.Now(),
		"ids": ids, "kinds": kinds, "sources": sources, "events": events, "currencies": currencies, "at": at, "sizes": sizes,
		"of": of, "seqs": seqs, "codes": codes, "amounts": amounts, "bases": bases,
	}
}
