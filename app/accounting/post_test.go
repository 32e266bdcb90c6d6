package accounting_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/billing/ledger"
)

// ready is a studio with a confirmed map and a closed day that is pending.
func ready(t *testing.T) *books {
	t.Helper()
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	b.nextDay(t)
	b.confirmAll(t)
	if p := b.postings(t); len(p) != 1 || p[0].Status != accounting.Pending {
		t.Fatalf("%+v", p)
	}
	return b
}

// Each reason is produced by its cause, the one that does not resolve itself first. A147, A150.
func TestA150_SkipReasons(t *testing.T) {
	b := open(t)
	euros := b.AddLocation(t, "Berlin", func(in *business.LocationInput) { in.Currency, in.Zone = "EUR", "Europe/Berlin" })
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	at := b.now()
	at.LocationID, at.Currency = euros.ID, "EUR"
	b.post(t, ledger.CardSale(at, uuid.New(), []ledger.Posting{{Account: ledger.IncomeClass, Amount: 900}}))
	b.nextDay(t)
	reasons := func() string {
		t.Helper()
		got := map[string]string{}
		for _, p := range b.postings(t) {
			got[string(p.Currency)] = string(p.Status) + " " + string(p.SkipReason)
		}
		return got["USD"] + ", " + got["EUR"]
	}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"without a map", func() error { return nil }, "skipped map_incomplete, skipped currency_not_home"},
		{"a start in a year", func() error { _, err := b.SetStartDate(t.Context(), b.Owner, "2027-06-10"); return err },
			"skipped before_start_date, skipped before_start_date"},
		{"a start before", func() error { _, err := b.SetStartDate(t.Context(), b.Owner, "2026-06-01"); return err },
			"skipped map_incomplete, skipped currency_not_home"},
		{"with a map", func() error { b.confirmAll(t); return nil }, "pending , skipped currency_not_home"},
		{"disconnected", func() error { return b.Disconnect(t.Context(), b.Owner) },
			"skipped disconnected, skipped currency_not_home"},
		{"the same company again", func() error { b.connect(t, ledgersim.RealmUSD); return nil },
			"pending , skipped currency_not_home"},
		{"a company in euros", func() error {
			b.connect(t, ledgersim.RealmEUR)
			_, err := b.SetStartDate(t.Context(), b.Owner, "2026-06-01")
			return err
		}, "skipped currency_not_home, skipped map_incomplete"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := reasons(); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
}

// Whatever the provider does with a request, there is one document in the end, also when it has forgotten the request's
// id. A155.
func TestA155_OneDocument(t *testing.T) {
	for _, kind := range []ledgersim.FaultKind{
		ledgersim.Throttle, ledgersim.ServerError, ledgersim.HTML, ledgersim.In200, ledgersim.Cut,
		ledgersim.Lost, ledgersim.Truncated,
	} {
		for _, forget := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s forgotten %t", kind, forget), func(t *testing.T) {
				t.Parallel()
				b := ready(t)
				if err := b.Sim.Fail(ledgersim.Fault{Kind: kind, Op: "journalentry", Times: 2}); err != nil {
					t.Fatal(err)
				}
				for range 6 {
					b.due(t)
					if forget {
						if err := b.Sim.Forget(ledgersim.RealmUSD); err != nil {
							t.Fatal(err)
						}
					}
					b.w.Clock.Advance(5 * time.Minute)
				}
				if p := b.postings(t); p[0].Status != accounting.Posted || len(b.Sim.Documents(ledgersim.RealmUSD)) != 1 {
					t.Errorf("%d documents, %+v", len(b.Sim.Documents(ledgersim.RealmUSD)), p)
				}
			})
		}
	}
}

