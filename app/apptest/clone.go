package apptest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/pg"
)

// A clone of the template is emptied and used again by the next test of the process, with its connections: to create
// one, to drop it and to have new connections read the catalog costs more than most tests. It is emptied when it is
// handed out, so that late writes of a test's last goroutine are gone as well. A clone is dropped if its schema,
// settings or filled tables differ from the template's, or if one of its connections was not released. A running test
// never shares one.

const (
	clonesKept = 4       // free ones of a process; tests that run side by side need more for a while
	usesMost   = 50      // dead rows and pages add up
	sizeMost   = 1 << 20 // bytes of a table: emptied it would be read whole for ever
)

// reuse is off where every test needs an unused database: without the guards, which change the schema, and in long
// runs.
var reuse atomic.Bool

func init() { reuse.Store(Guarded && os.Getenv("FOYER_LONG") == "") }

// FreshDatabases gives every test of the process an unused database: for packages about connections or the schema.
func FreshDatabases() { reuse.Store(false) }

// clone is a database that tests use one after the other.
type clone struct {
	Database
	root  *pgxpool.Pool // the superuser: connecting takes ten times as long as a query
	uses  int
	trace relay
	mu    sync.Mutex
	free  map[string][]*pg.DB // by role and size; not in use
	all   []*pg.DB
}

// clones are those that no test uses.
var clones struct {
	sync.Mutex
	free []*clone
}

// errSpoiled reports that a clone cannot be used again.
var errSpoiled = errors.New("spoiled")

// takeClone gives the test a database like the template, alone.
func takeClone(t testing.TB) *clone {
	t.Helper()
	for reuse.Load() {
		clones.Lock()
		n := len(clones.free)
		if n == 0 {
			clones.Unlock()
			break
		}
		c := clones.free[n-1]
		clones.free = clones.free[:n-1]
		clones.Unlock()
		err := c.empty(t.Context())
		if err == nil {
			t.Cleanup(func() { c.giveBack(t) })
			return c
		}
		c.drop(t)
		if !errors.Is(err, errSpoiled) {
			t.Fatalf("apptest: empty a database: %v", err)
		}
		if os.Getenv("FOYER_CLONES") != "" {
			t.Log(err)
		}
	}
	c, err := newClone(t)
	if err != nil {
		t.Fatalf("apptest: %v", err)
	}
	t.Cleanup(func() { c.giveBack(t) })
	return c
}

func newClone(t testing.TB) (*clone, error) {
	t.Helper()
	c := &clone{Database: cloneTemplate(t), free: map[string][]*pg.DB{}}
	config, err := pgxpool.ParseConfig(c.URL("postgres"))
	if err != nil {
		return nil, err
	}
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec // tests change tables: nothing is prepared
	if c.root, err = pgxpool.NewWithConfig(context.Background(), config); err != nil || !reuse.Load() {
		return c, err
	}
	conn, err := c.root.Acquire(t.Context())
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	_, err = originalOf(t.Context(), conn.Conn())
	return c, err
}

// giveBack keeps it for the next test, or drops it.
func (c *clone) giveBack(t testing.TB) {
	t.Helper()
	c.trace.to.Store(nil)
	c.uses++
	if reuse.Load() && c.uses < usesMost && c.idle() {
		clones.Lock()
		kept := len(clones.free) < clonesKept
		if kept {
			clones.free = append(clones.free, c)
		}
		clones.Unlock()
		if kept {
			return
		}
	}
	c.drop(t)
}

// drop does not wait for connections that are out: dropping ends them.
func (c *clone) drop(t testing.TB) {
	t.Helper()
	dropDatabase(t, c.Name)
	for _, pool := range c.pools() {
		go pool.Close()
	}
}

func (c *clone) pools() []*pgxpool.Pool {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []*pgxpool.Pool{c.root}
	for _, db := range c.all {
		list = append(list, db.Pool())
	}
	return list
}

// idle reports whether all connections have come back.
func (c *clone) idle() bool {
	return !slices.ContainsFunc(c.pools(), func(p *pgxpool.Pool) bool { return p.Stat().AcquiredConns() > 0 })
}

// open is a DB as a role on connections that no other has, until the test ends.
func (c *clone) open(t testing.TB, role string, conns int, traced bool, config pg.Config) (*pg.DB, error) {
	t.Helper()
	key := fmt.Sprint(role, " ", conns, " ", traced)
	c.mu.Lock()
	var under *pg.DB
	if list := c.free[key]; len(list) > 0 {
		under, c.free[key] = list[len(list)-1], list[:len(list)-1]
	}
	c.mu.Unlock()
	if under == nil {
		first := pg.Config{URL: c.URL(role), MaxConns: conns}
		if traced {
			first.Tracer = &c.trace
		}
		var err error
		if under, err = pg.Open(t.Context(), first); err != nil {
			return nil, err
		}
		c.mu.Lock()
		c.all = append(c.all, under)
		c.mu.Unlock()
	}
	db := under.Again(config)
	t.Cleanup(func() {
		db.Close()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.free[key] = append(c.free[key], under)
	})
	return db, nil
}

// relay passes the statements of connections on to the counter of the test that uses them now.
type relay struct{ to atomic.Pointer[counter] }

func (r *relay) TraceQueryStart(ctx context.Context, c *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	if to := r.to.Load(); to != nil {
		return to.TraceQueryStart(ctx, c, d)
	}
	return ctx
}
func (r *relay) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *relay) TraceBatchStart(ctx context.Context, c *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	if to := r.to.Load(); to != nil {
		return to.TraceBatchStart(ctx, c, d)
	}
	return ctx
}
func (r *relay) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (r *relay) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
