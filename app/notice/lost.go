package notice

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// A mail that could not be sent in time, or was refused until its tries were over, is told to the studio: the table failed_mails
// names whom it was for and what it would have said. It stands on Today until somebody has dismissed it. Only codes are not told:
// whoever waits for one asks for another.

const (
	// lostEvery is how often mails are looked for that were lost, in real time.
	lostEvery = 30 * time.Second
	// lostAtOnce is how many of them one round of NoteLost tells.
	lostAtOnce = 200
	// lostKept is how long they are told, by the injected clock. What ended is looked at within a week (jobs).
	lostKept = 30 * 24 * time.Hour
)

// NoteLost is the sweep notice.lost: it writes down the mails that were lost since, and forgets those that were lostKept ago. It can
// run in several processes at once: a mail is told once.
func (s *Service) NoteLost(ctx context.Context) error {
	list, err := jobs.LostMails(ctx, s.db, lostAtOnce)
	if err != nil {
		return err
	}
	by := map[uuid.UUID][]jobs.Lost{}
	for _, l := range list {
		var of struct{ Business uuid.UUID } // Nil: a sign-in code
		if err := json.Unmarshal(l.Args, &of); err != nil {
			return err
		}
		by[of.Business] = append(by[of.Business], l)
	}
	var failed []error
	for business, lost := range by {
		failed = append(failed, s.note(ctx, business, lost))
	}
	return errors.Join(errors.Join(failed...), s.db.EachOf(ctx, "select business_id from app.due_failed_mails($3, $1, $2)", s.forgetLost, s.db.Clock().Now().Add(-lostKept)))
}

func (s *Service) note(ctx context.Context, business uuid.UUID, lost []jobs.Lost) error {
	_, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (struct{}, error) {
		ids := make([]int64, len(lost))
		for i, l := range lost {
			ids[i] = l.ID
		}
		if business != uuid.Nil {
			if err := insertLost(ctx, tx, lost); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, jobs.ToldTx(ctx, tx, ids)
	})
	return err
}

func (s *Service) forgetLost(ctx context.Context, business uuid.UUID) error {
	return pg.Batches(lostAtOnce, func() (int, error) {
		return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) { return dropLost(ctx, tx) })
	})
}
