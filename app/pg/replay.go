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

	"foyer/app/fault"
)

// Claim is a request's right to one effect. Key identifies caller, operation and Idempotency-Key; Request is the digest
// of what was asked. Both are SHA-256.
type Claim struct {
	Key, Request [32]byte
	// Several says why the request is more than one transaction. "" is the rule: one, so that what a repetition gets back
	// is all that the request did.
	Several string
}

// ErrKeyReused refuses an Idempotency-Key that came with another request before. A231: operations shown in the contract
// answer 400 instead.
var ErrKeyReused = fault.New(fault.Conflict, "idempotency_key_reused",
	"This Idempotency-Key was used for a different request.")

type claimKey struct{}

// claimed is the claim of a context and the number of transactions under it that are kept: a request of several keeps
// their results in order. One that was rolled back had no effect, and the next has its number.
type claimed struct {
	claim Claim
	kept  atomic.Int32
}

// unclaimed is the claim that a transaction is run beside.
type unclaimed struct{ *claimed }

// errSecondEffect is a mistake of the program, which tests find: their databases are Strict. A request that dies between two
// transactions has done half, and a repetition does the other half as the world is then. Who cannot do without, above all
// around a call to the processor, says so where the operation is declared (web.Spec.Several). Nobody else is refused in
// production: half an effect with an answer is better than without.
var errSecondEffect = errors.New("pg: a request with an Idempotency-Key is one transaction; declare it if this one has to be several")

// WithClaim returns a context whose transactions run once per claim.
func WithClaim(ctx context.Context, c Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, &claimed{claim: c})
}

// WithoutClaim returns a context whose transactions run each time, also in a repeated request: for what must be written
// as the world is now, such as a processor's answer, which may have been "not yet" the first time.
func WithoutClaim(ctx context.Context) context.Context {
	if c, ok := ctx.Value(claimKey{}).(*claimed); ok {
		return context.WithValue(ctx, claimKey{}, unclaimed{c})
	}
	return ctx
}

// bounds is what a context asks of one transaction: the claims under which it runs once, and the quote it is about.
type bounds struct {
	claims  []bound
	request *claimed // whose claim is among claims; nil without one
	quote   *quoting
}

// kept is told that the transaction was committed, or that its result was kept from the first time.
func (b bounds) kept() {
	if b.request != nil {
		b.request.kept.Add(1)
	}
}

// bound is a claim, the number of the transaction under it, and what is said to another request that has the same key.
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
			return b, nil // a rehearsal is no effect: nothing is claimed
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

// enter takes the claims, or finds that the request had its effect and fills out with what it was; then it looks at the
// quote.
func (tx *Tx) enter(ctx context.Context, b bounds, out any) (replayed bool, err error) {
	for _, c := range b.claims {
		if replayed, err = tx.claim(ctx, c, out); err != nil || replayed {
			if b.quote != nil {
				b.quote.ended = true
			}
			return replayed, err
		}
	}
	if b.quote == nil || b.quote.id == uuid.Nil {
		return false, nil
	}
	return false, tx.redeem(ctx, b.quote)
}

// leave settles the quote and writes the result beside the effect. It says whether the transaction is to be kept.
func (tx *Tx) leave(ctx context.Context, b bounds, out any) (commit bool, err error) {
	if b.quote != nil {
		if commit, err = tx.settle(ctx, b.quote, out); err != nil || !commit {
			return false, err
		}
	}
	for _, c := range b.claims {
		if err := tx.keep(ctx, c, out); err != nil {
			return false, err
		}
	}
	return true, nil
}

// claim takes the row, or finds that the request already had its effect and fills out with what it was. A concurrent
// twin waits here until the first one ends.
func (tx *Tx) claim(ctx context.Context, c bound, out any) (replayed bool, err error) {
	n, err := tx.Exec(ctx, `insert into replays (key, seq, request, result, created_at)
		values ($1, $2, $3, 'null', $4) on conflict (key, seq) do nothing`, c.Key[:], c.seq, c.Request[:], tx.now)
	if err != nil || n == 1 {
		return false, err
	}
	type row struct {
		Request []byte
		Result  []byte
	}
	r, err := One[row](ctx, tx, "select request, result from replays where key = $1 and seq = $2", c.Key[:], c.seq)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(r.Request, c.Request[:]) {
		return false, c.reused
	}
	if err := json.Unmarshal(r.Result, out); err != nil {
		return false, fmt.Errorf("pg: kept result: %w", err)
	}
	return true, nil
}

// keep writes the result beside the effect.
func (tx *Tx) keep(ctx context.Context, c bound, out any) error {
	body, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("pg: result to keep: %w", err)
	}
	_, err = tx.Exec(ctx, "update replays set result = $3 where key = $1 and seq = $2", c.Key[:], c.seq, body)
	return err
}

// ReplayAge is how long a repeated request gets its first answer.
const ReplayAge = 24 * time.Hour

// DropOldReplays forgets answers older than ReplayAge, at most a thousand a call, and returns how many it dropped.
func (db *DB) DropOldReplays(ctx context.Context) (int64, error) {
	tag, err := db.pool.Exec(ctx, `delete from replays where (key, seq) in
		(select key, seq from replays where created_at < $1 limit 1000)`, db.clock.Now().Add(-ReplayAge))
	return tag.RowsAffected(), err
}
