package pg_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// renamed is the result of the verb of these tests.
type renamed struct {
	Was, Is string
	Receipt uuid.UUID // of this run: no effect
}

func (r renamed) Effects() any { return map[string]string{"was": r.Was, "is": r.Is} }

type renameJob struct{}

func (renameJob) Kind() string { return "test.rename" }

// Terms are those of the kind.
func (renameJob) Terms() jobs.Terms { return jobs.Upkeep() }

// quoteWorld is a business with a name that the verb changes, and counts of side effects.
type quoteWorld struct {
	*apptest.World
	t         *testing.T
	business  uuid.UUID
	committed atomic.Int32 // number of notifications of caches
}

func newQuoteWorld(t *testing.T) *quoteWorld {
	w := &quoteWorld{World: apptest.Open(t), t: t}
	w.business = newBusiness(t, w.World, "studio-a")
	changes := pg.NewChanges(func(uuid.UUID) { w.committed.Add(1) })
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 16, Clock: w.Clock, Strict: true, Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	w.DB = db
	return w
}

func (w *quoteWorld) rename(to string) func(context.Context) (renamed, error) {
	return func(ctx context.Context) (renamed, error) {
		return pg.InTx(ctx, w.DB, w.business, func(tx *pg.Tx) (renamed, error) {
			was, err := pg.One[string](ctx, tx, "select name from businesses for update")
			if err != nil {
				return renamed{}, err
			}
			if err := jobs.EnqueueTx(ctx, tx, renameJob{}); err != nil {
				return renamed{}, err
			}
			_, err = tx.Exec(ctx, "update businesses set name = $1", to)
			return renamed{Was: was, Is: to, Receipt: pg.NewID()}, err
		})
	}
}

var me = pg.QuoteKey{Credential: [32]byte{1}, Request: [32]byte{2}}

func (w *quoteWorld) quote(to string) pg.Quote {
	w.t.Helper()
	out, q, err := pg.DryRun(w.t.Context(), me, w.rename(to))
	if err != nil || out.Is != to || q.ID == uuid.Nil || !q.ExpiresAt.Equal(w.Clock.Now().Add(pg.QuoteLife)) {
		w.t.Fatalf("rehearsal: %+v, %+v, %v", out, q, err)
	}
	return q
}

func (w *quoteWorld) name() string {
	return apptest.Value[string](w.t, w.World, "select name from businesses")
}

// want fails unless that many runs had their effect, and all of it.
func (w *quoteWorld) want(name string, runs int) {
	w.t.Helper()
	got := fmt.Sprint(w.name(), w.committed.Load(),
		apptest.Value[int](w.t, w.World, "select count(*) from river.river_job where kind = 'test.rename'"),
		apptest.Value[int](w.t, w.World, "select count(*) from audit_events where record = 'businesses' and action = 'update'"))
	if want := fmt.Sprint(name, runs, runs, runs); got != want {
		w.t.Errorf("name, words to caches, jobs, events: %s, want %s", got, want)
	}
}

// A dry run returns the effects and leaves nothing behind: no row, no job, no event, no receipt of a repeated
// request.
func TestDryRunLeavesNothing(t *testing.T) {
	w := newQuoteWorld(t)
	claimed := pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{9}})
	trips := w.Statements(func() {
		if out, _, err := pg.DryRun(claimed, me, w.rename("b")); err != nil || out.Was != "studio-a" || out.Is != "b" {
			t.Errorf("%+v, %v", out, err)
		}
	})
	w.want("studio-a", 0)
	if n := apptest.Value[int](t, w.World, "select count(*) from replays"); n != 0 {
		t.Errorf("%d receipts of a rehearsal", n)
	}
	plain := w.Statements(func() {
		if _, err := w.rename("b")(claimed); err != nil { // the key is as good as new
			t.Error(err)
		}
	})
	w.want("b", 1)
	if trips > plain {
		t.Errorf("a rehearsal takes %d trips, the call %d", trips, plain)
	}
}

