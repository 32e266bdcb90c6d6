package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ArchiveSpace takes a space out of use; what happened there keeps its name. An archived space is returned as it is.
// Errors: fault.Missing for the location or the space, policy.ErrMissingFeature (location.manage there), ErrSpaceHasParts,
// ErrSpaceInUse.
func (s *Service) ArchiveSpace(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) (Space, error) {
	return atPlace(ctx, s, sc, location, nil, func(tx *pg.Tx, _ Location) (Space, error) {
		space, err := SpaceOf(ctx, tx, location, id)
		if err != nil || space.ArchivedAt != nil {
			return space, err
		}
		parts, err := hasParts(ctx, tx, id)
		if err != nil {
			return Space{}, err
		}
		if parts {
			return Space{}, ErrSpaceHasParts
		}
		used, err := s.o.SpaceInUseTx(ctx, tx, id)
		if err != nil {
			return Space{}, err
		}
		if used {
			return Space{}, ErrSpaceInUse
		}
		now := tx.Now()
		space.ArchivedAt = &now
		return saveSpace(ctx, tx, space)
	})
}
