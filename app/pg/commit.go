package pg

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrUnmet means that a row differs from what an unlocked read returned: app.must in a statement. Nothing was
// changed. The caller reads again under a lock.
var ErrUnmet = errors.New("pg: row changed since it was read")

const unmetCode = "FY409" // app.must raises it

var errDone = errors.New("pg: statement after the commit of its transaction")

// errSent is a mistake of the program.
var errSent = errors.New("pg: statement sent by the function of InOneTrip")

// InOneTrip is InTx for a verb with all statements and the result known before the first one is sent. fn queues its
// statements in b and sends nothing itself; they go with the commit. The result must not depend on the answers of the
// statements. The caller can read the answers afterwards, unless the request was a repetition.
//
// With a Claim in ctx it is one round trip, too: the claim goes first, with the result. So fn runs before it is known
// whether the request is a repetition, and must only queue. If fn refuses, the claim is attempted all the same: a
// repeated request gets the stored result, whatever is true now. Under a quote it is InTx, as the effects are
// compared before the commit.
func InOneTrip[T any](ctx context.Context, db *DB, business uuid.UUID, fn func(tx *Tx, b *Batch) (T, error)) (T, error) {
	if ctx.Value(quotingKey{}) != nil {
		return InTx(ctx, db, business, func(tx *Tx) (T, error) {
			b := tx.Batch()
			out, err := fn(tx, b)
			if err == nil {
				err = b.Send(ctx)
			}
			return out, err
		})
	}
	return inTx(ctx, db, business, false, func(tx *Tx) (T, error) {
		b := tx.Batch()
		out, err := fn(tx, b)
		switch {
		case tx.conn != nil || tx.done:
			return out, errSent
		case err != nil:
			if taken := tx.enter(ctx); taken != nil {
				err = taken
			}
			return out, err
		case b.b.Len() == 0 && len(tx.bounds.claims) == 0:
			return out, nil
		}
		if err := tx.knows(out); err != nil {
			return out, err
		}
		return out, b.commit(ctx)
	})
}

// Commit sends the batch with the commit, as the last act of its transaction: one round trip. A transaction that has
// not begun is this trip alone; its statements run one after the other, each on the data committed when it begins,
// and all of them are kept or none. The verb must not return an error of its own after that.
//
// Under a claim or a quote it is Send: the result of the verb, stored beside its effect, is not known yet, and InTx
// commits with it. For a result known in advance use InOneTrip.
func (b *Batch) Commit(ctx context.Context) error {
	if b.tx.bound() {
		return b.Send(ctx)
	}
	return b.commit(ctx)
}

func (b *Batch) commit(ctx context.Context) error {
	tx := b.tx
	switch {
	case tx.done:
		return errDone
	case tx.conn != nil:
		return b.commitOpen(ctx)
	}
	if err := b.before(); err != nil {
		return err
	}
	err := tx.db.Pool().SendBatch(ctx, &b.b).Close()
	tx.done = err == nil
	return failed(b.which(err))
}

// Lazily lets a transaction that has not begun commit asynchronously (synchronous_commit off): the commit returns
// before it is on disk, and is lost if Postgres itself is killed within about half a second. A later synchronous
// commit also makes it durable. Under a claim it has no effect, because a repetition returns the stored result.
func (b *Batch) Lazily() { b.tx.lazy = b.tx.conn == nil && !b.tx.bound() }

// commitOpen ends a transaction that has begun. InTx rolls back a failed one.
func (b *Batch) commitOpen(ctx context.Context) error {
	tx, said := b.tx, ""
	b.b.Queue("commit").Exec(func(tag pgconn.CommandTag) error {
		said = tag.String()
		return nil
	})
	err := tx.conn.SendBatch(ctx, &b.b).Close()
	if err == nil {
		err = committed(said)
	}
	if err != nil {
		return failed(b.which(err))
	}
	tx.conn.Release()
	tx.conn, tx.done = nil, true
	return nil
}

// committed reads Postgres's answer to a commit: a failed statement with a swallowed error makes it a rollback.
func committed(tag string) error {
	if tag != "COMMIT" {
		return errors.New("pg: the transaction was rolled back at commit")
	}
	return nil
}
