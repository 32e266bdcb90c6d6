package pg

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

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

func nextClaim(ctx context.Context) (*Claim, int) {
	c, ok := ctx.Value(claimKey{}).(*claimed)
	if !ok {
		return nil, 0
	}
	return &c.claim, int(c.next.Add(1))
}

// claim takes the row, or finds that the request already had its effect and fills out with what it was. A concurrent
// twin waits here until the first one ends.
func (tx *Tx) claim(ctx context.Context, c *Claim, seq int, out any) (replayed bool, err error) {
	n, err := tx.Exec(ctx, `insert into replays (key, seq, request, result, created_at)
		values ($1, $2, $3, 'null', $4) on conflict (key, seq) do nothing`, c.Key[:], seq, c.Request[:], tx.now)
	if err != nil || n == 1 {
		return false, err
	}
	type row struct {
		Request []byte
		Result  []byte
	}
	r, err := One[row](ctx, tx, "select request, result from replays where key = $1 and seq = $2", c.Key[:], seq)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(r.Request, c.Request[:]) {
		return false, ErrKeyReused
	}
	if err := json.Unmarshal(r.Result, out); err != nil {
		return false, fmt.Errorf("pg: kept result: %w", err)
	}
	return true, nil
}

// keep writes the result beside the effect.
func (tx *Tx) keep(ctx context.Context, c *Claim, seq int, out any) error {
	body, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("pg: result to keep: %w", err)
	}
	_, err = tx.Exec(ctx, "update replays set result = $3 where key = $1 and seq = $2", c.Key[:], seq, body)
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
