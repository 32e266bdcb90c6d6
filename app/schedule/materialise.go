package schedule

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/pg"
)

// sweepBatch is how many series one look for due ones brings.
const sweepBatch = 100

// Materialise writes the dates that have come within 26 weeks, for all businesses. Any number of workers may run it
// at once, and any number of times: each series is processed by one of them, and an existing date stays as it is. A
// series that fails is left for the next time and does not delay the others.
func (s *Service) Materialise(ctx context.Context) error {
	for {
		due, err := findDue(ctx, s.db.View(uuid.Nil), sweepBatch)
		if err != nil {
			return err
		}
		done, err := s.extendAll(ctx, due)
		if err != nil || done == 0 || len(due) < sweepBatch {
			return err
		}
	}
}

// extendAll returns the number of series it extended, and the failures.
func (s *Service) extendAll(ctx context.Context, due []dueRow) (done int, failed error) {
	for _, d := range due {
		moved, err := pg.InTx(ctx, s.db, d.BusinessID, func(tx *pg.Tx) (bool, error) { return extend(ctx, tx, d.ID) })
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("series %s: %w", d.ID, err))
		}
		if moved {
			done++
		}
	}
	return done, failed
}

// extend writes the next dates of one series, unless another worker has it or it is no longer due.
func extend(ctx context.Context, tx *pg.Tx, id uuid.UUID) (bool, error) {
	due, ok, err := lockDue(ctx, tx, id)
	if err != nil || !ok {
		return false, err
	}
	if due.Resting {
		return true, postpone(ctx, tx, id, tx.Now().AddDate(0, 0, restDays))
	}
	return true, extendTo(ctx, tx, due.Series, due.Course && !due.Rule.endless())
}

// extendTo writes the next dates of a series whose row is locked: those that have come near, or all.
func extendTo(ctx context.Context, tx *pg.Tx, series Series, all bool) error {
	loc, err := civil.LoadZone(series.Zone)
	if err != nil {
		return err
	}
	h := series.Rule.horizon(loc, series.WrittenTo, tx.Now(), all)
	if err := writeAnnounced(ctx, tx, series, h.dates); err != nil {
		return err
	}
	return saveHorizon(ctx, tx, series.ID, h)
}

// writeAnnounced writes dates without a person to decide about conflicts, with their claims. A class is announced as
// a rule, so a date is written also when its instructor or space is busy by then: it claims them by force, and is
// marked in the list of dates.
func writeAnnounced(ctx context.Context, tx *pg.Tx, series Series, dates []placed) error {
	if err := insertDates(ctx, tx, series, dates); err != nil {
		return err
	}
	var claims []claim.Claim
	for _, d := range dates {
		claims = append(claims, d.claims(series)...)
	}
	return claim.ForceTx(ctx, tx, claims)
}

// restDays is the interval for a series that gets no new dates: its offering may be restored, and a closed business
// return.
const restDays = 7
