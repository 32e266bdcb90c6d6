package pg_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/ent"
)

// These tests need connections of their own.
func init() { apptest.FreshDatabases() }

func newBusiness(t *testing.T, w *apptest.World, slug string) uuid.UUID {
	t.Helper()
	id := pg.NewID()
	_, err := pg.InTx(t.Context(), w.DB, id, func(tx *pg.Tx) (*ent.Business, error) {
		return tx.Ent().Business.Create().SetID(id).SetName(slug).SetSlug(slug).SetCurrency("USD").SetZone("America/New_York").
			SetCreatedAt(tx.Now()).SetUpdatedAt(tx.Now()).Save(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func addRate(ctx context.Context, w *apptest.World, business uuid.UUID, name string) (uuid.UUID, error) {
	return pg.InTx(ctx, w.DB, business, func(tx *pg.Tx) (uuid.UUID, error) {
		id := pg.NewID()
		return id, tx.Ent().TaxRate.Create().SetID(id).SetBusinessID(business).SetName(name).SetPpm(1).
			SetCreatedAt(tx.Now()).SetUpdatedAt(tx.Now()).Exec(ctx)
	})
}

func TestRoundTrips(t *testing.T) {
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	ctx := t.Context()
	for name, c := range map[string]struct {
		want int
		run  func() error
	}{
		"a read is one trip": {1, func() error {
			_, err := w.DB.View(a).Ent().TaxRate.Query().All(ctx)
			return err
		}},
		"a batch of reads is one trip": {1, func() error {
			var names []string
			var n int
			var found bool
			b := w.DB.View(a).Batch()
			pg.QueueAll(b, &names, "select name from businesses")
			pg.QueueOne(b, &n, &found, "select 1")
			err := b.Send(ctx)
			if len(names) != 1 || n != 1 || !found {
				t.Errorf("batch read %q, %d, %v", names, n, found)
			}
			return err
		}},
		"a write is two trips": {2, func() error {
			_, err := addRate(ctx, w, a, "VAT")
			return err
		}},
		"a transaction never used costs nothing": {0, func() error {
			_, err := pg.InTx(ctx, w.DB, a, func(*pg.Tx) (int, error) { return 1, nil })
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := w.Statements(func() {
				if err := c.run(); err != nil {
					t.Fatal(err)
				}
			}); got != c.want {
				t.Errorf("%d trips, want %d", got, c.want)
			}
		})
	}
}

// Compiling a statement takes Postgres a hundred times as long as it takes to run one of ours.
func TestStatementsAreNotCompiled(t *testing.T) {
	w := apptest.Open(t)
	got, err := pg.One[string](t.Context(), w.DB.View(uuid.Nil), "select current_setting('jit')")
	if err != nil || got != "off" {
		t.Errorf("jit is %q, %v", got, err)
	}
}

func TestTheWall(t *testing.T) {
	w := apptest.Open(t)
	a, b := newBusiness(t, w, "studio-a"), newBusiness(t, w, "studio-b")
	ctx := t.Context()
	if _, err := addRate(ctx, w, b, "theirs"); err != nil {
		t.Fatal(err)
	}
	if n, err := w.DB.View(a).Ent().TaxRate.Query().Count(ctx); err != nil || n != 0 {
		t.Errorf("a sees %d of b's rows (%v)", n, err)
	}
	if _, err := w.DB.View(uuid.Nil).Ent().TaxRate.Query().All(ctx); err == nil || !strings.Contains(err.Error(), "no business is set") {
		t.Errorf("a read without a business must fail loudly, got %v", err)
	}
	_, err := pg.InTx(ctx, w.DB, a, func(tx *pg.Tx) (int, error) {
		return 0, tx.Ent().TaxRate.Create().SetID(pg.NewID()).SetBusinessID(b).SetName("planted").SetPpm(1).
			SetCreatedAt(tx.Now()).SetUpdatedAt(tx.Now()).Exec(ctx)
	})
	if err == nil || !strings.Contains(err.Error(), "row-level security") {
		t.Errorf("a write as another business must be refused, got %v", err)
	}
	n, err := pg.InTx(ctx, w.DB, a, func(tx *pg.Tx) (int, error) { return tx.Ent().TaxRate.Update().SetPpm(9).Save(ctx) })
	if err != nil || n != 0 {
		t.Errorf("an update reached %d foreign rows (%v)", n, err)
	}
	if err := w.DB.View(a).Ent().TaxRate.Create().SetID(pg.NewID()).SetBusinessID(a).SetName("x").SetPpm(1).
		SetCreatedAt(w.Clock.Now()).SetUpdatedAt(w.Clock.Now()).Exec(ctx); err == nil {
		t.Error("a view wrote")
	}
}

func TestRefusesARoleThatCouldBypass(t *testing.T) {
	w := apptest.Open(t)
	for _, role := range []string{"postgres", "foyer_owner"} {
		if db, err := pg.Open(t.Context(), pg.Config{URL: w.URL(role)}); !errors.Is(err, pg.ErrBypass) {
			t.Errorf("%s: %v", role, err)
			if db != nil {
				db.Close()
			}
		}
	}
}

func TestRollback(t *testing.T) {
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	ctx := t.Context()
	boom := errors.New("boom")
	_, err := pg.InTx(ctx, w.DB, a, func(tx *pg.Tx) (int, error) {
		_, err := tx.Exec(ctx, "update businesses set name = 'changed'")
		return 0, errors.Join(err, boom)
	})
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	_, err = pg.InTx(ctx, w.DB, a, func(tx *pg.Tx) (int, error) {
		_, _ = tx.Exec(ctx, "update businesses set name = 'changed'")
		_, _ = tx.Exec(ctx, "select 1 / 0") // swallowed: the commit must not pretend
		return 0, nil
	})
	if err == nil {
		t.Error("a failed transaction committed")
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = pg.InTx(ctx, w.DB, a, func(tx *pg.Tx) (int, error) {
			_, _ = tx.Exec(ctx, "update businesses set name = 'changed'")
			panic("boom")
		})
	}()
	cancelled, cancel := context.WithCancel(ctx)
	_, err = pg.InTx(cancelled, w.DB, a, func(tx *pg.Tx) (int, error) {
		_, err := tx.Exec(cancelled, "update businesses set name = 'changed'")
		cancel()
		return 0, err
	})
	if err == nil {
		t.Error("a cancelled transaction committed")
	}
	if got := apptest.Value[string](t, w, "select name from businesses"); got != "studio-a" {
		t.Errorf("name is %q after four rollbacks", got)
	}
}

func TestOneEffectPerClaim(t *testing.T) {
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	claim := pg.Claim{Key: [32]byte{1}, Request: [32]byte{1}}
	const twins = 20
	ids := make([]uuid.UUID, twins)
	var wg sync.WaitGroup
	for i := range twins {
		wg.Go(func() {
			var err error
			if ids[i], err = addRate(pg.WithClaim(t.Context(), claim), w, a, "VAT"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("twins got %s and %s", ids[0], id)
		}
	}
	if n := apptest.Value[int](t, w, "select count(*) from tax_rates"); n != 1 {
		t.Errorf("%d effects", n)
	}
	claim.Request[0]++
	if _, err := addRate(pg.WithClaim(t.Context(), claim), w, a, "other"); !errors.Is(err, pg.ErrKeyReused) {
		t.Errorf("another request under the same key: %v", err)
	}
	// A refusal leaves no trace: the same request may succeed later.
	fresh := pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{2}})
	refused := fault.New(fault.Conflict, "full", "Full.")
	if _, err := pg.InTx(fresh, w.DB, a, func(tx *pg.Tx) (int, error) { return 0, refused }); !errors.Is(err, refused) {
		t.Fatal(err)
	}
	fresh = pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{2}})
	if n, err := pg.InTx(fresh, w.DB, a, func(tx *pg.Tx) (int, error) { return 7, nil }); err != nil || n != 7 {
		t.Errorf("after a refusal: %d, %v", n, err)
	}
}

// TestClaimsCountTransactions: a request of two transactions that died between them runs only the second one again.
func TestClaimsCountTransactions(t *testing.T) {
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	runs := 0
	verb := func(ctx context.Context) int {
		n, err := pg.InTx(ctx, w.DB, a, func(tx *pg.Tx) (int, error) { runs++; return runs, nil })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	claim := pg.Claim{Key: [32]byte{3}, Several: "there is something between them"}
	verb(pg.WithClaim(t.Context(), claim))
	again := pg.WithClaim(t.Context(), claim)
	if one, two := verb(again), verb(again); one != 1 || two != 2 {
		t.Errorf("got %d and %d, want the first kept and the second run", one, two)
	}
}

// TestOneTransactionPerClaim: a request that is not declared as several transactions has no second one beside the
// stored result, neither under its claim nor without it. A rolled back one does not count, and the next takes its
// place.
func TestOneTransactionPerClaim(t *testing.T) {
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	full := fault.New(fault.Conflict, "full", "Full.")
	runs := 0
	verb := func(ctx context.Context, err error) (int, error) {
		return pg.InTx(ctx, w.DB, a, func(*pg.Tx) (int, error) { runs++; return runs, err })
	}
	claim := pg.Claim{Key: [32]byte{5}}
	first := pg.WithClaim(t.Context(), claim)
	if _, err := verb(first, full); !errors.Is(err, full) {
		t.Fatal(err)
	}
	if n, err := verb(first, nil); n != 2 || err != nil {
		t.Errorf("after one that was rolled back: %d, %v", n, err)
	}
	for name, ctx := range map[string]context.Context{
		"a second": first, "a second in a repetition": nil, "one beside the claim": pg.WithoutClaim(pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{6}})),
	} {
		if ctx == nil {
			ctx = pg.WithClaim(t.Context(), claim)
			if n, err := verb(ctx, nil); n != 2 || err != nil {
				t.Errorf("a repetition: %d, %v", n, err)
			}
		}
		if _, err := verb(ctx, nil); err == nil || fault.From(err) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if runs != 2 {
		t.Errorf("%d runs", runs)
	}
}

// TestWithoutClaim: a transaction that a repeated request must run anew is not part of its claim.
func TestWithoutClaim(t *testing.T) {
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	runs := 0
	for range 2 {
		ctx := pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{4}, Several: "the world may have changed"})
		_, err := pg.InTx(pg.WithoutClaim(ctx), w.DB, a, func(tx *pg.Tx) (int, error) { runs++; return runs, nil })
		if err != nil {
			t.Fatal(err)
		}
		if n, err := pg.InTx(ctx, w.DB, a, func(tx *pg.Tx) (int, error) { return runs, nil }); err != nil || n != 1 {
			t.Errorf("the claim's own transaction gave %d, %v", n, err)
		}
	}
	if runs != 2 {
		t.Errorf("ran %d times, want each time", runs)
	}
}