// A quote is executed once, and every repetition returns its result, also after a crash between commit and answer,
// and under another Idempotency-Key.
func TestQuoteIsCarriedOutOnce(t *testing.T) {
	w := newQuoteWorld(t)
	q := w.quote("b")
	first, err := pg.Redeem(t.Context(), me, q.ID, w.rename("b"))
	if err != nil || first.Was != "studio-a" {
		t.Fatal(first, err)
	}
	w.want("b", 1)
	w.Clock.Advance(time.Hour) // also when the quote has long expired
	for key := range byte(3) {
		ctx := pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{key}, Request: me.Request})
		if again, err := pg.Redeem(ctx, me, q.ID, w.rename("b")); err != nil || again != first {
			t.Errorf("key %d: %+v, %v, want %+v", key, again, err, first)
		}
	}
	w.want("b", 1)

	// One key, two quotes of one request: the key has had its effect.
	w.SQL(t, "update businesses set name = 'studio-a'")
	keyed := func() context.Context {
		return pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{7}, Request: me.Request})
	}
	one, two := w.quote("c"), w.quote("c")
	a, errA := pg.Redeem(keyed(), me, one.ID, w.rename("c"))
	b, errB := pg.Redeem(keyed(), me, two.ID, w.rename("c"))
	if err := errors.Join(errA, errB); err != nil || a != b {
		t.Errorf("%+v and %+v, %v", a, b, err)
	}
}

// A key and a quote are taken in one trip before the verb, and its result is stored with the commit. A verb of one
// trip is sent like any other when it is bound to a quote.
func TestTripsOfAQuote(t *testing.T) {
	w := newQuoteWorld(t)
	w.DB = w.As(t, "foyer_app") // its trips are counted
	atOnce := func(ctx context.Context) (renamed, error) {
		return pg.InOneTrip(ctx, w.DB, w.business, func(_ *pg.Tx, b *pg.Batch) (renamed, error) {
			pg.QueueExec(b, renameSQL, "c")
			return renamed{Is: "c"}, nil
		})
	}
	keys := byte(0)
	for what, c := range map[string]struct {
		verb                   func(ctx context.Context) (renamed, error)
		plain, keyed, redeemed int
	}{
		"a verb":             {w.rename("b"), 4, 5, 5},
		"a verb of one trip": {atOnce, 1, 1, 3},
	} {
		key := func() context.Context {
			keys++
			return pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{keys}, Request: me.Request})
		}
		count := func(want int, run func() (renamed, error)) {
			t.Helper()
			if got := w.Statements(func() {
				if out, err := run(); err != nil || out.Is != w.name() {
					t.Errorf("%s: %+v (%v), and the name is %s", what, out, err, w.name())
				}
			}); got != want {
				t.Errorf("%s: %d trips, want %d", what, got, want)
			}
		}
		count(c.plain, func() (renamed, error) { return c.verb(t.Context()) })
		count(c.keyed, func() (renamed, error) { return c.verb(key()) })
		_, q, err := pg.DryRun(t.Context(), me, c.verb)
		if err != nil {
			t.Fatal(err)
		}
		count(c.redeemed, func() (renamed, error) { return pg.Redeem(key(), me, q.ID, c.verb) })
		count(4, func() (renamed, error) { return pg.Redeem(key(), me, q.ID, c.verb) }) // another key, the same quote
	}
}

func TestOneQuoteFiftyCalls(t *testing.T) {
	w := newQuoteWorld(t)
	q := w.quote("b")
	results := make([]renamed, 50)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = pg.WithClaim(ctx, pg.Claim{Key: [32]byte{byte(i % 10)}, Request: me.Request})
			}
			var err error
			if results[i], err = pg.Redeem(ctx, me, q.ID, w.rename("b")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, r := range results {
		if r != results[0] || r.Receipt == uuid.Nil {
			t.Errorf("%+v and %+v", r, results[0])
		}
	}
	w.want("b", 1)
}

