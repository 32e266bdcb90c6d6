package pg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/fault"
)

// Claim is a request's right to one effect. Key identifies caller, operation and Idempotency-Key; Request is the
// digest of the request. Both are SHA-256.
type Claim struct {
	Key, Request [32]byte
	// Several is the reason for a request of more than one transaction. "" is the rule: one transaction, so that its
	// stored result covers the whole request.
	Several string
}

// ErrKeyReused is returned for an Idempotency-Key that was sent before with another request. A231: operations in the
// contract answer 400 instead.
var ErrKeyReused = fault.New(fault.Conflict, "idempotency_key_reused",
	"This Idempotency-Key was used for a different request.")

type claimKey struct{}

// claimed is the claim of a context and the number of committed transactions under it: a request of several stores
// their results in order. One that was rolled back had no effect, and the next has its number.
type claimed struct {
	claim Claim
	kept  atomic.Int32
}

// unclaimed is a claim beside which a transaction runs.
type unclaimed struct{ *claimed }

// errSecondEffect is a mistake of the program, found by tests: their databases are Strict. A request that dies
// between two transactions has done half, and a repetition does the other half on changed data. An operation that
// needs several, above all around a call to the processor, declares the reason (web.Spec.Several). In production
// nothing is refused: half an effect with an answer is better than without.
var errSecondEffect = errors.New("pg: a request with an Idempotency-Key is one transaction; declare it if this one has to be several")

// WithClaim returns a context with transactions that run once per claim.
func WithClaim(ctx context.Context, c Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, &claimed{claim: c})
}

// WithoutClaim returns a context with transactions that run each time, also in a repeated request. It is for writes
// that depend on the current state, such as a processor's answer, which may have been "not yet" the first time.
func WithoutClaim(ctx context.Context) context.Context {
	if c, ok := ctx.Value(claimKey{}).(*claimed); ok {
		return context.WithValue(ctx, claimKey{}, unclaimed{c})
	}
	return ctx
}

// bounds are the conditions of one transaction: the claims under which it runs once, and its quote.
type bounds struct {
	claims  []bound
	request *claimed // the request of one of the claims; nil without one
	quote   *quoting
}

// kept records that the transaction was committed, or its result stored the first time.
func (b bounds) kept() {
	if b.request != nil {
		b.request.kept.Add(1)
	}
}

// bound is a claim, the number of the transaction under it, and the refusal of another request with the same key.
type bound struct {
	Claim
	seq    int
	reused error
}

// bounds reads the bounds of the next transaction in ctx. Claims are in the order in which every transaction takes
// them: the caller's key, then the quote.
func (db *DB) bounds(ctx context.Context) (b bounds, err error) {
	if q, ok := ctx.Value(quotingKey{}).(*quoting); ok {
		if !q.used.CompareAndSwap(false, true) {
			return b, errSecondTransaction
		}
		b.quote = q
		if q.id == uuid.Nil {
			return b, nil // a dry run has no effect: nothing is claimed
		}
	}
	switch c := ctx.Value(claimKey{}).(type) {
	case *claimed:
		before := int(c.kept.Load())
		if before > 0 && db.strict && c.claim.Several == "" {
			return b, errSecondEffect
		}
		b.claims, b.request = append(b.claims, bound{c.claim, before + 1, ErrKeyReused}), c
	case unclaimed:
		if db.strict && c.claim.Several == "" {
			return b, errSecondEffect
		}
	}
	if b.quote != nil {
		b.claims = append(b.claims, bound{b.quote.claim(), 1, ErrQuoteOther})
	}
	return b, nil
}

// bound reports whether the transaction needs its result.
func (tx *Tx) bound() bool { return len(tx.bounds.claims) > 0 || tx.bounds.quote != nil }

// errTaken means that a claim is taken: the request has had its effect. The transaction did nothing.
var errTaken = errors.New("pg: claim already taken")

// replaysKey is the constraint that lets one transaction have a claim.
const replaysKey = "replays_pkey"

var takeClaim = Hot("insert into replays (key, seq, request, result, created_at) values ($1, $2, $3, $4, $5)")

// claimIn queues the taking of a claim, before anything else in its transaction. A concurrent twin waits here until
// the first one ends; if that one committed, the answer is errTaken, and no later statement runs.
func (tx *Tx) claimIn(b *Batch, c bound) {
	result := tx.result
	if result == nil {
		result = []byte("null") // leave writes it, when it is known
	}
	b.b.Queue(takeClaim, c.Key[:], c.seq, c.Request[:], result, tx.now).Fn = func(br pgx.BatchResults) error {
		_, err := br.Exec()
		if Constraint(err) == replaysKey {
			err = errTaken
		}
		return b.counted(err)
	}
}

// enter begins the transaction of a repeatable request: it takes the claims and reads the quote, in one trip. Without
// a claim there is nothing to do: a dry run has none.
func (tx *Tx) enter(ctx context.Context) error {
	if len(tx.bounds.claims) == 0 {
		return nil
	}
	b, q := tx.Batch(), tx.bounds.quote
	var row quoteRow
	var found bool
	if q != nil {
		QueueOne(b, &row, &found, lockQuote, q.id)
	}
	if err := b.send(ctx); err != nil || q == nil {
		return err
	}
	return q.redeem(row, found, tx.now)
}

// knows sets the result to store with the transaction's claims.
func (tx *Tx) knows(out any) (err error) {
	if len(tx.bounds.claims) > 0 {
		if tx.result, err = json.Marshal(out); err != nil {
			err = fmt.Errorf("pg: encode result: %w", err)
		}
	}
	return err
}

var keepResult = Hot("update replays set result = $3 where key = $1 and seq = $2")

// leave handles the quote, and commits with the result beside the effect if that has not been done. It returns
// whether the transaction is kept.
func (tx *Tx) leave(ctx context.Context, out any) (commit bool, err error) {
	if q := tx.bounds.quote; q != nil {
		if commit, err = tx.settle(ctx, q, out); err != nil || !commit {
			return false, err
		}
	}
	if tx.done || len(tx.bounds.claims) == 0 {
		return true, nil
	}
	if err := tx.knows(out); err != nil {
		return false, err
	}
	b := tx.Batch()
	for _, c := range tx.bounds.claims {
		QueueExec(b, keepResult, c.Key[:], c.seq, tx.result)
	}
	return true, b.commitOpen(ctx)
}

// replay fills out with the stored result of the request; false when that has just been deleted. Of several claims
// the first taken one has it.
func (db *DB) replay(ctx context.Context, b bounds, out any) (replayed bool, err error) {
	type row struct {
		Request []byte
		Result  []byte
	}
	for _, c := range b.claims {
		r, found, err := Find[row](ctx, db.View(uuid.Nil), "select request, result from replays where key = $1 and seq = $2", c.Key[:], c.seq)
		switch {
		case err != nil:
			return false, err
		case !found:
			continue
		case !bytes.Equal(r.Request, c.Request[:]):
			return false, c.reused
		}
		if err := json.Unmarshal(r.Result, out); err != nil {
			return false, fmt.Errorf("pg: decode stored result: %w", err)
		}
		if b.quote != nil {
			b.quote.ended = true
		}
		b.kept()
		return true, nil
	}
	return false, nil
}

// ReplayAge is the time for which a repeated request gets its first answer.
const ReplayAge = 24 * time.Hour

// dropReplays deletes answers older than ReplayAge.
func (db *DB) dropReplays(ctx context.Context) (int, error) {
	return db.drop(ctx, `delete from replays where (key, seq) in
		(select key, seq from replays where created_at < $1 order by created_at limit $2 for update skip locked)`, ReplayAge)
}
