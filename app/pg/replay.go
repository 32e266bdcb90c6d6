package pg

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
)

// Claim is a request's right to one effect. Key identifies caller, operation and Idempotency-Key; Request is the digest
// of what was asked. Both are SHA-256.
type Claim struct{ Key, Request [32]byte }

// ErrKeyReused refuses an Idempotency-Key that came with another request before. A231: operations shown in the contract
// answer 400 instead.
var ErrKeyReused = fault.New(fault.Conflict, "idempotency_key_reused",
	"This Idempotency-Key was used for a different request.")

type claimKey struct{}

// claimed is the claim of a context and the number of transactions that have used it: a request with two transactions
// keeps two results, in order.
type claimed struct {
	claim Claim
	next  atomic.Int32
}

// WithClaim returns a context whose transactions run once per claim.
func WithClaim(ctx context.Context, c Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, &claimed{claim: c})
}

// WithoutClaim returns a context whose transactions run each time, also in a repeated request: for what must be written
// as the world is now, such as a processor's answer, which may have been "not yet" the first time.
func WithoutClaim(ctx context.Context) context.Context {
	return context.WithValue(ctx, claimKey{}, nil)
}

// bounds is what a context asks of one transaction: the claims under which it runs once, and the quote it is about.
type bounds struct {
	claims []bound
	quote  *quoting
}

// bound is a claim, the number of the transaction under it, and what is said to another request that has the same key.
type bound struct {
	Claim
	seq    int
	reused error
}

// boundsOf reads the bounds of the next transaction in ctx. Claims are in the order in which every transaction takes
// them: the caller's key, then the quote.
func boundsOf(ctx context.Context) (b bounds, err error) {
	if q, ok := ctx.Value(quotingKey{}).(*quoting); ok {
		if !q.used.CompareAndSwap(false, true) {
			return b, errSecondTransaction
		}
		b.quote = q
		if q.id == uuid.Nil {
			return b, nil // a rehearsal is no effect: nothing is claimed
		}
	}
	if c, ok := ctx.Value(claimKey{}).(*claimed); ok {
		b.claims = append(b.claims, bound{c.claim, int(c.next.Add(1)), ErrKeyReused})
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
