package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// Times returns when a published offering can be booked, page by page (E51 to E59). Following Next to the end visits every
// time once. An offering that the public does not see is not found. The dates of a class are written down, see
// schedule.ClassTimes; for the times of appointments and rentals see slotTimes. also adds further reads to the first trip.
func (s *Service) Times(ctx context.Context, business uuid.UUID, in schedule.TimesInput, also ...func(*pg.Batch)) (schedule.Times, error) {
	v := s.db.View(business)
	t, err := schedule.ClassTimes(ctx, v, in, also...)
	if err != nil || t.Head.Kind == catalog.Class {
		return t, err
	}
	return s.slotTimes(ctx, v, t, in)
}
