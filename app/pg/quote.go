package pg

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/fault"
)

// QuoteKey identifies the caller and the call of a quote; both are SHA-256. Credential covers the caller and the
// operation, Request the whole request.
type QuoteKey struct{ Credential, Request [32]byte }

// Quote is a dry run that can be executed until it expires.
type Quote struct {
	ID        uuid.UUID
	ExpiresAt time.Time
}

// QuoteLife is the lifetime of a quote.
const QuoteLife = 15 * time.Minute

// quoteMemory is the time for which an expired quote is distinguished from an unknown one.
const quoteMemory = 24 * time.Hour

// Effective is the result of a transaction that can be quoted. Effects returns its effects, completely and in the
// same words each time: no new ids, no times of writing, lists in a fixed order. Two results with equal JSON of their
// effects are the same quote.
type Effective interface{ Effects() any }

// Refusals of a call that names a quote.
var (
	ErrQuoteUnknown = fault.New(fault.Conflict, "quote_unknown", "There is no such quote. Create one with dryRun.")
	ErrQuoteExpired = fault.New(fault.Conflict, "quote_expired", "This quote has expired. Create a new one with dryRun.")
	ErrQuoteOther   = fault.New(fault.Conflict, "quote_other", "This quote is for a different request. Create one with dryRun.")
	ErrQuoteChanged = fault.New(fault.Conflict, "quote_changed",
		"The effects of the call differ from the quote, and nothing was done. Check the effects and create a new quote.")
)

// Mistakes of the program: forbidden acts of a quoted verb.
var (
	errSecondTransaction = errors.New("pg: a quoted verb began a second transaction")
	errNoTransaction     = errors.New("pg: a quoted verb ended without a transaction")
)

type quotingKey struct{}

// quoting makes the one transaction of a context a dry run, or the execution of a quote.
type quoting struct {
	ask     QuoteKey
	id      uuid.UUID // of the quote to execute; Nil for a dry run
	used    atomic.Bool
	ended   bool   // the transaction ended, by commit or as a dry run
	effects []byte // digest in the quote
	made    Quote  // of the dry run
	changed bool
}

// DryRun runs a verb and rolls back all of its transaction: rows, jobs, entries of the audit log. It returns the
// verb's own result and a quote that Redeem executes later.
//
// The verb does everything in one InTx with an Effective result, and has no other visible effect: no call over the
// network, and no other transaction (a second one is refused). Caches are not notified (Changes).
func DryRun[T any](ctx context.Context, ask QuoteKey, verb func(ctx context.Context) (T, error)) (T, Quote, error) {
	out, q, err := quoted(ctx, &quoting{ask: ask}, verb)
	return out, q.made, err
}

// Redeem runs a verb if its effects are those of the quote. If they differ now, the verb is rolled back, and
// ErrQuoteChanged comes with the result it would have returned, so that the caller can be shown the new effects.
//
// A quote is executed once. The same call again, however often and also after a crash between commit and answer,
// returns the first result. The other errors are:
//
//	ErrQuoteUnknown   no such quote, or one of another caller
//	ErrQuoteOther     the quote is for another request
//	ErrQuoteExpired   the quote is older than QuoteLife
func Redeem[T any](ctx context.Context, ask QuoteKey, id uuid.UUID, verb func(ctx context.Context) (T, error)) (T, error) {
	if id == uuid.Nil {
		var zero T
		return zero, ErrQuoteUnknown
	}
	out, q, err := quoted(ctx, &quoting{ask: ask, id: id}, verb)
	return out, fault.When(q.changed, ErrQuoteChanged, err)
}

func quoted[T any](ctx context.Context, q *quoting, verb func(ctx context.Context) (T, error)) (T, *quoting, error) {
	out, err := verb(context.WithValue(ctx, quotingKey{}, q))
	return out, q, fault.When(!q.ended, errNoTransaction, err)
}

// claim is the right to execute the quote once: of the same credential, for the same request.
func (q *quoting) claim() Claim {
	key := sha256.New()
	key.Write([]byte("quote"))
	key.Write(q.ask.Credential[:])
	key.Write(q.id[:])
	return Claim{Key: [32]byte(key.Sum(nil)), Request: q.ask.Request}
}

// quoteRow is a stored quote.
type quoteRow struct {
	Credential, Request, Effects []byte
	ExpiresAt                    time.Time
}

const lockQuote = "select credential, request, effects, expires_at from quotes where id = $1 for update"

// redeem reads the effects of the quote that the transaction is to execute, or refuses.
func (q *quoting) redeem(r quoteRow, found bool, now time.Time) error {
	switch {
	case !found, !bytes.Equal(r.Credential, q.ask.Credential[:]):
		return ErrQuoteUnknown
	case !bytes.Equal(r.Request, q.ask.Request[:]):
		return ErrQuoteOther
	case !r.ExpiresAt.After(now):
		return ErrQuoteExpired
	}
	q.effects = r.Effects
	return nil
}

// effectsOf is the digest of a transaction's effects.
func effectsOf(out any) ([]byte, error) {
	e, ok := out.(Effective)
	if !ok {
		return nil, fmt.Errorf("pg: the transaction of a quoted verb returns %T, which has no Effects", out)
	}
	body, err := json.Marshal(e.Effects())
	if err != nil {
		return nil, fmt.Errorf("pg: effects: %w", err)
	}
	sum := sha256.Sum256(body)
	return sum[:], nil
}

// settle ends a transaction with a quote and returns whether to commit. A dry run ends here.
func (tx *Tx) settle(ctx context.Context, q *quoting, out any) (commit bool, err error) {
	now, err := effectsOf(out)
	if err != nil {
		return false, err
	}
	q.ended = true
	if q.id == uuid.Nil {
		return false, tx.rehearsed(ctx, q, now)
	}
	q.changed = !bytes.Equal(now, q.effects)
	return !q.changed, nil
}

const insertQuote = `insert into quotes (id, credential, request, effects, created_at, expires_at)
	values ($1, $2, $3, $4, $5, $6)`

// rehearsed rolls everything back and writes the quote, in one trip.
func (tx *Tx) rehearsed(ctx context.Context, q *quoting, effects []byte) error {
	q.made = Quote{ID: NewID(), ExpiresAt: tx.now.Add(QuoteLife)}
	row := []any{q.made.ID, q.ask.Credential[:], q.ask.Request[:], effects, tx.now, q.made.ExpiresAt}
	if tx.conn == nil {
		_, err := tx.db.Pool().Exec(ctx, insertQuote, row...)
		return err
	}
	if tx.conn.Conn().PgConn().TxStatus() != 'T' { // a failed statement with a swallowed error: it could not commit
		return errors.New("pg: the transaction of the dry run has failed")
	}
	conn := tx.conn
	tx.conn = nil
	defer conn.Release() // the pool discards one that could not roll back
	b := &pgx.Batch{}
	b.Queue("rollback")
	b.Queue(insertQuote, row...)
	return conn.SendBatch(ctx, b).Close()
}

// dropQuotes deletes quotes that expired quoteMemory ago.
func (db *DB) dropQuotes(ctx context.Context) (int, error) {
	return db.drop(ctx, `delete from quotes where id in
		(select id from quotes where expires_at < $1 order by expires_at limit $2 for update skip locked)`, quoteMemory)
}
