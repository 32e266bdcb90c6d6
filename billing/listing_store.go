package billing

import (
	"context"
	"hash/fnv"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/processor"
)

// The schedule of listings. Each account has its own time of the night, in hours of UTC, to spread the calls.
const (
	nightBegins = 1 * time.Hour
	nightLasts  = 4 * time.Hour
	listSoon    = 10 * time.Second // after an event about something that is only listed
)

// NextListing returns the next time in a night of an account.
func NextListing(account string, now time.Time) time.Time {
	h := fnv.New32a()
	_, _ = h.Write([]byte(account)) // it never fails
	into := time.Duration(h.Sum32()%uint32(nightLasts/time.Second)) * time.Second
	own := now.UTC().Truncate(24 * time.Hour).Add(nightBegins + into)
	if !own.After(now) {
		own = own.Add(24 * time.Hour)
	}
	return own
}

// Listing is the progress of an account's listings.
type Listing struct {
	ID            uuid.UUID
	Env           processor.Env
	AccountID     string    `db:"account"`
	ListedThrough time.Time `db:",null"` // zero: never to the end
	DueAt         time.Time // of this claim
}

// DueListings returns at most so many listings that are due, the oldest first, each with its business.
func DueListings(ctx context.Context, db *pg.DB, most int) ([]pg.Keyed, error) {
	none := db.View(uuid.Nil)
	return pg.All[pg.Keyed](ctx, none, `select business_id, id from app.due_listings($1, $2)`, none.Now(), most)
}

// ClaimListing claims a listing that is due, and postpones it in case the claimer does not finish.
func ClaimListing(ctx context.Context, tx *pg.Tx, id uuid.UUID, until time.Time) (Listing, bool, error) {
	return pg.Find[Listing](ctx, tx, `update processor_listings set due_at = $4, updated_at = $3
		where business_id = $1 and id = $2 and due_at <= $3 returning id, env, account, listed_through, due_at`,
		tx.Business(), id, tx.Now(), until)
}

// SaveListing ends a listing. One that was scheduled again meanwhile stays due.
func SaveListing(ctx context.Context, tx *pg.Tx, l Listing, through, next time.Time) error {
	_, err := tx.Exec(ctx, `update processor_listings set listed_through = $3, updated_at = $4,
			due_at = case when due_at = $5 then $6::timestamptz else due_at end
		where business_id = $1 and id = $2`, tx.Business(), l.ID, pg.OrNull(through), tx.Now(), l.DueAt, pg.OrNull(next))
	return err
}

// wakeListing schedules a listing of an account at a time, unless it is due sooner.
func wakeListing(ctx context.Context, tx *pg.Tx, env processor.Env, account string, at time.Time) error {
	_, err := tx.Exec(ctx, `update processor_listings set due_at = $4
		where business_id = $1 and env = $2 and account = $3 and (due_at is null or due_at > $4)`, tx.Business(), env, account, at)
	return err
}

// ListedThrough returns the time up to which all accounts of this world are listed; zero while one never was.
func ListedThrough(ctx context.Context, r pg.Reader, env processor.Env) (time.Time, error) {
	at, err := pg.One[*time.Time](ctx, r, `select case when bool_and(listed_through is not null) then min(listed_through) end
		from processor_listings where business_id = $1 and env = $2 and due_at is not null`, r.Business(), env)
	if err != nil || at == nil {
		return time.Time{}, err
	}
	return *at, nil
}

// wake schedules a listing of an account soon, after an event about something that is only listed.
func (s *Service) wake(ctx context.Context, business uuid.UUID, account string) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return wakeListing(ctx, tx, s.Env(), account, tx.Now().Add(listSoon)) })
}
