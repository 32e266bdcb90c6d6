package booking

import (
	"context"

	"github.com/google/uuid"
)

// ExpireSlots ends the business's holds of appointments and rentals that are past their time, and tells whether there
// were any: ExpireAt for who finds a time taken. People and spaces are shared by many times, so that all of them go.
func (s *Service) ExpireSlots(ctx context.Context, business uuid.UUID) (bool, error) {
	ids, err := overdueIn(ctx, s.db.View(business))
	if err != nil || len(ids) == 0 {
		return false, err
	}
	ended, err := s.expire(ctx, business, ids)
	return ended > 0, err
}
