package accounting_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// books is a studio in New York with its books and an accounting provider.
type books struct {
	apptest.Studio
	apptest.Accounts
	*accounting.Service
	w      *apptest.World
	closer *ledger.Closer
}

func open(t *testing.T, changes ...func(*apptest.StudioPlan)) *books {
	t.Helper()
	w := apptest.Open(t)
	// A refresh token of the original stays valid for a day after its successor.
	grace := func(o *ledgersim.Options) { o.Grace = true }
	b := &books{Studio: w.Studio(t, changes...), Accounts: apptest.NewAccounts(t, w.Clock, grace), w: w}
	b.Service = accounting.New(accounting.Options{
		DB: w.DB, Provider: b.Client, Keys: b.Keys, Log: slog.New(slog.DiscardHandler),
	})
	b.closer = ledger.NewCloser(w.DB, slog.New(slog.DiscardHandler))
	return b
}

func must[T any](t *testing.T, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (b *books) now() ledger.Context {
	return ledger.Context{LocationID: b.Location.ID, Currency: "USD", At: b.w.Clock.Now()}
}

func (b *books) post(t *testing.T, entries ...ledger.Entry) {
	t.Helper()
	err := pg.Do(t.Context(), b.w.DB, b.Business.ID, func(tx *pg.Tx) error {
		batch := tx.Batch()
		if err := ledger.PostIn(batch, tx, entries...); err != nil {
			return err
		}
		return batch.Commit(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sell posts a class paid by card.
func (b *books) sell(t *testing.T, amount int64) uuid.UUID {
	t.Helper()
	id := uuid.New()
	b.post(t, ledger.CardSale(b.now(), id, []ledger.Posting{{Account: ledger.IncomeClass, Amount: amount}}))
	return id
}

// connect connects the owner to a company of the provider.
func (b *books) connect(t *testing.T, company string) {
	t.Helper()
	url, err := b.Begin(t.Context(), b.Owner)
	to, err2 := b.Returned(t.Context(), b.Agree(t, must(t, url, err), company))
	outcome, err3 := b.Complete(t.Context(), b.Owner, must(t, to, err2).Attempt)
	if must(t, outcome, err3) != accounting.OutcomeConnected {
		t.Fatal(outcome)
	}
}

// confirmAll confirms an account for every row: the proposed one, or a new one.
func (b *books) confirmAll(t *testing.T) {
	t.Helper()
	m, err := b.Map(t.Context(), b.Owner)
	for _, row := range must(t, m, err).Rows {
		if row.Confirmed != nil {
			continue
		}
		if row.Proposed != nil {
			_, err = b.Confirm(t.Context(), b.Owner, []accounting.Choice{{Row: row.Row, AccountID: row.Proposed.ID}})
		} else {
			_, err = b.Create(t.Context(), b.Owner, accounting.CreateInput{Row: row.Row})
		}
		if err != nil {
			t.Fatalf("%s: %v", row.Key(), err)
		}
	}
}

// nextDay closes the day and puts it into batches.
func (b *books) nextDay(t *testing.T) {
	t.Helper()
	b.w.Clock.Advance(24 * time.Hour)
	if err := b.closer.CloseDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.BatchDays(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (b *books) postings(t *testing.T) []accounting.Posting {
	t.Helper()
	page, err := b.Postings(t.Context(), b.Owner, nil)
	return must(t, page, err).Items
}

// TestADayIsPosted: from a sale to its document at the provider.
func TestADayIsPosted(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	b.nextDay(t)
	if p := b.postings(t); len(p) != 1 || p[0].Status != accounting.Skipped ||
		p[0].SkipReason != accounting.MapIncomplete || p[0].Amount != 2200 {
		t.Fatalf("%+v", p)
	}
	b.confirmAll(t)
	if err := b.PostDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := b.postings(t)
	if len(p) != 1 || p[0].Status != accounting.Posted || p[0].ExternalURL == "" || p[0].LastError != "" {
		t.Fatalf("%+v", p)
	}
	docs := b.Sim.Documents(ledgersim.RealmUSD)
	if len(docs) != 1 || len(docs[0].Lines) != 2 {
		t.Fatalf("%+v", docs)
	}
	c, err := b.Live(t.Context(), b.Owner)
	if must(t, c, err); !c.StartDateFrozen || c.LastSyncAt.IsZero() {
		t.Errorf("%+v", c)
	}
	batch, err := b.BatchOf(t.Context(), b.Owner, p[0].BatchID)
	if len(must(t, batch, err).Lines) != 2 {
		t.Fatalf("%+v", batch)
	}
	for line := range batch.Lines {
		entries, err := b.Entries(t.Context(), b.Owner, batch.ID, line, paging.In[paging.Moment]{})
		if len(must(t, entries, err).Items) != 1 || entries.Items[0].Amount != batch.Lines[line].Amount {
			t.Errorf("line %d: %+v", line, entries)
		}
	}
	table, err := b.CSV(t.Context(), b.Owner, p[0].LocalDate, p[0].LocalDate)
	if got := string(must(t, table, err)); strings.Count(got, "\r\n") != 3 || !strings.Contains(got, ",22.00,,") {
		t.Errorf("%s", got)
	}
}
