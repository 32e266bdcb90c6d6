package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// GoOnTx continues dates that have not begun at another location with all of their bookings and requests: same time,
// same price, same rules. Held seats are released. It returns the dates, and the number of bookings and requests;
// their customers are notified. The caller has the offerings under lock, so that there are no more dates, and updates
// all other references to the dates. Errors: those of schedule.RelocateTx.
func (s *Service) GoOnTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, m catalog.GoingOn) (dates []uuid.UUID, booked int, err error) {
	var offerings []uuid.UUID
	for id := range m.Offerings {
		offerings = append(offerings, id)
	}
	if dates, err = schedule.DatesAhead(ctx, tx, offerings); err != nil {
		return nil, 0, err
	}
	list, err := clearDates(ctx, tx, sc, dates, dates)
	if err != nil {
		return nil, 0, err
	}
	if err := schedule.DeferredTx(ctx, tx); err != nil {
		return nil, 0, err
	}
	if err := schedule.RelocateTx(ctx, tx, m, dates); err != nil {
		return nil, 0, err
	}
	if err := follow(ctx, tx, dates); err != nil {
		return nil, 0, err
	}
	moved := each(list, func(b subject) leaving { return leaving{ID: b.ID, From: b.State} })
	if err := record(ctx, tx, sc, TransitionRelocate, m.Reason, moved); err != nil {
		return nil, 0, err
	}
	return dates, len(list), tellRelocated(ctx, tx, list)
}

// tellRelocated notifies customers, of a course once.
func tellRelocated(ctx context.Context, tx *pg.Tx, list []subject) error {
	told := map[uuid.UUID]bool{}
	list = slices.Clone(list)
	slices.SortFunc(list, byStart)
	for _, b := range list {
		if b.Course() {
			if told[*b.GroupID] {
				continue
			}
			told[*b.GroupID] = true
		}
		job := NoticeJob{Business: tx.Business(), Booking: b.ID, Notice: ToldRelocated, Course: b.Course()}
		if err := jobs.EnqueueTx(ctx, tx, job); err != nil {
			return err
		}
	}
	return nil
}
