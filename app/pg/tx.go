package pg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
}

// InTx runs fn in a transaction of that business and commits when fn returns nil. A deadlock or serialization failure
// runs fn again, up to three times, so fn does nothing outside tx. A panic in fn rolls back and goes on.
//
// With a Claim in ctx the result is written beside the effect, and a repeated request gets it back without running fn;
// a different request under the same key is refused with ErrKeyReused. Under Rehearse and Redeem it follows the quote.
func InTx[T any](ctx context.Context, db *DB, business uuid.UUID, fn func(tx *Tx) (T, error)) (T, error) {
	b, err := db.bounds(ctx)
	if err != nil {
		var zero T
		return zero, failedIn(err)
	}
	for try := 1; ; try++ {
		out, err := once(ctx, db, business, b, fn)
		if err == nil || try == 3 || !worthRetry(err) {
			return out, failedIn(err)
		}
	}
}

// Do is InTx for what gives nothing back.
func Do(ctx context.Context, db *DB, business uuid.UUID, fn func(tx *Tx) error) error {
	_, err := InTx(ctx, db, business, func(tx *Tx) (struct{}, error) { return struct{}{}, fn(tx) })
	return err
}

// worthRetry is true for what Postgres asks clients to try again.
func worthRetry(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && (pe.Code == "40001" || pe.Code == "40P01")
}

func once[T any](ctx context.Context, db *DB, business uuid.UUID, b bounds, fn func(tx *Tx) (T, error)) (out T, err error) {
	tx := &Tx{db: db, business: business, now: db.clock.Now()}
	tx.acting, tx.surface = tenancy.ActingFrom(ctx)
	defer func() {
		if p := recover(); p != nil {
			tx.end(ctx, false)
			panic(p)
		}
	}()
	replayed, err := tx.enter(ctx, b, &out)
	if err != nil || replayed {
		err = errors.Join(err, tx.end(ctx, false))
		if err == nil {
			b.kept()
		}
		return out, err
	}
	commit := true
	if out, err = fn(tx); err == nil {
		commit, err = tx.leave(ctx, b, out)
	}
	if err == nil {
		err = tx.end(ctx, commit)
	} else {
		_ = tx.end(ctx, false) // the verb's own error is the one to tell
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

// end commits or rolls back and gives the connection back. Rolling back does not depend on the caller's patience.
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
	if tag.String() != "COMMIT" { // a failed statement whose error was swallowed: Postgres answers ROLLBACK
		return errors.New("pg: the transaction was rolled back at commit")
	}
	return nil
}

// Ent is an ent client bound to this transaction.
func (tx *Tx) Ent() *ent.Client {
	if tx.client == nil {
		tx.client = ent.NewClient(ent.Driver(&entDriver{r: tx, tx: tx}))
	}
	return tx.client
}

// Now is the one time of this transaction: every row it writes agrees on it.
func (tx *Tx) Now() time.Time { return tx.now }

// Business is the tenant this transaction acts for.
func (tx *Tx) Business() uuid.UUID { return tx.business }

// Exec runs a statement and returns the number of rows it touched.
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
	b := &pgx.Batch{}
	n, err := tx.opening(b)
	if err != nil {
		return nil, err
	}
	b.Queue(sql, args...)
	conn, err := tx.db.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	tx.conn = conn
	return lastOf(conn.SendBatch(ctx, b), n)
}

// opening queues what every transaction begins with and says how many statements that is.
func (tx *Tx) opening(b *pgx.Batch) (int, error) {
	b.Queue("begin")
	if tx.business == uuid.Nil {
		return 1, nil
	}
	actor, err := tx.actor()
	b.Queue(setTenant, tx.business.String(), actor)
	return 2, err
}

// Conn begins the transaction if need be and returns its connection, for pgx features and for package jobs.
func (tx *Tx) Conn(ctx context.Context) (*pgx.Conn, error) {
	if tx.conn == nil {
		if _, err := tx.Exec(ctx, "select"); err != nil {
			return nil, err
		}
	}
	return tx.conn.Conn(), nil
}

// setTenant tells a transaction whose rows it sees and who acts, in one statement. The trigger app.audit reads the actor.
const setTenant = "select set_config('app.business_id', $1, true), set_config('app.actor', $2, true)"

// visitorKind is what the audit log calls somebody without a credential.
const visitorKind = "visitor"

// actor is app.actor: what the audit log says about the one who acts.
type actor struct {
	Kind    string    `json:"kind"`
	ID      uuid.UUID `json:"id,omitzero"`
	Name    string    `json:"name"`
	Surface string    `json:"surface"`
	Reason  string    `json:"reason,omitempty"`
	At      time.Time `json:"at"`
}

// actor is who acts in this transaction, as JSON. The time is in whole microseconds, as every column has it.
func (tx *Tx) actor() (string, error) {
	a := actor{
		Kind: string(tx.acting.Kind), ID: tx.acting.ID, Name: tx.acting.Name, Surface: string(tx.surface),
		Reason: tx.reason, At: tx.now.Truncate(time.Microsecond),
	}
	if tx.acting.Kind == tenancy.ActorNobody {
		a.Kind = visitorKind
	}
	body, err := json.Marshal(a)
	return string(body), err
}

// Because gives the reason of the changes that follow in this transaction, for the audit log: the words of whoever acts.
// As the first thing in a transaction it costs nothing, later a trip.
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
