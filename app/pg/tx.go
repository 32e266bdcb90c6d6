package pg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/tenancy"
	"foyer/ent"
)

type pgxTag = pgconn.CommandTag

// Tx is one transaction of one business, READ COMMITTED. It is not safe for concurrent use.
type Tx struct {
	db       *DB
	business uuid.UUID
	now      time.Time
	conn     *pgxpool.Conn // nil until the first statement
	client   *ent.Client
	acting   tenancy.Actor
	surface  tenancy.Surface
	reason   string
	bounds   bounds
	result   []byte // stored with its claims; nil until it is known
	done     bool   // committed by its last batch
	lazy     bool   // its commit does not wait for the disk
}

// InTx runs fn in a transaction of that business and commits when fn returns nil. A deadlock, a serialization
// failure, and a connection that broke before anything was sent run fn again, up to three times, so fn must have no
// effects outside tx. A panic in fn rolls back and continues. A business has a share of the connections (share.go):
// beyond it, fn waits to begin.
//
// With a Claim in ctx the result is stored beside the effect, and a repeated request returns it without running fn; a
// different request under the same key returns ErrKeyReused. Under DryRun and Redeem InTx follows the quote.
func InTx[T any](ctx context.Context, db *DB, business uuid.UUID, fn func(tx *Tx) (T, error)) (T, error) {
	return inTx(ctx, db, business, true, fn)
}

// inTx is InTx; ahead means that the claims are taken before fn runs.
func inTx[T any](ctx context.Context, db *DB, business uuid.UUID, ahead bool, fn func(tx *Tx) (T, error)) (T, error) {
	b, err := db.bounds(ctx)
	if err != nil {
		var zero T
		return zero, failedIn(err)
	}
	for try := 1; ; try++ {
		out, err := once(ctx, db, business, b, ahead, fn)
		if errors.Is(err, errTaken) {
			if replayed, failure := db.replay(ctx, b, &out); replayed || failure != nil {
				return out, failedIn(failure)
			}
		}
		if err == nil || try == 3 || !worthRetry(err) {
			return out, failedIn(err)
		}
	}
}

// Do is InTx for a verb without a result.
func Do(ctx context.Context, db *DB, business uuid.UUID, fn func(tx *Tx) error) error {
	_, err := InTx(ctx, db, business, func(tx *Tx) (struct{}, error) { return struct{}{}, fn(tx) })
	return err
}

// worthRetry is true for errors that Postgres documents as retryable, for a connection that broke before anything was
// sent, and for a claim with a first effect that has been deleted since.
func worthRetry(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && (pe.Code == "40001" || pe.Code == "40P01") || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, errTaken)
}

func once[T any](ctx context.Context, db *DB, business uuid.UUID, b bounds, ahead bool, fn func(tx *Tx) (T, error)) (out T, err error) {
	giveBack, err := db.shares.take(ctx, business)
	if err != nil {
		return out, err
	}
	defer giveBack()
	tx := &Tx{db: db, business: business, now: db.clock.Now(), bounds: b}
	tx.acting, tx.surface = tenancy.ActingFrom(ctx)
	defer func() {
		if p := recover(); p != nil {
			tx.end(ctx, false)
			panic(p)
		}
	}()
	if ahead {
		err = tx.enter(ctx)
	}
	commit := false
	if err == nil {
		if out, err = fn(tx); err == nil {
			commit, err = tx.leave(ctx, out)
		}
	}
	if err == nil {
		err = tx.end(ctx, commit)
	} else {
		_ = tx.end(ctx, false) // the verb's own error is the one to return
		if tx.done {
			err = fmt.Errorf("pg: a verb failed after its commit: %w", err)
		}
	}
	if err != nil {
		var zero T
		return zero, err
	}
	if commit {
		b.kept()
		db.changes.committed(business)
	}
	return out, nil
}

// end commits or rolls back and releases the connection. A rollback does not depend on the caller's context.
func (tx *Tx) end(ctx context.Context, commit bool) error {
	if tx.conn == nil {
		return nil
	}
	conn := tx.conn
	tx.conn = nil
	defer conn.Release()
	if !commit {
		if ctx.Err() != nil {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
		}
		_, err := conn.Exec(ctx, "rollback")
		return err
	}
	tag, err := conn.Exec(ctx, "commit")
	if err != nil {
		return fmt.Errorf("pg: commit: %w", err)
	}
	return committed(tag.String())
}

// Ent returns an ent client bound to this transaction.
func (tx *Tx) Ent() *ent.Client {
	if tx.client == nil {
		tx.client = ent.NewClient(ent.Driver(&entDriver{r: tx, tx: tx}))
	}
	return tx.client
}

