package accounting

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/pg"
)

// keyOwner returns the person who created a key.
func keyOwner(ctx context.Context, tx *pg.Tx, key uuid.UUID) (uuid.UUID, error) {
	return pg.Found(pg.One[uuid.UUID](ctx, tx, `select m.person_id from api_keys k
		join members m on m.business_id = $1 and m.id = k.created_by
		where k.business_id = $1 and k.id = $2`, tx.Business(), key))
}

func insertAttempt(ctx context.Context, tx *pg.Tx, id, person uuid.UUID, hash []byte) error {
	_, err := tx.Exec(ctx, `insert into accounting_attempts (id, business_id, person_id, state_hash, created_at)
		values ($1, $2, $3, $4, $5)`,
		id, tx.Business(), person, hash, tx.Now())
	return err
}

// storeReturn stores the provider's answer with an attempt, once, and returns the slug of the business; found is false
// for an attempt without this secret.
func storeReturn(
	ctx context.Context, tx *pg.Tx, attempt uuid.UUID, hash, code []byte, company string, since time.Time,
) (slug string, found bool, err error) {
	b := tx.Batch()
	pg.QueueExec(b, `update accounting_attempts set code = $4, external_company_id = $5, returned_at = $6
		where business_id = $1 and id = $2 and state_hash = $3 and returned_at is null
			and consumed_at is null and created_at > $7`,
		tx.Business(), attempt, hash, code, company, tx.Now(), since)
	pg.QueueOne(b, &slug, &found, `select s.slug from accounting_attempts a join businesses s on s.business_id = $1
		where a.business_id = $1 and a.id = $2 and a.state_hash = $3`, tx.Business(), attempt, hash)
	return slug, found, b.Send(ctx)
}

// attemptRow is the provider's answer of an attempt.
type attemptRow struct {
	Code              []byte
	ExternalCompanyID string
}

// consumeAttempt uses an attempt up. valid is false for one that is used, another person's, or from before since; known
// is false for one that the business does not have.
func consumeAttempt(
	ctx context.Context, tx *pg.Tx, id, person uuid.UUID, since time.Time,
) (row attemptRow, valid, known bool, err error) {
	b := tx.Batch()
	pg.QueueOne(b, &row, &valid, `with used as (
			update accounting_attempts set consumed_at = $4
			where business_id = $1 and id = $2 and person_id = $3 and consumed_at is null and created_at > $5
			returning code, external_company_id)
		select coalesce(code, '') as code, external_company_id from used`, tx.Business(), id, person, tx.Now(), since)
	pg.QueueOne(b, &known, &known, `select true from accounting_attempts where business_id = $1 and id = $2`,
		tx.Business(), id)
	err = b.Send(ctx)
	return row, valid, known, err
}

// localDate returns the date now at the first location of a business. A221.
func localDate(ctx context.Context, tx *pg.Tx) (civil.Date, error) {
	day, found, err := pg.Find[civil.Date](ctx, tx, `select ($2::timestamptz at time zone zone)::date from locations
		where business_id = $1 order by archived_at nulls first, created_at, id limit 1`, tx.Business(), tx.Now())
	if err == nil && !found {
		return civil.DateOf(tx.Now()), nil
	}
	return day, err
}

// deleteAttempts deletes the attempts that are no longer stored.
func deleteAttempts(ctx context.Context, db *pg.DB) error {
	none := db.View(uuid.Nil)
	return pg.Batches(attemptsMost, func() (int, error) {
		before := none.Now().Add(-attemptsKept)
		due, err := pg.All[uuid.UUID](ctx, none, `select business_id from app.old_attempts($1, $2)`, before, attemptsMost)
		if err != nil {
			return 0, err
		}
		for _, business := range due {
			err = errors.Join(err, pg.Do(ctx, db, business, func(tx *pg.Tx) error {
				_, err := tx.Exec(ctx, `delete from accounting_attempts where business_id = $1 and created_at < $2`,
					business, before)
				return err
			}))
		}
		if err != nil {
			return 0, err
		}
		return len(due), nil
	})
}

// attemptsMost bounds the businesses in one round.
const attemptsMost = 200
