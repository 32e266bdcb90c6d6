package pg

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrUnmet says that something was not as it had been read: app.must in a statement. Nothing was done. Whoever read without a
// lock reads again under one.
var ErrUnmet = errors.New("pg: not as it was read")

const unmetCode = "FY409" // app.must raises it

var errDone = errors.New("pg: this transaction has sent its last statement")

// errSent is a mistake of the program.
var errSent = errors.New("pg: a verb of one trip sent something itself")

// InOneTrip is InTx for a verb that knows all its statements, and what it gives back, before it sends any of them: fn queues
// them in b, sends nothing itself, and they go with the commit. The result says nothing that the statements answer; what they
// answer is there for the caller afterwards, unless the request was a repetition.
//
// With a Claim in ctx it is one trip, too: the claim goes in front, with the result. So fn is run before anybody knows
// whether the request is a repetition, and does nothing but queue. When it refuses, the claim is taken all the same, to see:
// a repeated request gets what was kept, whatever is true now. Under a quote it is InTx, as the effects are compared before
// the commit.
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

// Commit sends the batch as the last thing that its transaction does, with the commit: one round trip. A transaction that has
// not begun is this trip and no other; its statements run one after the other, each on what was committed when it begins,
// and all of them are kept or none. The verb has no error of its own after that.
//
// Under a claim or a quote it is Send: what the verb gives back, which is written beside the effect, is not known yet. InTx
// commits with it then. Who knows it uses InOneTrip.
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

// Lazily has a transaction that has not begun commit what may be lost, as if it had not been asked for, when Postgres itself is
// killed within the next half second: nobody waits until the disk has it. Whatever is committed after it, and waits, has it
// there too. Under a claim it changes nothing: a result that was kept is what a repetition gets.
func (b *Batch) Lazily() { b.tx.lazy = b.tx.conn == nil && !b.tx.bound() }

// commitOpen ends a transaction that has begun. What fails is rolled back by InTx.
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

// committed reads what Postgres answered to a commit: a failed statement whose error was swallowed makes it a rollback.
func committed(tag string) error {
	if tag != "COMMIT" {
		return errors.New("pg: the transaction was rolled back at commit")
	}
	return nil
}
