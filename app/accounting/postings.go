package accounting

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// PostingsOnPage is the number of postings on a page. A87.
const PostingsOnPage = 30

// Posting is the transfer of a batch to the provider. A144.
type Posting struct {
	ID           uuid.UUID
	BatchID      uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	LocalDate    civil.Date
	Kind         Kind
	Amount       int64
	Currency     money.Currency
	Status       Status
	SkipReason   SkipReason // empty unless skipped
	LastError    string     // of the last attempt, in plain words; empty: none
	ExternalURL  string     // of the document; empty unless posted
	PostedAt     time.Time  `db:",null"`
	NextAttempt  time.Time  `db:"next_attempt_at,null"` // of a pending one
	CreatedAt    time.Time
}

// Postings lists the postings of the live connection, the newest first, PostingsOnPage on a page; none without a
// connection. It needs business.manage. A143, A229.
func (s *Service) Postings(
	ctx context.Context, sc tenancy.Scope, after *paging.Moment,
) (page paging.Page[Posting, paging.Moment], err error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return page, err
	}
	v := s.db.View(sc.Tenant)
	c, found, err := liveConnection(ctx, v)
	if err != nil || !found {
		return page, err
	}
	rows, err := listPostings(ctx, v, c.ID, after, PostingsOnPage+1)
	return paging.Of(rows, PostingsOnPage, func(p Posting) paging.Moment {
		return paging.Moment{At: p.CreatedAt, ID: p.ID}
	}), err
}

// Retry makes a failed posting pending again. A posting with another status is not changed. It needs business.manage.
// It returns not found without a connection, and for an unknown batch. A153, A154.
func (s *Service) Retry(ctx context.Context, sc tenancy.Scope, batch uuid.UUID) error {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		c, found, err := lockLive(ctx, tx)
		if err != nil || !found {
			return orMissing(err)
		}
		known, err := retryPosting(ctx, tx, c.ID, batch)
		if err != nil {
			return err
		}
		if !known {
			return fault.Missing()
		}
		return assessTx(ctx, tx, c)
	})
}

// Sync makes all pending postings of the live connection due now, and tries the last errors of the connection again. It
// returns the number of postings that are due. It needs business.manage. It returns not found without a connection.
func (s *Service) Sync(ctx context.Context, sc tenancy.Scope) (due int, err error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return 0, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (int, error) {
		c, found, err := lockLive(ctx, tx)
		if err != nil || !found {
			return 0, orMissing(err)
		}
		if err := assessTx(ctx, tx, c); err != nil {
			return 0, err
		}
		return makeDue(ctx, tx, c.ID)
	})
}

// Counts are the numbers of postings of the live connection by status.
type Counts struct{ Pending, Posted, Failed, Skipped int }

// Count counts the postings of the live connection. It needs business.manage.
func (s *Service) Count(ctx context.Context, sc tenancy.Scope) (Counts, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Counts{}, err
	}
	return countPostings(ctx, s.db.View(sc.Tenant))
}
