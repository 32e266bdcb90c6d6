package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// SpaceInput creates a space.
type SpaceInput struct {
	LocationID uuid.UUID
	ParentID   *uuid.UUID // at the same location
	Name       string
	Capacity   int
}

// Validate trims and checks the input.
func (in *SpaceInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", &in.Name, MaxSpaceName)
	checkCapacity(&c, in.Capacity)
	return c.Err()
}

// CreateSpace adds a space to a location. Errors:
//
//   - fault.Missing for the location, and for a parent that does not exist or is archived
//   - policy.ErrMissingFeature (location.manage there)
//   - Validation
//   - ErrSpaceName
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
	return fault.When(parent.ArchivedAt != nil, fault.Missing(), err)
}

// UpdateSpaceInput changes a space. A nil field is unchanged.
type UpdateSpaceInput struct {
	LocationID uuid.UUID
	SpaceID    uuid.UUID
	Version    int64                  // of the space that was read
	ParentID   patch.Field[uuid.UUID] // none: part of nothing
	Name       *string
	Capacity   *int
}

// Validate trims and checks what was given.
func (in *UpdateSpaceInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", in.Name, MaxSpaceName)
	if in.Capacity != nil {
		checkCapacity(&c, *in.Capacity)
	}
	return c.Err()
}

// UpdateSpace changes a space and returns it. A space cannot become a part of itself or of one of its parts. Errors:
//
//   - fault.Missing for the location, the space, and a parent that does not exist or is archived
//   - policy.ErrMissingFeature (location.manage there)
//   - Validation
//   - fault.ErrStale
//   - ErrSpaceArchived, ErrSpaceName
func (s *Service) UpdateSpace(ctx context.Context, sc tenancy.Scope, in UpdateSpaceInput) (Space, error) {
	return atPlace(ctx, s, sc, in.LocationID, in.Validate, func(tx *pg.Tx, _ Location) (Space, error) {
		// The location is locked: two simultaneous changes of a parent could close a circle that neither of them
		// sees.
		space, err := SpaceOf(ctx, tx, in.LocationID, in.SpaceID)
		if err != nil {
			return Space{}, err
		}
		if space.ArchivedAt != nil {
			return Space{}, ErrSpaceArchived
		}
		if err := fault.Stale(in.Version, space.Version); err != nil {
			return Space{}, err
		}
		if err := in.place(ctx, tx, space); err != nil {
			return Space{}, err
		}
		in.ParentID.To(&space.ParentID)
		patch.Set(&space.Name, in.Name)
		patch.Set(&space.Capacity, in.Capacity)
		return saveSpace(ctx, tx, space)
	})
}

// place checks a new parent of the space.
func (in UpdateSpaceInput) place(ctx context.Context, tx *pg.Tx, space Space) error {
	whole := in.ParentID.Value
	if whole == nil {
		return nil
	}
	if err := liveParent(ctx, tx, in.LocationID, *whole); err != nil {
		return err
	}
	circle, err := isInside(ctx, tx, *whole, space.ID)
	return fault.When(circle, fault.Invalid("parentId", "A space cannot be a part of itself or of its own parts."), err)
}

// ArchiveSpace archives a space; past dates keep its name. Archiving an archived space changes nothing. Errors:
//
//   - fault.Missing for the location or the space
//   - policy.ErrMissingFeature (location.manage there)
//   - ErrSpaceHasParts
//   - ErrSpaceInUse
func (s *Service) ArchiveSpace(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) (Space, error) {
	return atPlace(ctx, s, sc, location, nil, func(tx *pg.Tx, _ Location) (Space, error) {
		space, err := SpaceOf(ctx, tx, location, id)
		if err != nil || space.ArchivedAt != nil {
			return space, err
		}
		parts, err := hasParts(ctx, tx, id)
		if err := fault.When(parts, ErrSpaceHasParts, err); err != nil {
			return Space{}, err
		}
		used, err := s.o.SpaceInUseTx(ctx, tx, id)
		if err := fault.When(used, ErrSpaceInUse, err); err != nil {
			return Space{}, err
		}
		now := tx.Now()
		space.ArchivedAt = &now
		return saveSpace(ctx, tx, space)
	})
}