// A refused quote has no effect, and a refusal leaves the quote as it was.
func TestQuoteRefusals(t *testing.T) {
	w := newQuoteWorld(t)
	q := w.quote("b")
	other, foreign := me, me
	other.Request[0]++
	foreign.Credential[0]++
	for name, c := range map[string]struct {
		ask  pg.QuoteKey
		id   uuid.UUID
		want error
	}{
		"another request":    {other, q.ID, pg.ErrQuoteOther},
		"another credential": {foreign, q.ID, pg.ErrQuoteUnknown},
		"unknown":            {me, pg.NewID(), pg.ErrQuoteUnknown},
		"nil":                {me, uuid.Nil, pg.ErrQuoteUnknown},
	} {
		if _, err := pg.Redeem(t.Context(), c.ask, c.id, w.rename("b")); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	w.SQL(t, "update businesses set name = 'meanwhile'")
	w.SQL(t, "delete from audit_events")
	out, err := pg.Redeem(t.Context(), me, q.ID, w.rename("b"))
	if !errors.Is(err, pg.ErrQuoteChanged) || out.Was != "meanwhile" {
		t.Errorf("changed: %+v, %v", out, err)
	}
	w.want("meanwhile", 0)
	refused := fault.New(fault.Conflict, "full", "Full.")
	_, err = pg.Redeem(t.Context(), me, q.ID, func(ctx context.Context) (renamed, error) {
		return pg.InTx(ctx, w.DB, w.business, func(*pg.Tx) (renamed, error) { return renamed{}, refused })
	})
	if !errors.Is(err, refused) {
		t.Errorf("the verb's own refusal: %v", err)
	}
	w.Clock.Advance(pg.QuoteLife)
	if _, err := pg.Redeem(t.Context(), me, q.ID, w.rename("b")); !errors.Is(err, pg.ErrQuoteExpired) {
		t.Errorf("expired: %v", err)
	}
	w.Clock.Advance(-time.Microsecond)
	w.SQL(t, "update businesses set name = 'studio-a'")
	w.SQL(t, "delete from audit_events")
	if _, err := pg.Redeem(t.Context(), me, q.ID, w.rename("b")); err != nil {
		t.Errorf("at the last moment: %v", err)
	}
	if _, err := pg.Redeem(t.Context(), other, q.ID, w.rename("b")); !errors.Is(err, pg.ErrQuoteOther) {
		t.Errorf("another request for a quote that was carried out: %v", err)
	}
	w.want("b", 1)
}

// A forbidden act of a quoted verb is found at its first dry run.
func TestQuotedVerbsHaveOneTransaction(t *testing.T) {
	w := newQuoteWorld(t)
	for name, verb := range map[string]func(ctx context.Context) (renamed, error){
		"two": func(ctx context.Context) (renamed, error) {
			if _, err := w.rename("b")(ctx); err != nil {
				return renamed{}, err
			}
			return w.rename("c")(ctx)
		},
		"one in another": func(ctx context.Context) (renamed, error) {
			return pg.InTx(ctx, w.DB, w.business, func(*pg.Tx) (renamed, error) { return w.rename("b")(ctx) })
		},
		"one without a claim": func(ctx context.Context) (renamed, error) {
			if _, err := w.rename("b")(pg.WithoutClaim(ctx)); err != nil {
				return renamed{}, err
			}
			return w.rename("c")(ctx)
		},
		"none": func(context.Context) (renamed, error) { return renamed{}, nil },
		"no effects": func(ctx context.Context) (renamed, error) {
			_, err := pg.InTx(ctx, w.DB, w.business, func(*pg.Tx) (int, error) { return 1, nil })
			return renamed{}, err
		},
		"swallowed error": func(ctx context.Context) (renamed, error) {
			return pg.InTx(ctx, w.DB, w.business, func(tx *pg.Tx) (renamed, error) {
				_, _ = tx.Exec(ctx, "select 1 / 0")
				return renamed{}, nil
			})
		},
	} {
		if _, _, err := pg.DryRun(t.Context(), me, verb); err == nil || fault.From(err) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.want("studio-a", 0)
	if _, _, err := pg.DryRun(t.Context(), me, func(ctx context.Context) (renamed, error) {
		return pg.InTx(ctx, w.DB, w.business, func(*pg.Tx) (renamed, error) { return renamed{Is: "nothing to do"}, nil })
	}); err != nil {
		t.Errorf("a verb that finds nothing to do: %v", err)
	}
}

// An expired quote is distinguished from an unknown one for a day; Tidy run twice does nothing more.
func TestTidyForgetsQuotes(t *testing.T) {
	w := newQuoteWorld(t)
	q := w.quote("b")
	w.Clock.Advance(pg.QuoteLife + 23*time.Hour)
	kept := func(want int) {
		t.Helper()
		if err := w.DB.Tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := apptest.Value[int](t, w.World, "select count(*) from quotes"); n != want {
			t.Errorf("%d quotes are kept, want %d", n, want)
		}
	}
	kept(1)
	if _, err := pg.Redeem(t.Context(), me, q.ID, w.rename("b")); !errors.Is(err, pg.ErrQuoteExpired) {
		t.Errorf("late: %v", err)
	}
	w.Clock.Advance(2 * time.Hour)
	kept(0)
	kept(0)
}
