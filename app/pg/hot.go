package pg

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// hot are the statements passed to Hot, hotTexts the same in order and in Postgres's form.
var (
	hot      = map[string]bool{}
	hotTexts []string
)

// Hot marks a statement that most requests send, and returns it. It stands at the declaration of the statement, in a
// variable of the package, so that all of them are known before main begins:
//
//	var lockCart = pg.Hot(`update carts set … where token_hash = $1 returning …`)
//
// Three things follow. Connections that a DB keeps warm (Config.Warm) have prepared and planned it before the first
// request: a new connection would otherwise spend more on reading the catalog and on planning than on the work. A
// View that sends it, and a transaction that begins with it, run on generic plans: Postgres would otherwise plan each
// of their statements anew five times on every connection before it chooses the generic plan. And tests check it
// against the database's schema.
//
// So a hot statement has the same best plan for all arguments. A statement that differs from call to call ("$2 is
// null or …") is several statements, or is not hot.
func Hot(sql string) string {
	if hot[sql] {
		return sql
	}
	text, _, err := pgx.NamedArgs{}.RewriteQuery(context.Background(), nil, sql, nil) // Named numbers them the same way
	if err != nil {
		panic(err)
	}
	hot[sql] = true
	hotTexts = append(hotTexts, text)
	return sql
}

// keepPlans, after a list of settings, lets the statements of a transaction run on generic plans.
const keepPlans = ", set_config('plan_cache_mode', 'force_generic_plan', true)"

// warmer warms the connections of a pool, one after the other and only idle ones, until it is stopped.
type warmer struct {
	pool   *pgxpool.Pool
	want   int
	warmed int64         // connections, as many as there ever were
	all    chan struct{} // closed when as many as wanted are
	failed error         // of the first that could not be warmed; read after all
	stop   context.CancelFunc
	ended  chan struct{}
}

// warmPause is between two searches for new connections: replaced ones, and those of a rush.
const warmPause = time.Second

// keepWarm starts a warmer. The pool itself opens the wanted connections (MinConns).
func keepWarm(pool *pgxpool.Pool, want int) *warmer {
	ctx, stop := context.WithCancel(context.Background()) // ends with the pool, not with the caller of Open
	w := &warmer{pool: pool, want: want, stop: stop, all: make(chan struct{}), ended: make(chan struct{})}
	go w.run(ctx)
	return w
}

func (w *warmer) run(ctx context.Context) {
	defer close(w.ended)
	for {
		pause := warmPause
		if w.warmed < int64(w.want) {
			pause = time.Millisecond // they are being opened
		}
		if w.pool.Stat().NewConnsCount() > w.warmed {
			w.sweep(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// sweep warms the idle connections that are cold, and holds one at a time, as requests may wait for them.
func (w *warmer) sweep(ctx context.Context) {
	for c := w.takeCold(ctx); c != nil; c = w.takeCold(ctx) {
		if err := warm(ctx, c.Conn()); err != nil && w.failed == nil && ctx.Err() == nil {
			w.failed = err
		}
		c.Conn().PgConn().CustomData()[warmMark] = true
		c.Release()
		w.count()
	}
}

// takeCold takes an idle connection that is cold; nil when there is none.
func (w *warmer) takeCold(ctx context.Context) (cold *pgxpool.Conn) {
	for _, c := range w.pool.AcquireAllIdle(ctx) {
		if cold == nil && !isWarm(c) {
			cold = c
		} else {
			c.Release()
		}
	}
	return cold
}

const warmMark = "foyer.warm"

func isWarm(c *pgxpool.Conn) bool { return c.Conn().PgConn().CustomData()[warmMark] != nil }

func (w *warmer) count() {
	w.warmed++
	if w.warmed == int64(w.want) {
		close(w.all)
	}
}

// warm prepares and plans the hot statements on a connection. Nothing is run: EXPLAIN of a prepared statement plans
// it, and the next execution reuses the plan.
func warm(ctx context.Context, conn *pgx.Conn) error {
	var refused error
	var plans strings.Builder
	// Policies read the business while a statement is planned.
	plans.WriteString("begin; select set_config('app.business_id', '" + uuid.Nil.String() + "', true)" + keepPlans + "; ")
	for _, sql := range hotTexts {
		s, err := conn.Prepare(ctx, sql, sql)
		if pe := (*pgconn.PgError)(nil); errors.As(err, &pe) {
			refused = errors.Join(refused, err) // it fails where it is sent, too
			continue
		} else if err != nil {
			return err
		}
		plans.WriteString("explain execute " + s.Name)
		if n := len(s.ParamOIDs); n > 0 {
			plans.WriteString("(null" + strings.Repeat(", null", n-1) + ")")
		}
		plans.WriteString("; ")
	}
	plans.WriteString("rollback")
	if _, err := conn.PgConn().Exec(ctx, plans.String()).ReadAll(); err != nil {
		_, undone := conn.PgConn().Exec(ctx, "rollback").ReadAll()
		return errors.Join(refused, err, undone)
	}
	return refused
}

// AllWarm waits until Config.Warm connections are warm, and returns the errors of preparing and planning. It returns
// at once if Config.Warm is 0.
func (db *DB) AllWarm(ctx context.Context) error {
	if db.warmer == nil {
		return nil
	}
	select {
	case <-db.warmer.all:
		return db.warmer.failed
	case <-ctx.Done():
		return ctx.Err()
	}
}
