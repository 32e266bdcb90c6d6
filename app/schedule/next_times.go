package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// NextTimes returns the next start of each offering that has one, in one round trip: the "next" of a list (E36). It does
// not ask whether the offerings are published: whoever listed them has.
func (s *Service) NextTimes(ctx context.Context, business uuid.UUID, offerings []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	return nextTimes(ctx, s.db.View(business), offerings)
}
