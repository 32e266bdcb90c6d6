package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// SpaceInput is a new space.
type SpaceInput struct {
	LocationID uuid.UUID
	ParentID   *uuid.UUID // at the same location
	Name       string
	Capacity   int
}

// Validate trims and checks the input.
func (in *SpaceInput) Validate() error {
	var c fault.Checks
	checkSpaceName(&c, &in.Name)
	checkCapacity(&c, in.Capacity)
	return c.Err()
}

// CreateSpace adds a space to a location. Errors: fault.Missing for the location, and for a parent that is not there or
// archived; policy.ErrMissingFeature (location.manage there), Validation, ErrSpaceName.
func (s *Service) CreateSpace(ctx context.Context, sc tenancy.Scope, in SpaceInput) (Space, error) {
	return atPlace(ctx, s, sc, in.LocationID, in.Validate, func(tx *pg.Tx, _ Location) (Space, error) {
		if in.ParentID != nil {
			if err := liveParent(ctx, tx, in.LocationID, *in.ParentID); err != nil {
				return Space{}, err
			}
		}
		space := Space{
			ID: pg.NewID(), LocationID: in.LocationID, ParentID: in.ParentID, Name: in.Name, Capacity: in.Capacity,
			Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		return space, insertSpace(ctx, tx, space)
	})
}

// liveParent refuses a parent that is not at this location, or archived.
func liveParent(ctx context.Context, tx *pg.Tx, location, id uuid.UUID) error {
	parent, err := SpaceOf(ctx, tx, location, id)
	if err == nil && parent.ArchivedAt != nil {
		err = fault.Missing()
	}
	return err
}
