package ledger_test

import (
	"log/slog"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// books are those of a studio in New York.
type books struct {
	apptest.Studio
	w *apptest.World
}

func open(t *testing.T, changes ...func(*apptest.StudioPlan)) books {
	t.Helper()
	w := apptest.Open(t)
	return books{w.Studio(t, changes...), w}
}

// sale is a sale of that much now.
func (b books) sale(amount int64) ledger.Entry {
	return ledger.CardSale(b.now(), uuid.New(), []ledger.Posting{{Account: ledger.IncomeClass, Amount: amount}})
}

func (b books) now() ledger.Context {
	return ledger.Context{LocationID: b.Location.ID, Currency: "USD", At: b.w.Clock.Now()}
}

func (b books) post(t *testing.T, entries ...ledger.Entry) {
	t.Helper()
	if err := b.try(t, entries...); err != nil {
		t.Fatal(err)
	}
}

func (b books) try(t *testing.T, entries ...ledger.Entry) error {
	t.Helper()
	return pg.Do(t.Context(), b.w.DB, b.Business.ID, func(tx *pg.Tx) error {
		batch := tx.Batch()
		if err := ledger.PostIn(batch, tx, entries...); err != nil {
			return err
		}
		return batch.Commit(t.Context())
	})
}

func (b books) balance(t *testing.T, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), b.w.DB.View(b.Business.ID), a, "USD")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (b books) closeDays(t *testing.T) {
	t.Helper()
	if err := ledger.NewCloser(b.w.Worker(t), slog.New(slog.DiscardHandler)).CloseDays(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// day is the day whose books the entry of a source is in.
func (b books) day(t *testing.T, e ledger.Entry) string {
	t.Helper()
	return apptest.Value[string](t, b.w, "select local_date::text from ledger_entries where source_id = $1 and event = $2", e.ID, string(e.Event))
}
