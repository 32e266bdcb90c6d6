package pg_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/pg"
)

const (
	renameSQL = "update businesses set name = $1"
	mustSQL   = "select app.must((select name from businesses) = $1)"
	nameSQL   = "select name from businesses"
)

// renaming is a transaction of one batch: it renames, requires the expected name, and reads it.
func renaming(ctx context.Context, w *apptest.World, business uuid.UUID, to, expected string, before ...string) (string, error) {
	return pg.InTx(ctx, w.DB, business, func(tx *pg.Tx) (string, error) {
		for _, sql := range before {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return "", err
			}
		}
		var name string
		var found bool
		b := tx.Batch()
		pg.QueueExec(b, renameSQL, to)
		pg.QueueExec(b, mustSQL, expected)
		pg.QueueOne(b, &name, &found, nameSQL)
		return name, b.Commit(ctx)
	})
}

func nameOf(t *testing.T, w *apptest.World, business uuid.UUID) string {
	t.Helper()
	name, err := pg.One[string](t.Context(), w.DB.View(business), nameSQL)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// The last batch of a transaction takes the commit along: all of it is kept or nothing, and statements see those
// before them.
func TestCommitWithTheLastBatch(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	ctx := t.Context()
	for what, c := range map[string]struct {
		before []string
		trips  int
	}{
		"a transaction of one batch": {nil, 1},
		"one that has begun":         {[]string{"select"}, 2},
	} {
		trips := w.Statements(func() {
			if name, err := renaming(ctx, w, a, what, what, c.before...); name != what || err != nil {
				t.Errorf("%s: read %q (%v)", what, name, err)
			}
		})
		if trips != c.trips || nameOf(t, w, a) != what {
			t.Errorf("%s: %d trips, and the name is %q", what, trips, nameOf(t, w, a))
		}
		_, err := renaming(ctx, w, a, "lost", "another", c.before...)
		if !errors.Is(err, pg.ErrUnmet) || nameOf(t, w, a) != what {
			t.Errorf("%s, unmet: %v, and the name is %q", what, err, nameOf(t, w, a))
		}
		var f *pg.Failure
		if !errors.As(err, &f) || !strings.Contains(f.Statement, "renaming") {
			t.Errorf("the error does not say who sent it: %v", err)
		}
	}
}

// Nothing follows the commit: neither a statement, nor an error for an effect that is kept.
func TestNothingFollowsTheCommit(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	ctx := t.Context()
	after := errors.New("after the commit")
	for what, more := range map[string]func(tx *pg.Tx) error{
		"a statement": func(tx *pg.Tx) error { _, err := tx.Exec(ctx, renameSQL, "late"); return err },
		"a batch": func(tx *pg.Tx) error {
			b := tx.Batch()
			pg.QueueExec(b, renameSQL, "late")
			return b.Send(ctx)
		},
		"another commit": func(tx *pg.Tx) error { return tx.Batch().Commit(ctx) },
		"an error":       func(*pg.Tx) error { return after },
	} {
		err := pg.Do(ctx, w.DB, a, func(tx *pg.Tx) error {
			b := tx.Batch()
			pg.QueueExec(b, renameSQL, what)
			if err := b.Commit(ctx); err != nil {
				t.Fatal(err)
			}
			return more(tx)
		})
		if err == nil || !strings.Contains(err.Error(), "after its commit") || nameOf(t, w, a) != what {
			t.Errorf("%s: %v, and the name is %q", what, err, nameOf(t, w, a))
		}
		if what == "an error" && !errors.Is(err, after) {
			t.Errorf("the verb's error is lost: %v", err)
		}
	}
}

// Under an Idempotency-Key the result is kept beside the effect, so the commit waits for it.
func TestCommitUnderAClaim(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	claim := pg.Claim{Key: [32]byte{1}, Request: [32]byte{2}}
	if _, err := renaming(pg.WithClaim(t.Context(), claim), w, a, "lost", "another"); !errors.Is(err, pg.ErrUnmet) {
		t.Fatalf("%v", err)
	}
	for _, between := range []string{"twice", ""} {
		if name, err := renaming(pg.WithClaim(t.Context(), claim), w, a, "once", "once"); name != "once" || err != nil {
			t.Fatalf("read %q (%v)", name, err)
		}
		if between != "" {
			if _, err := renaming(t.Context(), w, a, between, between); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := nameOf(t, w, a); got != "twice" {
		t.Errorf("the repeated request was run again: %q", got)
	}
}

// renamingAtOnce is renaming as a verb with all statements known in advance; beside makes it refuse.
func renamingAtOnce(ctx context.Context, w *apptest.World, business uuid.UUID, to, expected string, beside func() error) (string, error) {
	return pg.InOneTrip(ctx, w.DB, business, func(_ *pg.Tx, b *pg.Batch) (string, error) {
		pg.QueueExec(b, renameSQL, to)
		pg.QueueExec(b, mustSQL, expected)
		return to, beside()
	})
}

// Statements known in advance are one trip with their commit and their claim; a repetition finds the claim and gets
// the stored result.
func TestInOneTrip(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	full := fault.New(fault.Conflict, "full", "Full.")
	none, refuse := func() error { return nil }, func() error { return full }
	plain := t.Context()
	key := func(n byte) context.Context { return pg.WithClaim(plain, pg.Claim{Key: [32]byte{n}}) }
	other := pg.WithClaim(plain, pg.Claim{Key: [32]byte{1}, Request: [32]byte{1}})
	for _, c := range []struct {
		what         string
		ctx          context.Context
		to, expected string
		beside       func() error
		is           error
		gives, name  string
		trips        int
	}{
		{"without a key", plain, "b", "b", none, nil, "b", "b", 1},
		{"not as expected", plain, "lost", "another", none, pg.ErrUnmet, "", "b", 1},
		{"refused", plain, "lost", "lost", refuse, full, "", "b", 0},
		{"with a key, not as expected", key(1), "lost", "another", none, pg.ErrUnmet, "", "b", 1},
		{"with a key, refused", key(1), "lost", "lost", refuse, full, "", "b", 2},
		{"with a key", key(1), "c", "c", none, nil, "c", "c", 1},
		{"in between", plain, "d", "d", none, nil, "d", "d", 1},
		{"repeated", key(1), "c", "c", none, nil, "c", "d", 2},
		{"repeated, not as expected any more", key(1), "c", "another", none, nil, "c", "d", 2},
		{"repeated, and would be refused", key(1), "c", "c", refuse, nil, "c", "d", 3},
		{"another request under the key", other, "lost", "lost", none, pg.ErrKeyReused, "", "d", 2},
		{"another request, and would be refused", other, "lost", "lost", refuse, pg.ErrKeyReused, "", "d", 3},
		{"another key", key(2), "e", "e", none, nil, "e", "e", 1},
	} {
		var got string
		var err error
		trips := w.Statements(func() { got, err = renamingAtOnce(c.ctx, w, a, c.to, c.expected, c.beside) })
		if got != c.gives || !errors.Is(err, c.is) || trips != c.trips || nameOf(t, w, a) != c.name {
			t.Errorf("%s: %q (%v) in %d trips, and the name is %q; want %+v", c.what, got, err, trips, nameOf(t, w, a), c)
		}
		if f := (*pg.Failure)(nil); c.is == pg.ErrUnmet && (!errors.As(err, &f) || !strings.Contains(f.Statement, "renamingAtOnce")) {
			t.Errorf("%s: the error does not say who sent it: %v", c.what, err)
		}
	}
	nothing := func(ctx context.Context, gives int) (n, trips int) {
		trips = w.Statements(func() {
			var err error
			if n, err = pg.InOneTrip(ctx, w.DB, a, func(*pg.Tx, *pg.Batch) (int, error) { return gives, nil }); err != nil {
				t.Error(err)
			}
		})
		return n, trips
	}
	if n, trips := nothing(plain, 1); n != 1 || trips != 0 {
		t.Errorf("nothing to do: %d in %d trips", n, trips)
	}
	nothing(key(3), 2)
	if n, trips := nothing(key(3), 3); n != 2 || trips != 2 {
		t.Errorf("nothing to do, repeated: %d in %d trips", n, trips)
	}
}

// A verb of InOneTrip that sends a statement itself is refused: the statement would be beside the claim.
func TestInOneTripSendsNothingItself(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	for n, ctx := range []context.Context{t.Context(), pg.WithClaim(t.Context(), pg.Claim{})} {
		_, err := pg.InOneTrip(ctx, w.DB, a, func(tx *pg.Tx, b *pg.Batch) (int, error) {
			_, err := tx.Exec(ctx, renameSQL, "beside")
			return 0, err
		})
		if err == nil || fault.From(err) != nil || nameOf(t, w, a) != "studio-a" {
			t.Errorf("%d: %v, and the name is %q", n, err, nameOf(t, w, a))
		}
	}
}

// Twins of one trip: one has the effect, and all get its answer.
func TestInOneTripRace(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	claim := pg.Claim{Key: [32]byte{1}}
	answers := make([]string, 20)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			var err error
			name := fmt.Sprint("twin ", i)
			if answers[i], err = renamingAtOnce(pg.WithClaim(t.Context(), claim), w, a, name, name, func() error { return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, got := range answers {
		if got != nameOf(t, w, a) {
			t.Errorf("a twin got %q, and the name is %q", got, nameOf(t, w, a))
		}
	}
}

// forgetting deletes all stored results when a batch has failed: between the answer that a claim is taken and the
// reading of its result.
type forgetting struct {
	t     *testing.T
	w     *apptest.World
	times int
}

func (f *forgetting) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (f *forgetting) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (f *forgetting) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (f *forgetting) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (f *forgetting) TraceBatchEnd(_ context.Context, _ *pgx.Conn, d pgx.TraceBatchEndData) {
	if d.Err != nil {
		f.times++
		f.w.SQL(f.t, "delete from replays")
	}
}

// A repetition whose first answer is deleted at this very moment is a request like any other.
func TestForgottenMeanwhile(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	f := &forgetting{t: t, w: w}
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 2, Clock: w.Clock, Strict: true, Tracer: f})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w.DB = db
	for n, rename := range []func(ctx context.Context, to string) (string, error){
		func(ctx context.Context, to string) (string, error) { return renaming(ctx, w, a, to, to) },
		func(ctx context.Context, to string) (string, error) {
			return renamingAtOnce(ctx, w, a, to, to, func() error { return nil })
		},
	} {
		for _, to := range []string{"once", "again"} {
			ctx := pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{byte(n)}})
			if got, err := rename(ctx, to); got != to || err != nil || nameOf(t, w, a) != to {
				t.Errorf("%q (%v), and the name is %q, want %q", got, err, nameOf(t, w, a), to)
			}
		}
	}
	if f.times != 2 {
		t.Errorf("forgotten %d times", f.times)
	}
}

// An asynchronous commit concerns this one transaction: the next on the same connection is as durable as ever.
func TestCommitLazily(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	a := newBusiness(t, w, "studio-a")
	w.SQL(t, "alter database "+pgx.Identifier{w.Name}.Sanitize()+" set synchronous_commit = on") // off in tests
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 1, Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	setting := func(commit func(b *pg.Batch) error) (said string) {
		err := pg.Do(t.Context(), db, a, func(tx *pg.Tx) error {
			var found bool
			b := tx.Batch()
			pg.QueueExec(b, renameSQL, "lazy")
			pg.QueueOne(b, &said, &found, "select current_setting('synchronous_commit')")
			return commit(b)
		})
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	lazily := func(b *pg.Batch) error {
		b.Lazily()
		return b.Commit(t.Context())
	}
	if got := setting(lazily); got != "off" || nameOf(t, w, a) != "lazy" {
		t.Errorf("synchronous_commit is %s, and the name %q", got, nameOf(t, w, a))
	}
	if got := setting(func(b *pg.Batch) error { return b.Commit(t.Context()) }); got != "on" {
		t.Errorf("the next transaction has synchronous_commit %s", got)
	}
}
