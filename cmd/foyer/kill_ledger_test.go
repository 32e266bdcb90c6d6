package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/pg"
	"foyer/app/sealed"
	"foyer/billing/ledger"
)

// farLedger is the simulator in the place of the accounting provider: behind HTTP, and under a client id and addresses
// that do not say that it is simulated, since "foyer serve" and "foyer work" refuse it.
type farLedger struct {
	striker
	sim http.Handler
}

// ServeHTTP answers as the simulator, unless the caller is killed.
func (f *farLedger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller was killed during the request
	}
	gone, last := f.called()
	if gone {
		return
	}
	q := r.Clone(r.Context())
	q.URL.Path = ledgersim.Prefix + r.URL.Path
	q.Body = io.NopCloser(strings.NewReader(string(body)))
	if _, _, ok := r.BasicAuth(); ok {
		q.SetBasicAuth(ledgersim.DefaultClientID, ledgersim.DefaultClientSecret)
	}
	answer := httptest.NewRecorder()
	f.sim.ServeHTTP(answer, q)
	if last {
		f.answered()
		return
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // the caller may be dead
}

// ledgerWorld is a database, a provider, and a worker that can be killed at its calls to the provider.
type ledgerWorld struct {
	*apptest.World
	apptest.Accounts
	*accounting.Service // of this process
	far                 *farLedger
	*hand
}

func openLedgerWorld(t *testing.T) *ledgerWorld {
	t.Helper()
	w := apptest.Open(t)
	a := apptest.NewAccounts(t, w.Clock, func(o *ledgersim.Options) { o.Grace = true })
	l := &ledgerWorld{World: w, Accounts: a, far: &farLedger{sim: a.Sim}}
	provider := httptest.NewServer(l.far)
	t.Cleanup(provider.Close)
	keys, err := sealed.Parse(killSealKeys)
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	l.Service = accounting.New(accounting.Options{DB: w.DB, Provider: a.Client, Keys: keys, Log: quiet})
	l.hand = &hand{environ: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir(), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
		"DATABASE_JOB_URL=" + w.URL("foyer_job"), "DATABASE_URL=" + w.URL("foyer_job"), "DATABASE_MAX_CONNS=4",
		"FOYER_SECRET=" + killSecret, "FOYER_SEAL_KEYS=" + killSealKeys,
		"STRIPE_SECRET_KEY=" + stripeTestKey, "STRIPE_PUBLISHABLE_KEY=" + stripePublicTestKey,
		"LEDGER_ONLINE_AUTHORIZE_URL=" + provider.URL + "/connect/oauth2",
		"LEDGER_ONLINE_TOKEN_URL=" + provider.URL + "/oauth2/v1/tokens/bearer",
		"LEDGER_ONLINE_REVOKE_URL=" + provider.URL + "/oauth2/v1/tokens/revoke",
		"LEDGER_ONLINE_API_BASE=" + provider.URL + "/v3/company", "LEDGER_ONLINE_APP_BASE=" + provider.URL + "/app",
		"LEDGER_ONLINE_CLIENT_ID=client", "LEDGER_ONLINE_CLIENT_SECRET=" + ledgerSecret,
		"LEDGER_ONLINE_SCOPE=" + ledgersim.Scope,
	}}
	if err := l.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.hand.kill() })
	return l
}

// studio is a new studio with one document to post, and an access token that has expired.
func (l *ledgerWorld) studio(t *testing.T) (s apptest.Studio, company string) {
	t.Helper()
	s, company = l.World.Studio(t), l.Sim.AddCompany("Company", "US", "USD")
	address, err := l.Begin(t.Context(), s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	to, err := l.Returned(t.Context(), l.Agree(t, address, company))
	if err != nil {
		t.Fatal(err)
	}
	if outcome, err := l.Complete(t.Context(), s.Owner, to.Attempt); err != nil || outcome != accounting.OutcomeConnected {
		t.Fatalf("%s, %v", outcome, err)
	}
	at := ledger.Context{LocationID: s.Location.ID, Currency: "USD", At: l.Clock.Now()}
	if err := pg.Do(t.Context(), l.DB, s.Business.ID, func(tx *pg.Tx) error {
		b := tx.Batch()
		sale := ledger.CardSale(at, uuid.New(), []ledger.Posting{{Account: ledger.IncomeClass, Amount: 2200}})
		if err := ledger.PostIn(b, tx, sale); err != nil {
			return err
		}
		return b.Commit(t.Context())
	}); err != nil {
		t.Fatal(err)
	}
	m, err := l.Map(t.Context(), s.Owner)
	for _, row := range m.Rows {
		if err == nil {
			_, err = l.Create(t.Context(), s.Owner, accounting.CreateInput{Row: row.Row, Name: "Foyer " + row.Key()})
		}
	}
	l.Clock.Advance(24 * time.Hour)
	if err == nil {
		err = ledger.NewCloser(l.DB, slog.New(slog.DiscardHandler)).CloseDays(t.Context())
	}
	if err == nil {
		err = l.BatchDays(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, company
}

// post has the worker post what is due, and reports whether it lived.
func (l *ledgerWorld) post(t *testing.T) bool {
	t.Helper()
	now, err := json.Marshal(l.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	return l.run(errand{Kind: postDocuments, Args: now}) == nil
}

// The worker is killed, as with kill -9, at each of its calls to the accounting provider: the refresh of the token, the
// document, and the look-up of a document whose answer was lost; before the provider carries it out, and after it and
// before the answer. The next worker leaves one document and a connection that works.
func TestWorkerKilledAtEachCallOfTheLedger(t *testing.T) {
	l := openLedgerWorld(t)
	s, company := l.studio(t)
	l.far.arm(0, false, nil)
	lived := l.post(t)
	if calls, _ := l.far.disarm(); !lived || calls != 2 || len(l.Sim.Documents(company)) != 1 {
		t.Fatalf("unharmed: %t, %d calls, %d documents", lived, calls, len(l.Sim.Documents(company)))
	}
	type strike struct {
		n     int
		after bool
	}
	for name, strikes := range map[string][]strike{
		"before the refresh":  {{1, false}},
		"after the refresh":   {{1, true}},
		"before the document": {{2, false}},
		"after the document":  {{2, true}},
		"before the look-up":  {{2, true}, {1, false}},
		"after the look-up":   {{2, true}, {1, true}},
	} {
		t.Run(name, func(t *testing.T) {
			s, company = l.studio(t)
			for _, k := range strikes {
				l.far.arm(k.n, k.after, l.hand.kill)
				lived := l.post(t)
				if _, struck := l.far.disarm(); lived || !struck {
					t.Fatalf("call %d: lived %t, killed %t", k.n, lived, struck)
				}
				if err := l.start(); err != nil {
					t.Fatal(err)
				}
				l.Clock.Advance(3 * time.Minute) // until another process takes the company over
			}
			if !l.post(t) {
				t.Fatal("the next worker fails")
			}
			page, err := l.Postings(t.Context(), s.Owner, nil)
			if err != nil || len(page.Items) != 1 || page.Items[0].Status != accounting.Posted {
				t.Errorf("%+v, %v", page.Items, err)
			}
			if n := len(l.Sim.Documents(company)); n != 1 {
				t.Errorf("%d documents", n)
			}
			l.Clock.Advance(2 * time.Hour) // the token is refreshed once more
			if _, err := l.Map(t.Context(), s.Owner); err != nil {
				t.Error(err)
			}
			if live, err := l.Live(t.Context(), s.Owner); err != nil || live.Status != accounting.Connected {
				t.Errorf("%+v, %v", live, err)
			}
		})
	}
}
