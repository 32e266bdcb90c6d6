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

// QuoteKey is who wants to know what a call would do, and which call: both SHA-256. Credential covers the caller and the
// operation, Request everything that was asked.
type QuoteKey struct{ Credential, Request [32]byte }

// Quote names a rehearsed call until it expires.
type Quote struct {
	ID        uuid.UUID
	ExpiresAt time.Time
}

// QuoteLife is how long a quote can be carried out.
const QuoteLife = 15 * time.Minute

// quoteMemory is how long an expired quote is still told from one that never was.
const quoteMemory = 24 * time.Hour

// Effective is the result of a transaction that can be quoted. Effects says what was done, completely and in the same
// words each time: no new ids, no times of writing, lists in a fixed order. Two results with equal JSON of their effects
// are the same promise.
type Effective interface{ Effects() any }

// Refusals of a call that names a quote.
var (
	ErrQuoteUnknown = fault.New(fault.Conflict, "quote_unknown", "There is no such quote. Ask for one with dryRun.")
	ErrQuoteExpired = fault.New(fault.Conflict, "quote_expired", "This quote has expired. Ask for a new one with dryRun.")
	ErrQuoteOther   = fault.New(fault.Conflict, "quote_other", "This quote is for a different request. Ask for one with dryRun.")
	ErrQuoteChanged = fault.New(fault.Conflict, "quote_changed",
		"The call would do something else now than the quote says, and did nothing. Look at the effects and ask for a new quote.")
)

// Mistakes of the program: what a quoted verb may not do.
var (
	errSecondTransaction = errors.New("pg: a quoted verb does everything in one transaction, and this one began a second")
	errNoTransaction     = errors.New("pg: a quoted verb ended without a transaction")
)

type quotingKey struct{}

// quoting is what a context asks of its one transaction: to be a rehearsal, or to do what a quote says.
type quoting struct {
	ask     QuoteKey
	id      uuid.UUID // of the quote to carry out; Nil rehearses
	used    atomic.Bool
	ended   bool   // the transaction came to its end, by commit or as a rehearsal
	effects []byte // digest that the quote promises
	made    Quote  // of the rehearsal
	changed bool
}

// DryRun runs a verb and takes everything back that it did in its transaction: rows, jobs, what the audit log says. It
// returns the verb's own result and a quote that Redeem carries out later.
//
// The verb does everything in one InTx, whose result is Effective, and nothing else that anybody could notice: no call
// over the network, nothing in another transaction (a second one is refused). Caches are not told (Changes).
func DryRun[T any](ctx context.Context, ask QuoteKey, verb func(ctx context.Context) (T, error)) (T, Quote, error) {
	out, q, err := quoted(ctx, &quoting{ask: ask}, verb)
	return out, q.made, err
}

// Redeem runs a verb if it does what the quote says. A verb whose effects are different now is taken back, and
// ErrQuoteChanged comes with what it would have returned, so that the caller can be shown the new effects.
//
// A quote is carried out once. The same call again, however often and also after a crash between commit and answer, gets
// the result of the first time. The other refusals are ErrQuoteUnknown, also for somebody else's quote, ErrQuoteOther and
// ErrQuoteExpired.
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

// claim is the right to carry out the quote once: of the same credential, for the same request.
func (q *quoting) claim() Claim {
	key := sha256.New()
	key.Write([]byte("quote"))
	key.Write(q.ask.Credential[:])
	key.Write(q.id[:])
	return Claim{Key: [32]byte(key.Sum(nil)), Request: q.ask.Request}
}

// quoteRow is a quote as it was made.
type quoteRow struct {
	Credential, Request, Effects []byte
	ExpiresAt                    time.Time
}

const lockQuote = "select credential, request, effects, expires_at from quotes where id = $1 for update"

// redeem takes the promise of the quote that the transaction is to carry out, or refuses.
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

// effectsOf is the digest of what a transaction did.
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

// settle ends a transaction that a quote is about: it says whether to commit. The end of a rehearsal is here.
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

// rehearsed takes everything back and writes the quote, in one trip.
func (tx *Tx) rehearsed(ctx context.Context, q *quoting, effects []byte) error {
	q.made = Quote{ID: NewID(), ExpiresAt: tx.now.Add(QuoteLife)}
	row := []any{q.made.ID, q.ask.Credential[:], q.ask.Request[:], effects, tx.now, q.made.ExpiresAt}
	if tx.conn == nil {
		_, err := tx.db.Pool().Exec(ctx, insertQuote, row...)
		return err
	}
	if tx.conn.Conn().PgConn().TxStatus() != 'T' { // a failed statement whose error was swallowed: it could not commit
		return errors.New("pg: the rehearsed transaction has failed")
	}
	conn := tx.conn
	tx.conn = nil
	defer conn.Release() // one that could not roll back is thrown away by the pool
	b := &pgx.Batch{}
	b.Queue("rollback")
	b.Queue(insertQuote, row...)
	return conn.SendBatch(ctx, b).Close()
}

// dropQuotes forgets quotes that have been over for quoteMemory.
func (db *DB) dropQuotes(ctx context.Context) (int, error) {
	return db.drop(ctx, `delete from quotes where id in
		(select id from quotes where expires_at < $1 order by expires_at limit $2 for update skip locked)`, quoteMemory)
}