// Fifty retries and eight workers at once give one document. A153 to A155.
func TestA153_Retries(t *testing.T) {
	b := ready(t)
	if err := b.Sim.CloseBooks(ledgersim.RealmUSD, "2026-12-31"); err != nil {
		t.Fatal(err)
	}
	b.due(t)
	p := b.postings(t)[0]
	if p.Status != accounting.Failed || !strings.Contains(p.LastError, "books are closed") {
		t.Fatalf("%+v", p)
	}
	if err := b.Sim.CloseBooks(ledgersim.RealmUSD, ""); err != nil {
		t.Fatal(err)
	}
	b.due(t)
	if len(b.Sim.Documents(ledgersim.RealmUSD)) != 0 {
		t.Fatal("a failed posting is not tried again by itself")
	}
	var wait sync.WaitGroup
	for i := range 58 {
		wait.Go(func() {
			var err error
			if i < 50 {
				err = b.Retry(t.Context(), b.Owner, p.BatchID)
			} else {
				err = b.PostDue(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	b.due(t)
	if n := len(b.Sim.Documents(ledgersim.RealmUSD)); n != 1 || b.postings(t)[0].Status != accounting.Posted {
		t.Errorf("%d documents, %+v", n, b.postings(t))
	}
	if err := b.Retry(t.Context(), b.Owner, p.BatchID); err != nil { // any other status: nothing
		t.Errorf("a posted one: %v", err)
	}
	if got := b.postings(t)[0]; got.Status != accounting.Posted {
		t.Errorf("%+v", got)
	}
	other := ready(t)
	for name, id := range map[string]uuid.UUID{"unknown": uuid.New(), "foreign": other.postings(t)[0].BatchID} {
		if err := b.Retry(t.Context(), b.Owner, id); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Failures of the studio's books are said in words, and each is mended by its cure.
func TestFailuresAndCures(t *testing.T) {
	t.Run("subscription", func(t *testing.T) {
		t.Parallel()
		b := ready(t)
		_ = b.Sim.Lapse(ledgersim.RealmUSD, true)
		b.due(t)
		if p, c := b.postings(t)[0], b.live(t); p.Status != accounting.Failed ||
			!strings.Contains(p.LastError, "subscription") || c.LastError == "" {
			t.Errorf("%+v %+v", p, c)
		}
		_ = b.Sim.Lapse(ledgersim.RealmUSD, false)
		if err := b.Retry(t.Context(), b.Owner, b.postings(t)[0].BatchID); err != nil {
			t.Fatal(err)
		}
		b.due(t)
		if p, c := b.postings(t)[0], b.live(t); p.Status != accounting.Posted || c.LastError != "" {
			t.Errorf("%+v %+v", p, c)
		}
	})
	t.Run("rights", func(t *testing.T) {
		t.Parallel()
		b := ready(t)
		_ = b.Sim.Forbid(ledgersim.RealmUSD, true)
		b.due(t)
		if c := b.live(t); c.Status != accounting.NeedsReauth || b.postings(t)[0].Status != accounting.Pending {
			t.Errorf("%+v", c)
		}
	})
	t.Run("an account that is gone", func(t *testing.T) {
		t.Parallel()
		b := ready(t)
		m, err := b.Map(t.Context(), b.Owner)
		for _, row := range must(t, m, err).Rows {
			if row.Category == accounting.IncomeClass {
				if err := b.Sim.Deactivate(ledgersim.RealmUSD, row.Confirmed.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
		b.due(t)
		if p := b.postings(t)[0]; p.Status != accounting.Skipped || p.SkipReason != accounting.MapIncomplete {
			t.Fatalf("%+v", p)
		}
		m, err = b.Map(t.Context(), b.Owner)
		if must(t, m, err).Missing() != 1 {
			t.Errorf("%d rows are missing", m.Missing())
		}
		if _, err := b.Create(t.Context(), b.Owner, accounting.CreateInput{
			Row: accounting.Row{Category: accounting.IncomeClass}, Name: "Lessons",
		}); err != nil {
			t.Fatal(err)
		}
		b.due(t)
		if p := b.postings(t)[0]; p.Status != accounting.Posted {
			t.Errorf("%+v", p)
		}
	})
	t.Run("silence", func(t *testing.T) {
		t.Parallel()
		b := ready(t)
		for i := range 9 {
			_ = b.Sim.Fail(ledgersim.Fault{Kind: ledgersim.ServerError, Op: "journalentry"})
			_ = b.Sim.Fail(ledgersim.Fault{Kind: ledgersim.ServerError, Op: "query"})
			b.due(t)
			want := accounting.Pending
			if i >= 7 {
				want = accounting.Failed
			}
			if p := b.postings(t)[0]; p.Status != want {
				t.Fatalf("try %d: %+v", i+1, p)
			}
			b.Sim.Heal()
			b.w.Clock.Advance(90 * time.Minute)
			if want == accounting.Failed {
				break
			}
			_ = b.Sim.Fail(ledgersim.Fault{Kind: ledgersim.ServerError, Op: "journalentry"})
		}
	})
	t.Run("too fast", func(t *testing.T) {
		t.Parallel()
		b := ready(t)
		for range 12 { // does not count as a try
			_ = b.Sim.Fail(ledgersim.Fault{Kind: ledgersim.Throttle, Op: "journalentry"})
			b.due(t)
			before := b.Sim.Calls(ledgersim.RealmUSD)["journalentry"]
			b.due(t)
			if n := b.Sim.Calls(ledgersim.RealmUSD)["journalentry"]; n != before {
				t.Fatalf("%d requests while it rests", n-before)
			}
			if p := b.postings(t)[0]; p.Status != accounting.Pending {
				t.Fatalf("%+v", p)
			}
			b.w.Clock.Advance(61 * time.Second)
		}
		b.due(t)
		if p := b.postings(t)[0]; p.Status != accounting.Posted {
			t.Errorf("%+v", p)
		}
	})
}

// A posted day costs one write and no read.
func TestADayCostsOneRequest(t *testing.T) {
	b := ready(t)
	b.due(t)
	b.sell(t, 500)
	b.nextDay(t)
	before := b.Sim.Calls(ledgersim.RealmUSD)
	b.due(t)
	after := b.Sim.Calls(ledgersim.RealmUSD)
	if after["journalentry"]-before["journalentry"] != 1 {
		t.Errorf("%v, then %v", before, after)
	}
	for op := range after {
		if op != "journalentry" && after[op] != before[op] {
			t.Errorf("%s: %d, then %d", op, before[op], after[op])
		}
	}
}

// Pages have 30, from the newest on, with each posting once. A87, A143.
func TestA87_Pages(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	for range 65 {
		b.sell(t, 100)
		b.w.Clock.Advance(24 * time.Hour)
	}
	b.batch(t)
	seen, pages := map[uuid.UUID]bool{}, []int{}
	page, err := b.Postings(t.Context(), b.Owner, nil)
	last := ""
	for {
		pages = append(pages, len(must(t, page, err).Items))
		for _, p := range page.Items {
			if last != "" && p.LocalDate.String() >= last {
				t.Fatalf("%s after %s", p.LocalDate, last)
			}
			seen[p.BatchID], last = true, p.LocalDate.String()
		}
		if page.Next == nil {
			break
		}
		page, err = b.Postings(t.Context(), b.Owner, page.Next)
	}
	if fmt.Sprint(pages) != "[30 30 5]" || len(seen) != 65 {
		t.Errorf("%v, %d postings", pages, len(seen))
	}
}

// deadly is a provider's transport that ends the process at one of its requests, before or after the request arrived.
type deadly struct {
	next http.RoundTripper
	mu   sync.Mutex
	left int // requests until then; negative: never
	late bool
}

func (d *deadly) RoundTrip(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	d.left--
	dies := d.left == 0
	d.mu.Unlock()
	if dies && !d.late {
		runtime.Goexit()
	}
	res, err := d.next.RoundTrip(r)
	if dies {
		runtime.Goexit()
	}
	return res, err
}

// A process that is killed at any request of the provider leaves one document and a connection that works.
func TestKilledAtEachRequest(t *testing.T) {
	for _, late := range []bool{false, true} {
		for at := 1; at <= 4; at++ {
			t.Run(fmt.Sprintf("request %d, arrived %t", at, late), func(t *testing.T) {
				t.Parallel()
				b := ready(t)
				b.w.Clock.Advance(2 * time.Hour) // the token is refreshed first
				if err := b.Sim.Fail(ledgersim.Fault{Kind: ledgersim.Lost, Op: "journalentry"}); err != nil {
					t.Fatal(err) // so that there is a look-up, too
				}
				killer := &deadly{next: b.Sim, left: at, late: late}
				dying := accounting.New(accounting.Options{
					DB: b.w.DB, Provider: apptest.AccountsClient(t, b.w.Clock, killer), Keys: b.Keys,
					Log: slog.New(slog.DiscardHandler),
				})
				for range 3 {
					done := make(chan struct{})
					go func() {
						defer close(done)
						if err := dying.PostTurn(t.Context(), b.Business.ID, b.live(t).ID); err != nil {
							t.Error(err)
						}
					}()
					<-done
					b.w.SQL(t, `select pg_terminate_backend(pid) from pg_stat_activity
						where datname = current_database() and state like 'idle in transaction%'`)
					b.w.Clock.Advance(accounting.Lease + time.Minute)
				}
				b.due(t)
				if p := b.postings(t)[0]; p.Status != accounting.Posted || len(b.Sim.Documents(ledgersim.RealmUSD)) != 1 {
					t.Errorf("%d documents, %+v", len(b.Sim.Documents(ledgersim.RealmUSD)), p)
				}
				b.w.Clock.Advance(2 * time.Hour)
				if _, err := b.Map(t.Context(), b.Owner); err != nil || b.live(t).Status != accounting.Connected {
					t.Errorf("%v, %+v", err, b.live(t))
				}
			})
		}
	}
}

// A company that does not answer delays no other one.
func TestASilentCompany(t *testing.T) {
	w := apptest.Open(t)
	silent := &books{Studio: w.Studio(t), Accounts: apptest.NewAccounts(t, w.Clock), w: w}
	log := slog.New(slog.DiscardHandler)
	silent.Service = accounting.New(accounting.Options{DB: w.DB, Provider: silent.Client, Keys: silent.Keys, Log: log})
	silent.closer = ledger.NewCloser(w.DB, log)
	well := *silent
	well.Studio = w.Studio(t)
	silent.connect(t, ledgersim.RealmEUR)
	well.connect(t, ledgersim.RealmUSD)
	at := silent.now()
	at.Currency = "EUR"
	silent.post(t, ledger.CardSale(at, uuid.New(), []ledger.Posting{{Account: ledger.IncomeClass, Amount: 900}}))
	well.sell(t, 2200)
	well.nextDay(t)
	silent.confirmAll(t)
	well.confirmAll(t)
	if err := silent.Sim.Fail(ledgersim.Fault{
		Kind: ledgersim.Silent, Realm: ledgersim.RealmEUR, Op: "journalentry",
	}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- silent.PostDue(t.Context()) }()
	for well.postings(t)[0].Status != accounting.Posted {
		select {
		case err := <-done:
			t.Fatalf("the silent one ended first: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	if p := silent.postings(t)[0]; p.Status != accounting.Pending {
		t.Errorf("%+v", p)
	}
	silent.Sim.Heal()
}

// A provider that answers slowly is given up after 20 seconds, and asked again with the same id.
func TestRequestsHaveOneID(t *testing.T) {
	b := ready(t)
	var ids []string
	var mu sync.Mutex
	spying := roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "journalentry") {
			mu.Lock()
			ids = append(ids, r.URL.Query().Get("requestid"))
			first := len(ids) == 1
			mu.Unlock()
			if first {
				return nil, errors.New("the network is down")
			}
		}
		return b.Sim.RoundTrip(r)
	})
	b.Service = accounting.New(accounting.Options{
		DB: b.w.DB, Provider: apptest.AccountsClient(t, b.w.Clock, spying), Keys: b.Keys, Log: slog.New(slog.DiscardHandler),
	})
	b.due(t)
	b.w.Clock.Advance(5 * time.Minute)
	b.due(t)
	if len(ids) != 2 || ids[0] != ids[1] || len(ids[0]) != 32 {
		t.Errorf("%q", ids)
	}
	doc := b.Sim.Documents(ledgersim.RealmUSD)[0]
	if want := accounting.DocNumber(b.postings(t)[0].BatchID); doc.DocNumber != want {
		t.Errorf("%q, want %q", doc.DocNumber, want)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A document that was refused is posted by a request with another id: the provider may answer the first id as before,
// whatever the studio has changed.
func TestRefusalsAreNotReplayed(t *testing.T) {
	b := open(t)
	b.Accounts = apptest.NewAccounts(t, b.w.Clock, func(o *ledgersim.Options) { o.Grace, o.ReplayFaults = true, true })
	quiet := slog.New(slog.DiscardHandler)
	b.Service = accounting.New(accounting.Options{DB: b.w.DB, Provider: b.Client, Keys: b.Keys, Log: quiet})
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	b.nextDay(t)
	b.confirmAll(t)
	batch := b.postings(t)[0]
	for range 2 { // each refusal for good
		if err := b.Sim.CloseBooks(ledgersim.RealmUSD, batch.LocalDate.String()); err != nil {
			t.Fatal(err)
		}
		b.due(t)
		if p := b.postings(t)[0]; p.Status != accounting.Failed || !strings.Contains(p.LastError, "books are closed") {
			t.Fatalf("%+v", p)
		}
		if err := b.Sim.CloseBooks(ledgersim.RealmUSD, ""); err != nil {
			t.Fatal(err)
		}
		if err := b.Retry(t.Context(), b.Owner, batch.BatchID); err != nil {
			t.Fatal(err)
		}
	}
	b.due(t)
	if p := b.postings(t)[0]; p.Status != accounting.Posted || len(b.Sim.Documents(ledgersim.RealmUSD)) != 1 {
		t.Errorf("%+v", p)
	}
}
