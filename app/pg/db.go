package pg

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/clock"
)

// Config is the configuration of a DB: its database and the clock of its transactions.
type Config struct {
	URL      string // as foyer_app or foyer_job; a role that could bypass row-level security is refused
	MaxConns int    // 0: pgx's default, at least 4
	// Warm is the number of connections that are kept open and warm (Hot). 0: connections are opened when they are
	// needed.
	Warm int
	// Patience bounds every wait; the zero value waits forever.
	Patience Patience
	Clock    clock.Clock
	// Changes, if set, is notified of the business of every committed transaction.
	Changes *Changes
	// Strict refuses the second transaction of a request that should have one; tests set it.
	Strict bool
	// Eager makes Due return true at every call. Tests set it, to avoid waiting for a worker's interval.
	Eager bool
	// Tracer, when set, sees every statement; tests count with it.
	Tracer pgx.QueryTracer
}

// Patience limits the statements of a connection. Postgres cancels a statement over the limit, and the result is
// ErrUnavailable.
type Patience struct {
	Lock      time.Duration // to get a lock that another transaction holds
	Statement time.Duration // altogether
}

// deadProcess is the limit for an idle open transaction: its process has stopped, and others wait for its locks.
const deadProcess = time.Minute

// set passes the limits to Postgres.
func (p Patience) set(params map[string]string) {
	if p == (Patience{}) {
		return
	}
	for name, d := range map[string]time.Duration{
		"lock_timeout": p.Lock, "statement_timeout": p.Statement, "idle_in_transaction_session_timeout": deadProcess,
	} {
		params[name] = strconv.FormatInt(d.Milliseconds(), 10)
	}
}

// DB is a pool of connections for many businesses, one at a time each.
type DB struct {
	pool    atomic.Pointer[pgxpool.Pool]
	shared  bool // the connections are another DB's
	clock   clock.Clock
	found   *directory
	changes *Changes
	strict  bool
	eager   bool
	done    sync.Map // by task: *atomic.Int64, when Due last returned true for it, in Unix nanoseconds
	warmer  *warmer  // nil when no connections are kept warm
	shares  *shares
}

// connectTime is the limit for connecting: a stopped Postgres accepts the connection and does not answer.
const connectTime = 5 * time.Second

// ErrBypass refuses a role that row-level security does not bind.
var ErrBypass = errors.New("pg: the database role could bypass row-level security (superuser, BYPASSRLS or owner of tables); " +
	"connect as foyer_app, see \"foyer migrate roles\"")

// Open connects to the database. It returns ErrBypass for a role that could bypass row-level security: a superuser,
// one with BYPASSRLS, or one that owns tables or may become their owner.
func Open(ctx context.Context, c Config) (*DB, error) {
	pc, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("pg: database url: %w", err)
	}
	if c.MaxConns > 0 {
		pc.MaxConns = int32(c.MaxConns)
	}
	pc.MinConns = int32(min(c.Warm, int(pc.MaxConns)))
	pc.MaxConnIdleTime = 5 * time.Minute
	pc.PrepareConn = isOpen
	pc.ConnConfig.Tracer = c.Tracer
	pc.ConnConfig.ConnectTimeout = connectTime
	pc.ConnConfig.RuntimeParams["application_name"] = "foyer"
	// Postgres compiles a statement that it thinks costly: half a second for one of many joins that takes some
	// milliseconds to run. All of ours are short.
	pc.ConnConfig.RuntimeParams["jit"] = "off"
	c.Patience.set(pc.ConnConfig.RuntimeParams)
	pc.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		// Instants are returned in UTC, in every time zone of the machine.
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		registerUUID(conn.TypeMap())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, fmt.Errorf("pg: %w", err)
	}
	if err := refuseBypass(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	db := on(pool, c)
	if pc.MinConns > 0 {
		db.warmer = keepWarm(pool, int(pc.MinConns))
	}
	return db, nil
}

func on(pool *pgxpool.Pool, c Config) *DB {
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	db := &DB{
		clock: c.Clock, found: &directory{known: map[any]Location{}}, changes: c.Changes, strict: c.Strict, eager: c.Eager,
		shares: newShares(int(pool.Config().MaxConns)),
	}
	db.pool.Store(pool)
	return db
}

// Again returns another DB on the connections of this one, in the state of a new process: it has no caches yet. It
// heeds Clock, Changes, Strict and Eager of the configuration. Closing it leaves the connections open. Tests use it
// to share databases.
func (db *DB) Again(c Config) *DB {
	again := on(db.Pool(), c)
	again.shared = true
	return again
}

func refuseBypass(ctx context.Context, pool *pgxpool.Pool) error {
	var bypass bool
	err := pool.QueryRow(ctx, `select exists (
		select from pg_roles r where pg_has_role(current_user, r.oid, 'member') and (r.rolsuper or r.rolbypassrls)
	) or exists (
		select from pg_class c where c.relkind in ('r', 'p') and pg_has_role(current_user, c.relowner, 'member')
			and c.relnamespace = 'public'::regnamespace
	)`).Scan(&bypass)
	if err != nil {
		return fmt.Errorf("pg: connect: %w", err)
	}
	if bypass {
		return ErrBypass
	}
	return nil
}

// closed is a pool that returns an error for every use.
var closed = sync.OnceValue(func() *pgxpool.Pool {
	c, err := pgxpool.ParseConfig("host=/nowhere")
	if err != nil {
		panic(err)
	}
	c.MinConns = 0
	pool, err := pgxpool.NewWithConfig(context.Background(), c)
	if err != nil {
		panic(err)
	}
	pool.Close()
	return pool
})

// Close closes all connections. On a DB from Again it only ends its use of them.
func (db *DB) Close() {
	if db.shared {
		db.pool.Store(closed())
		return
	}
	if db.warmer != nil {
		db.warmer.stop()
		<-db.warmer.ended
	}
	db.Pool().Close()
}

// Clock returns the clock of this database's transactions.
func (db *DB) Clock() clock.Clock { return db.clock }

// Pool is for package jobs, for River, and for the health check; nothing else reads through it.
func (db *DB) Pool() *pgxpool.Pool { return db.pool.Load() }

// NewID returns a new UUIDv7.
func NewID() uuid.UUID {
	return uuid.Must(uuid.NewV7()) // without randomness nothing sensible can follow
}

// NewIDs returns n UUIDv7s.
func NewIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = NewID()
	}
	return ids
}
