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

// A mail that was not sent in time, or was rejected until its last try, is reported to the studio: the table
// failed_mails has its recipient and subject. It is shown on Today until a staff member dismisses it. Codes are not
// reported: the person requests another one.

const (
	// lostEvery is the interval of NoteLost, in real time.
	lostEvery = 30 * time.Second
	// lostAtOnce is the number of lost mails that one round of NoteLost reports.
	lostAtOnce = 200
	// lostKept is the retention of reports, by the injected clock. Ended jobs are checked within a week (jobs).
	lostKept = 30 * 24 * time.Hour
)

// NoteLost runs the sweep notice.lost: it records new lost mails, and deletes records older than lostKept. It may run
// in several processes at once: a mail is reported once.
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