// Now returns the one time of this transaction: every row it writes has it.
func (tx *Tx) Now() time.Time { return tx.now }

// Business returns the tenant of this transaction.
func (tx *Tx) Business() uuid.UUID { return tx.business }

// Due reports whether a periodic task of this process on this database is due, at most once per interval, in real
// time. Of several concurrent callers one gets true.
func (tx *Tx) Due(what string, at time.Time, every time.Duration) bool {
	if tx.db.eager {
		return true
	}
	known, _ := tx.db.done.LoadOrStore(what, new(atomic.Int64))
	last, now := known.(*atomic.Int64), at.UnixNano()
	seen := last.Load()
	return now-seen >= int64(every) && last.CompareAndSwap(seen, now)
}

// Exec runs a statement and returns the number of affected rows.
func (tx *Tx) Exec(ctx context.Context, sql string, args ...any) (int64, error) {
	if tx.conn != nil {
		tag, err := tx.conn.Exec(ctx, sql, args...)
		return tag.RowsAffected(), failed(err)
	}
	rows, err := tx.query(ctx, sql, args)
	if err != nil {
		return 0, failed(err)
	}
	rows.Close()
	return rows.CommandTag().RowsAffected(), failed(rows.Err())
}

func (tx *Tx) query(ctx context.Context, sql string, args []any) (pgx.Rows, error) {
	if tx.conn != nil {
		return tx.conn.Query(ctx, sql, args...)
	}
	if tx.done {
		return nil, errDone
	}
	b := &pgx.Batch{}
	n, err := tx.opening(b, hot[sql])
	if err != nil {
		return nil, err
	}
	b.Queue(sql, args...)
	conn, err := tx.db.Pool().Acquire(ctx)
	if err != nil {
		return nil, err
	}
	tx.conn = conn
	return lastOf(conn.SendBatch(ctx, b), n)
}

// opening queues the first statements of a transaction without a claim and returns their number. A transaction that
// begins with a hot statement runs on generic plans.
func (tx *Tx) opening(b *pgx.Batch, hot bool) (int, error) {
	b.Queue("begin")
	if tx.business == uuid.Nil {
		return 1, nil
	}
	actor, err := tx.actor()
	b.Queue(tx.setter(hot), tx.business.String(), actor)
	return 2, err
}

// setTenant sets the business and the actor of a transaction, in one statement. The trigger app.audit reads the
// actor.
const setTenant = "select set_config('app.business_id', $1, true), set_config('app.actor', $2, true)"

// setTenantKept is setTenant of a transaction that begins with a hot statement.
var setTenantKept = Hot(setTenant + keepPlans)

// setTenantLazy is setTenantKept for a transaction with an asynchronous commit.
var setTenantLazy = Hot(setTenant + keepPlans + ", set_config('synchronous_commit', 'off', true)")

func (tx *Tx) setter(hot bool) string {
	switch {
	case tx.lazy:
		return setTenantLazy
	case hot:
		return setTenantKept
	}
	return setTenant
}

// visitorKind is the actor without a credential in the audit log.
const visitorKind = "visitor"

// actor is app.actor: the actor in the audit log.
type actor struct {
	Kind    string    `json:"kind"`
	ID      uuid.UUID `json:"id,omitzero"`
	Name    string    `json:"name"`
	Surface string    `json:"surface"`
	Via     uuid.UUID `json:"via,omitzero"`
	Client  string    `json:"client,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	At      time.Time `json:"at"`
}

// actor is the actor of this transaction, as JSON. The time is in whole microseconds, as every column has it.
func (tx *Tx) actor() (string, error) {
	a := actor{
		Kind: string(tx.acting.Kind), ID: tx.acting.ID, Name: tx.acting.Name, Surface: string(tx.surface),
		Via: tx.acting.Via.ID, Client: tx.acting.Via.Client, Reason: tx.reason, At: tx.now.Truncate(time.Microsecond),
	}
	if tx.acting.Kind == tenancy.ActorNone {
		a.Kind = visitorKind
	}
	body, err := json.Marshal(a)
	return string(body), err
}

// Because sets the reason of the changes that follow in this transaction, for the audit log, in the actor's own
// words. As the first statement of a transaction it costs no trip, later one.
func (tx *Tx) Because(ctx context.Context, reason string) error {
	tx.reason = reason
	if tx.conn == nil || tx.business == uuid.Nil {
		return nil
	}
	body, err := tx.actor()
	if err == nil {
		_, err = tx.conn.Exec(ctx, "select set_config('app.actor', $1, true)", body)
	}
	return err
}
