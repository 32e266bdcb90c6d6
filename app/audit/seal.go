package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// sealAge is how old an event is when it is sealed. Numbers are given out before transactions commit: what is younger may
// still get a neighbour with a lower one.
const sealAge = 10 * time.Minute

// sealSize is the most events of one seal.
const sealSize = 5000

// Seal seals what is old enough, of every business. A business that fails does not keep the others from theirs.
func (s *Service) Seal(ctx context.Context) error {
	return s.db.EachOf(ctx, "select business_id from app.due_seals($3, $1, $2)", func(ctx context.Context, business uuid.UUID) error {
		for {
			n, err := s.sealOne(ctx, business)
			if err != nil {
				return fmt.Errorf("audit: seal %s: %w", business, err)
			}
			if n < sealSize {
				return nil
			}
		}
	}, s.db.Clock().Now().Add(-sealAge))
}

// sealOne makes the next seal of a business and returns how many events it covers. Two at the same time make the same
// seal; the second one finds it there.
func (s *Service) sealOne(ctx context.Context, business uuid.UUID) (int, error) {
	return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) { return seal(ctx, tx) })
}
