package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/ent/challenge"
)

func insertChallenge(ctx context.Context, tx *pg.Tx, id uuid.UUID, address, language string) error {
	return tx.Ent().Challenge.Create().SetID(id).SetEmail(address).SetLanguage(language).
		SetCreatedAt(tx.Now()).SetExpiresAt(tx.Now().Add(CodeLife)).Exec(ctx)
}

// opened is a challenge during a try of its code.
type opened struct{ Email, Language string }

// countTry counts a try at an open challenge and returns it. The row stays locked until the transaction ends, so
// tries at one challenge are serialized.
func countTry(ctx context.Context, tx *pg.Tx, id uuid.UUID) (c opened, open bool, err error) {
	return pg.Find[opened](ctx, tx, `update challenges set attempts = attempts + 1
		where id = $1 and attempts < $2 and consumed_at is null and expires_at > $3
		returning email, language`, id, CodeTry, tx.Now())
}

func consumeChallenge(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	return tx.Ent().Challenge.Update().Where(challenge.ID(id)).SetConsumedAt(tx.Now()).Exec(ctx)
}

const day = 24 * time.Hour

// wrongCodes names the counter of wrong codes for an address from one source, of any day. It reveals neither.
type wrongCodes string

func wrongOf(address, source string) wrongCodes {
	return wrongCodes(ofSource("wrong", address, source))
}

// on is the bucket of one UTC day.
func (w wrongCodes) on(now time.Time) string { return string(w) + ":" + now.Format(time.DateOnly) }

// countGuess adds one to the day's wrong codes and returns their number. It counts in the transaction, so that the
// count commits with the try and concurrent ones wait.
func countGuess(ctx context.Context, tx *pg.Tx, w wrongCodes) (int, error) {
	return pg.CountTx(ctx, tx, w.on(tx.Now()), tx.Now().Truncate(day))
}

// uncountGuess subtracts the guess of a right code again.
func uncountGuess(ctx context.Context, tx *pg.Tx, w wrongCodes) error {
	return pg.UncountTx(ctx, tx, w.on(tx.Now()))
}

func guessesToday(ctx context.Context, r pg.Reader, w wrongCodes) (int, error) {
	return pg.Counted(ctx, r, w.on(r.Now()))
}

// dueCode reads the recipient of a code that is still to be sent, with the name and language of a known person.
func dueCode(ctx context.Context, r pg.Reader, id uuid.UUID) (Code, bool, error) {
	return pg.Find[Code](ctx, r, `select c.email as "to", coalesce(p.name, '') as name, coalesce(nullif(p.locale, ''), c.language) as locale, c.expires_at
		from challenges c left join persons p on p.email = c.email
		where c.id = $1 and c.attempts < $2 and c.consumed_at is null and c.expires_at > $3`, id, CodeTry, r.Now())
}

func dropChallenges(ctx context.Context, tx *pg.Tx) (int64, error) {
	return tx.Exec(ctx, `delete from challenges where id in (
		select id from challenges where created_at < $1 order by created_at limit $2 for update skip locked)`,
		tx.Now().Add(-challengesKept), dropAtOnce)
}
