package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgeronline"
	"foyer/app/civil"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/sealed"
	"foyer/app/tenancy"
)

// booksSize is the size of the accounting workload.
type booksSize struct {
	companies int // connected to the provider, with one location each
	days      int // closed days of each location
	entries   int // of each day
	pending   int // documents of each company that wait to be posted
}

// The aims of accounting.
const (
	batchesMost = 30 // seconds for all days
	heapMost    = 16 // MB that the heap grows by
	openMost    = 5  // ms of the server for a batch
	silentMost  = 1.2
)

// accounting measures the batches of closed days, a batch opened to its entries, and the posting of documents. It has
// companies of its own.
func (b *bench) accounting(ctx context.Context) (rows []Row, err error) {
	x, err := b.openAccounting(ctx, booksSize{companies: 200, days: 5, entries: 200, pending: 50})
	if err != nil {
		return nil, err
	}
	defer x.db.Close()
	for _, part := range []func(context.Context) ([]Row, error){x.batches, x.opened, x.posted} {
		more, err := part(ctx)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// accountant runs the sweeps of accounting as a worker does.
type accountant struct {
	*bench
	size     booksSize
	db       *pg.DB // as foyer_job
	provider *provider
	service  *accounting.Service
}

// openAccounting seeds the companies.
func (b *bench) openAccounting(ctx context.Context, s booksSize) (x *accountant, err error) {
	settings := map[string]int{"companies": s.companies, "days": s.days, "entries": s.entries}
	if err := fill(ctx, b.super, settings, b.Say, "seed_accounting.sql"); err != nil {
		return nil, err
	}
	keys, err := sealed.Parse(strings.Repeat("be", 32))
	if err != nil {
		return nil, err
	}
	x = &accountant{bench: b, size: s, provider: &provider{}}
	if err := x.seal(ctx, keys); err != nil {
		return nil, err
	}
	if x.db, err = pg.Open(ctx, pg.Config{URL: x.url("foyer_job"), MaxConns: 16}); err != nil {
		return nil, err
	}
	x.service = accounting.New(accounting.Options{
		DB: x.db, Provider: x.provider, Keys: keys, Log: slog.New(slog.DiscardHandler),
	})
	return x, nil
}

// seal stores tokens of the connections that are valid for a day.
func (x *accountant) seal(ctx context.Context, keys *sealed.Keys) error {
	type connection struct{ BusinessID, ID uuid.UUID }
	found, err := x.super.Query(ctx, "select business_id, id from accounting_connections")
	if err != nil {
		return err
	}
	all, err := pgx.CollectRows(found, pgx.RowToStructByPos[connection])
	if err != nil {
		return err
	}
	var rows [][]any
	now := time.Now() // real time: of the database's rows
	for _, c := range all {
		row := []any{c.BusinessID, c.ID}
		for _, column := range []string{"access", "refresh"} {
			at := sealed.Cell{Business: c.BusinessID, Table: "accounting_tokens", Row: c.ID, Column: column}
			value, err := keys.Seal(at, []byte("a token of the bench"))
			if err != nil {
				return err
			}
			row = append(row, value)
		}
		rows = append(rows, append(row, now.Add(24*time.Hour), now))
	}
	columns := []string{"business_id", "connection_id", "access", "refresh", "access_expires_at", "updated_at"}
	_, err = x.super.CopyFrom(ctx, pgx.Identifier{"accounting_tokens"}, columns, pgx.CopyFromRows(rows))
	return err
}

// clear removes all batches and postings. Their tables refuse this, except without triggers.
func (x *accountant) clear(ctx context.Context) error {
	_, err := x.super.Exec(ctx, `set session_replication_role = replica;
		truncate accounting_postings, accounting_batch_entries, accounting_batches, accounting_progress;
		update accounting_connections set work_at = null, claimed_until = null;
		reset session_replication_role`)
	return err
}

// batches measures the sweep that puts closed days into batches: its time, and the growth of the heap of this process.
func (x *accountant) batches(ctx context.Context) ([]Row, error) {
	days := x.size.companies * x.size.days
	name := fmt.Sprintf("%d location-days of %d entries in batches", days, x.size.entries)
	var took, grew series
	for round := range x.Rounds {
		if err := x.clear(ctx); err != nil {
			return nil, err
		}
		h := watchHeap()
		began := time.Now() // real time: it is measured
		err := x.service.BatchDays(ctx)
		seconds, mb := time.Since(began).Seconds(), h.stop()
		if err != nil {
			return nil, err
		}
		var in, all int
		if err := x.super.QueryRow(ctx, `select (select count(*) from accounting_batch_entries),
			(select count(*) from ledger_entries e join accounting_connections c on c.business_id = e.business_id)`,
		).Scan(&in, &all); err != nil {
			return nil, err
		}
		if in != all || all != days*x.size.entries {
			return nil, fmt.Errorf("bench: %d of %d entries are in batches", in, all)
		}
		took, grew = append(took, seconds), append(grew, mb)
		x.Say(fmt.Sprintf("%s %d/%d: %.1f s, the heap grew by %.1f MB", name, round+1, x.Rounds, seconds, mb))
	}
	return []Row{
		{
			Workload: name + ", s", Foyer: took.median(), Floor: math.NaN(), Figure: took, Unit: "s",
			Aim: Aim{Most: batchesMost},
		},
		{
			Workload: name + ", growth of the heap, MB", Foyer: grew.median(), Floor: math.NaN(), Figure: grew, Unit: "MB",
			Aim: Aim{Most: heapMost},
		},
	}, nil
}

// heap follows the heap of this process.
type heap struct {
	before, peak uint64
	end, ended   chan struct{}
}

// watchHeap begins to follow the heap, after a collection.
func watchHeap() *heap {
	runtime.GC()
	h := &heap{before: heapNow(), end: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(h.ended)
		for {
			h.peak = max(h.peak, heapNow())
			select {
			case <-h.end:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return h
}

// stop ends it and returns the growth up to the peak, in MB of 10^6 bytes.
func (h *heap) stop() float64 {
	close(h.end)
	<-h.ended
	return float64(h.peak-min(h.peak, h.before)) / 1e6
}

// heapNow is the size of the objects on the heap, with those that are not collected yet.
func heapNow() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// opened measures how the first company's owner opens a batch in the console, down to the entries behind a line.
func (x *accountant) opened(ctx context.Context) (rows []Row, err error) {
	b, line, err := x.batch(ctx)
	if err != nil {
		return nil, err
	}
	at := "/manage/company-0/settings/accounting/days/" + b.ID.String()
	for _, screen := range []struct {
		name, path string
		has        func(page []byte) bool
	}{
		{fmt.Sprintf("a batch of %d entries in the console", x.size.entries-1), at, func(page []byte) bool {
			return bytes.Contains(page, []byte("Card payments clearing"))
		}},
		{"the entries behind one of its lines", fmt.Sprintf("%s/lines/%d", at, line), func(page []byte) bool {
			return bytes.Count(page, []byte("Class in the hall")) >= paging.Default/2 // there are fees among them
		}},
	} {
		more, err := x.screen(ctx, screen.name, Aim{Most: openMost}, func(b *bench) ([]byte, error) {
			return b.ownersRequest(screen.path), nil
		}, screen.has)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// batch returns a journal entry of the first company, and its line of card payments.
func (x *accountant) batch(ctx context.Context) (b accounting.OpenBatch, line int, err error) {
	var first uuid.UUID
	if err := x.super.QueryRow(ctx, "select bench.id(200, 0)").Scan(&first); err != nil {
		return b, 0, err
	}
	owner := tenancy.System(first, tenancy.SurfaceJob)
	list, err := x.service.Batches(ctx, owner, accounting.BatchFilter{
		Page: paging.In[accounting.BatchKey]{Limit: paging.Max},
	})
	if err != nil {
		return b, 0, err
	}
	at := slices.IndexFunc(list.Items, func(b accounting.ListedBatch) bool { return b.Kind == accounting.JournalEntry })
	if at < 0 {
		return b, 0, errors.New("bench: the first company has no batch")
	}
	b, err = x.service.BatchOf(ctx, owner, list.Items[at].ID)
	line = slices.IndexFunc(b.Lines, func(l accounting.Line) bool {
		return l.Category == accounting.ClearingProcessor && !l.Refund
	})
	if err == nil && line < 0 {
		err = errors.New("bench: the batch has no card payments")
	}
	return b, line, err
}

// postedRounds bounds the rounds of posting: each takes many seconds.
const postedRounds = 2

// posted measures how the documents of all companies are posted to a provider that answers at once, and how those of
// the others are when one company's requests are not answered.
func (x *accountant) posted(ctx context.Context) ([]Row, error) {
	all := x.size.companies * x.size.pending
	name := fmt.Sprintf("%d pending documents of %d companies posted", all, x.size.companies)
	var free, silent series
	for round := range min(x.Rounds, postedRounds) {
		for turn := range 2 {
			quiet := (round+turn)%2 == 1
			seconds, err := x.post(ctx, quiet)
			if err != nil {
				return nil, err
			}
			if quiet {
				silent = append(silent, seconds)
			} else {
				free = append(free, seconds)
			}
		}
		x.Say(fmt.Sprintf("%s %d: %.1f s; %.1f s for the others with a silent company", name, round+1,
			free[round], silent[round]))
	}
	rate := make(series, len(free))
	for i, seconds := range free {
		rate[i] = float64(all) / seconds
	}
	return []Row{
		{Workload: name + ", per second", Foyer: rate.median(), Floor: math.NaN(), Figure: rate},
		{
			Workload: name + ", s, those of the others with a silent company over all without", Foyer: silent.median(),
			Floor: free.median(), Figure: silent.over(free), Aim: Aim{Most: silentMost},
		},
	}, nil
}

// post makes documents wait, equally many of each company, runs the sweep that posts them, and returns the seconds
// until the last one. With a silent company it is the last one of the others: none of them may have waited for it.
func (x *accountant) post(ctx context.Context, silent bool) (float64, error) {
	if err := x.clear(ctx); err != nil {
		return 0, err
	}
	for _, sql := range []string{
		`insert into accounting_batches (id, business_id, location_id, local_date, currency, kind, amount, lines, row_keys,
				created_at)
			select bench.id(211, c * 100000 + n), bench.id(200, c), bench.id(201, c), date '2021-01-01' + n, 'USD',
				'journal_entry', 2395, jsonb_build_array(
					jsonb_build_object('category', 'clearing.processor', 'label', 'Card payments clearing', 'amount', 2395),
					jsonb_build_object('category', 'income.class', 'label', 'Class income', 'amount', -2200),
					jsonb_build_object('category', 'liability.sales_tax', 'taxRateId', bench.id(204, c),
						'label', 'Sales tax', 'amount', -195)),
				jsonb_build_array('clearing.processor', 'income.class', 'liability.sales_tax:' || bench.id(204, c)), now()
			from generate_series(0, $1::integer - 1) c, generate_series(0, $2::integer - 1) n`,
		`insert into accounting_postings (id, business_id, batch_id, connection_id, status, next_attempt_at, created_at,
				updated_at)
			select bench.id(212, c * 100000 + n), bench.id(200, c), bench.id(211, c * 100000 + n), bench.id(206, c),
				'pending', now(), now(), now()
			from generate_series(0, $1::integer - 1) c, generate_series(0, $2::integer - 1) n`,
	} {
		if _, err := x.super.Exec(ctx, sql, x.size.companies, x.size.pending); err != nil {
			return 0, err
		}
	}
	if _, err := x.super.Exec(ctx, "update accounting_connections set work_at = now()"); err != nil {
		return 0, err
	}
	if _, err := x.super.Exec(ctx, "analyze accounting_batches, accounting_postings"); err != nil {
		return 0, err
	}
	want := x.size.companies * x.size.pending
	company := ""
	if silent {
		company, want = "realm-0", want-x.size.pending
	}
	x.provider.begin(company, want)
	began := time.Now() // real time: it is measured
	if err := x.service.PostDue(ctx); err != nil {
		return 0, err
	}
	last, err := x.provider.done()
	if err != nil {
		return 0, err
	}
	var posted int
	err = x.super.QueryRow(ctx, "select count(*) from accounting_postings where status = 'posted'").Scan(&posted)
	if err == nil && posted != want {
		err = fmt.Errorf("bench: %d of %d documents are posted", posted, want)
	}
	return last.Sub(began).Seconds(), err
}

// provider answers at once, except one company, which it answers when all others are done. The other methods are not
// called.
type provider struct {
	accounting.Provider

	mu       sync.Mutex
	silent   string // a company; empty: none
	want     int    // documents
	made     map[string]int
	last     time.Time
	finished chan struct{} // closed when so many documents were made
}

func (p *provider) begin(silent string, want int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent, p.want, p.made, p.finished = silent, want, map[string]int{}, make(chan struct{})
}

// done returns when the last document was made.
func (p *provider) done() (time.Time, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for number, n := range p.made {
		if n > 1 {
			return p.last, fmt.Errorf("bench: %d documents with the number %s", n, number)
		}
	}
	if len(p.made) != p.want {
		return p.last, fmt.Errorf("bench: the provider has %d of %d documents", len(p.made), p.want)
	}
	return p.last, nil
}

// PostJournal makes a document.
func (p *provider) PostJournal(
	ctx context.Context, c ledgeronline.Conn, j ledgeronline.Journal, _ string,
) (d ledgeronline.Doc, err error) {
	p.mu.Lock()
	silent, finished := c.Realm == p.silent, p.finished
	p.mu.Unlock()
	if silent {
		select {
		case <-finished:
		case <-ctx.Done():
		}
		return d, &ledgeronline.Error{Op: "post journal", Class: ledgeronline.Transient, Message: "no answer", Unknown: true}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made[j.DocNumber]++
	p.last = time.Now() // real time: it is measured
	if len(p.made) == p.want {
		close(p.finished)
	}
	d = ledgeronline.Doc{ID: j.DocNumber, DocNumber: j.DocNumber, Note: j.Note, URL: "https://ledger.test/" + j.DocNumber}
	return d, nil
}

// FindDoc finds nothing: no request is repeated.
func (*provider) FindDoc(
	context.Context, ledgeronline.Conn, ledgeronline.Kind, string, civil.Date,
) (*ledgeronline.Doc, error) {
	return nil, nil
}

// Resting returns that no company rests.
func (*provider) Resting(string) time.Time { return time.Time{} }