func TestRetriesADeadlock(t *testing.T) {
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	one, err1 := addRate(t.Context(), w, a, "one")
	two, err2 := addRate(t.Context(), w, a, "two")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	var meet sync.WaitGroup
	meet.Add(2)
	lock := func(first, second uuid.UUID) error {
		try := 0
		_, err := pg.InTx(t.Context(), w.DB, a, func(tx *pg.Tx) (int, error) {
			try++
			if _, err := tx.Exec(t.Context(), "update tax_rates set ppm = ppm + 1 where id = $1", first); err != nil {
				return 0, err
			}
			if try == 1 {
				meet.Done()
				meet.Wait()
			}
			_, err := tx.Exec(t.Context(), "update tax_rates set ppm = ppm + 1 where id = $1", second)
			return 0, err
		})
		return err
	}
	done := make(chan error, 2)
	go func() { done <- lock(one, two) }()
	go func() { done <- lock(two, one) }()
	if err := errors.Join(<-done, <-done); err != nil {
		t.Fatal(err)
	}
	if sum := apptest.Value[int](t, w, "select sum(ppm) from tax_rates"); sum != 6 {
		t.Errorf("sum %d, want both transactions once each", sum)
	}
}

// TestHit: a window begins with the bucket's first call and ends as one. A81, A217.
func TestHit(t *testing.T) {
	w := apptest.Open(t)
	hit := func() pg.Hits {
		h, err := w.DB.Hit(t.Context(), "visitor", 2, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	w.Clock.Advance(59 * time.Second) // late in a minute of the wall clock: windows do not care
	end := w.Clock.Now().Add(time.Minute)
	for i, want := range []bool{true, true, false} {
		if h := hit(); h.Allowed != want || !h.ResetAt.Equal(end) {
			t.Errorf("call %d: %+v, want allowed %v until %v", i+1, h, want, end)
		}
		w.Clock.Advance(20*time.Second - time.Microsecond)
	}
	w.Clock.Advance(3 * time.Microsecond)
	if h := hit(); !h.Allowed {
		t.Errorf("after the window: %+v", h)
	}
}
