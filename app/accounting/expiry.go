package accounting

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// expiryNotice is how long before its end the owners learn that a connection must be renewed. A refresh token ends
// after 100 days without use, and after five years in any case.
const expiryNotice = 30 * 24 * time.Hour

// ExpiryJob emails an owner that the connection to the accounting provider ends soon.
type ExpiryJob struct {
	Business   uuid.UUID `json:"business"`
	Connection uuid.UUID `json:"connection"`
	Member     uuid.UUID `json:"member"`
}

// Kind returns the job's name in the outbox.
func (ExpiryJob) Kind() string { return "accounting.expiry" }

// Terms returns the terms of the job's kind.
func (ExpiryJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// Expiry is a connection that ends unless it is renewed.
type Expiry struct {
	CompanyName string
	EndsAt      time.Time
}

// NoteExpiry is the sweep accounting.expiry: it emails the owners of a business 30 days before its connection ends,
// once.
func (s *Service) NoteExpiry(ctx context.Context) error {
	return pg.Batches(expiryMost, func() (int, error) {
		due, err := expiring(ctx, s.db)
		if err != nil {
			return 0, err
		}
		for _, d := range due {
			failed := pg.Do(ctx, s.db, d.BusinessID, func(tx *pg.Tx) error { return noteExpiryTx(ctx, tx, d) })
			err = errors.Join(err, failed)
		}
		if err != nil {
			return 0, err
		}
		return len(due), nil
	})
}

// expiryMost bounds the connections in one round.
const expiryMost = 100

func noteExpiryTx(ctx context.Context, tx *pg.Tx, d dueConnection) error {
	members, err := markExpiry(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	list := make([]jobs.Args, len(members))
	for i, m := range members {
		list[i] = ExpiryJob{tx.Business(), d.ID, m}
	}
	return jobs.EnqueueAllTx(ctx, tx, list)
}

// ExpiryOf returns the end of a connection; found is false for one that was renewed or disconnected meanwhile.
func ExpiryOf(ctx context.Context, r pg.Reader, connection uuid.UUID) (Expiry, bool, error) {
	return readExpiry(ctx, r, connection, r.Now().Add(expiryNotice))
}
