package apptest

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/clock"
	"foyer/app/pg"
)

// Start is when tests begin: a Wednesday noon in UTC, with no daylight-saving change near it.
var Start = time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)

// World is a database with a clock, opened as the application.
type World struct {
	Database
	DB    *pg.DB
	Clock *clock.Fixed
	count *counter
	clone *clone
}

// Open gives the test a database of its own, opened as foyer_app, and a clock fixed at Start.
func Open(t testing.TB) *World {
	t.Helper()
	c := takeClone(t)
	w := &World{Database: c.Database, Clock: clock.NewFixed(Start), count: &counter{}, clone: c}
	c.trace.to.Store(w.count)
	w.DB = w.As(t, "foyer_app")
	return w
}

// As opens the same database as another role.
func (w *World) As(t testing.TB, role string) *pg.DB {
	t.Helper()
	return w.open(t, role, 16, true)
}

// Worker opens the database for a worker beside the test. Its statements are not counted: they come at any time. It
// has few connections: to open one takes Postgres as long as fifty statements.
func (w *World) Worker(t testing.TB) *pg.DB {
	t.Helper()
	return w.open(t, "foyer_job", 3, false)
}

func (w *World) open(t testing.TB, role string, conns int, counted bool) *pg.DB {
	t.Helper()
	db, err := w.clone.open(t, role, conns, counted, pg.Config{Clock: w.Clock, Strict: true, Eager: true})
	if err != nil {
		t.Fatalf("apptest: open as %s: %v", role, err)
	}
	return db
}

// Warm opens all connections of the pool. Otherwise racing goroutines wait for connections, and the first is done
// before the next begins.
func (w *World) Warm(t testing.TB) {
	t.Helper()
	var open []*pgxpool.Conn
	for range w.DB.Pool().Config().MaxConns {
		c, err := w.DB.Pool().Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
	}
	for _, c := range open {
		c.Release()
	}
}

// Statements counts the round trips that fn makes: an N+1 shows as a number that grows with the rows.
func (w *World) Statements(fn func()) int {
	trips, _ := w.Sent(fn)
	return trips
}

// Sent counts the round trips that fn makes, and the statements in them.
func (w *World) Sent(fn func()) (trips, statements int) {
	t, s := w.count.trips.Load(), w.count.statements.Load()
	fn()
	return int(w.count.trips.Load() - t), int(w.count.statements.Load() - s)
}

// Statement is a statement recorded on its way to the server.
type Statement struct {
	SQL  string
	Args []any
}

// Heard returns the statements that fn sends, in order.
func (w *World) Heard(fn func()) []Statement {
	var list []Statement
	w.count.hear.Store(&list)
	fn()
	w.count.hear.Store(nil)
	return list
}

// SQL runs a statement as the superuser, past every policy: for arranging and for looking, never for acting.
func (w *World) SQL(t testing.TB, sql string, args ...any) {
	t.Helper()
	w.superuser(t, func(c *pgx.Conn) error {
		_, err := c.Exec(t.Context(), sql, args...)
		return err
	})
}

// Value reads one value as the superuser.
func Value[T any](t testing.TB, w *World, sql string, args ...any) T {
	t.Helper()
	var v T
	w.superuser(t, func(c *pgx.Conn) error { return c.QueryRow(t.Context(), sql, args...).Scan(&v) })
	return v
}

// Values reads one column as the superuser.
func Values[T any](t testing.TB, w *World, sql string, args ...any) []T {
	t.Helper()
	var list []T
	w.superuser(t, func(c *pgx.Conn) error {
		rows, err := c.Query(t.Context(), sql, args...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[T])
		return err
	})
	return list
}

func (w *World) superuser(t testing.TB, fn func(*pgx.Conn) error) {
	t.Helper()
	conn, err := w.clone.root.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if err := fn(conn.Conn()); err != nil {
		t.Fatalf("apptest: %v", err)
	}
}

// counter counts trips to the server: a query or a whole batch is one. During a recording it keeps the statements,
// too.
type counter struct {
	trips, statements atomic.Int64
	mu                sync.Mutex
	hear              atomic.Pointer[[]Statement]
}

func (c *counter) keep(sql string, args []any) {
	if list := c.hear.Load(); list != nil {
		c.mu.Lock()
		*list = append(*list, Statement{sql, slices.Clone(args)})
		c.mu.Unlock()
	}
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	c.trips.Add(1)
	c.statements.Add(1)
	c.keep(d.SQL, d.Args)
	return ctx
}
func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	c.trips.Add(1)
	c.statements.Add(int64(d.Batch.Len()))
	for _, q := range d.Batch.QueuedQueries {
		c.keep(q.SQL, q.Arguments)
	}
	return ctx
}
func (c *counter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// Deadlocks returns the number of deadlocks that Postgres has resolved in this test's database.
func Deadlocks(t testing.TB, w *World) int {
	t.Helper()
	w.SQL(t, "select pg_stat_force_next_flush()")
	return Value[int](t, w, "select deadlocks from pg_stat_database where datname = current_database()")
}
