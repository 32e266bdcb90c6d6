package schedule

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Single is an occurrence that belongs to no series: the time of an appointment or a rental.
type Single struct {
	OfferingID uuid.UUID
	LocationID uuid.UUID
	StartsAt   time.Time
	EndsAt     time.Time
	MemberID   *uuid.UUID
	SpaceID    *uuid.UUID
	Seats      int // as many as people come
}

// errGone: an occurrence that was there is not.
var errGone = errors.New("schedule: an occurrence is gone")

// AddSinglesTx writes singles, in their order, with no seat taken, and returns their ids.
func AddSinglesTx(ctx context.Context, tx *pg.Tx, singles []Single) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(singles))
	for i := range ids {
		ids[i] = pg.NewID()
	}
	return ids, insertSingles(ctx, tx, ids, singles)
}

// MoveSingleTx changes when, where and with whom a single takes place; it keeps its id and its seats.
func MoveSingleTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, to Single) error {
	return changed(moveSingle(ctx, tx, id, to))(1)
}

// CancelledSingle is a single that was let go.
type CancelledSingle struct {
	ID uuid.UUID
	Single
}

// CancelledSinglesTx reads which of these occurrences are singles that were let go, in the order of their ids.
func CancelledSinglesTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]CancelledSingle, error) {
	return cancelledSingles(ctx, tx, ids)
}

// RestoreSinglesTx lets singles that were let go take place after all.
func RestoreSinglesTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	return changed(restoreSingles(ctx, tx, ids))(len(ids))
}

// changed refuses a change of other than so many rows.
func changed(n int64, err error) func(want int) error {
	return func(want int) error {
		if err == nil && n != int64(want) {
			err = errGone
		}
		return err
	}
}
