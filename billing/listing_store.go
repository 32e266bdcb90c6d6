package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/processor"
)

// listing is the progress of an account's listings.
type listing struct {
	ID            uuid.UUID
	Env           processor.Env
	AccountID     string    `db:"account"`
	ListedThrough time.Time `db:",null"` // zero: never to the end
	DueAt         time.Time // of this claim
}

func dueListings(ctx context.Context, db *pg.DB, most int) ([]dueRow, error) {
	none := db.View(uuid.Nil)
	return pg.All[dueRow](ctx, none, `select business_id, id from app.due_listings($1, $2)`, none.Now(), most)
}

// claimListing claims a listing that is due, and postpones it in case the claimer does not finish.
func claimListing(ctx context.Context, tx *pg.Tx, id uuid.UUID, until time.Time) (listing, bool, error) {
	return pg.Find[listing](ctx, tx, `update processor_listings set due_at = $4, updated_at = $3
		where business_id = $1 and id = $2 and due_at <= $3 returning id, env, account, listed_through, due_at`,
		tx.Business(), id, tx.Now(), until)
}

// saveListing ends a listing. One that was scheduled again meanwhile stays due.
func saveListing(ctx context.Context, tx *pg.Tx, l listing, through, next time.Time) error {
	_, err := tx.Exec(ctx, `update processor_listings set listed_through = $3, updated_at = $4,
			due_at = case when due_at = $5 then $6::timestamptz else due_at end
		where business_id = $1 and id = $2`, tx.Business(), l.ID, orNull(through), tx.Now(), l.DueAt, orNull(next))
	return err
}

// wakeListing schedules a listing of an account at a time, unless it is due sooner.
func wakeListing(ctx context.Context, tx *pg.Tx, env processor.Env, account string, at time.Time) error {
	_, err := tx.Exec(ctx, `update processor_listings set due_at = $4
		where business_id = $1 and env = $2 and account = $3 and (due_at is null or due_at > $4)`, tx.Business(), env, account, at)
	return err
}

// listedThrough returns the time up to which all accounts of this world are listed; zero while one never was.
func listedThrough(ctx context.Context, r pg.Reader, env processor.Env) (time.Time, error) {
	at, err := pg.One[*time.Time](ctx, r, `select case when bool_and(listed_through is not null) then min(listed_through) end
		from processor_listings where business_id = $1 and env = $2 and due_at is not null`, r.Business(), env)
	if err != nil || at == nil {
		return time.Time{}, err
	}
	return *at, nil
}
