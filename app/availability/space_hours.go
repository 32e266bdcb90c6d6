package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// SpaceHours is the week of a space on its location's wall clock. A space without intervals is open with its location.
type SpaceHours struct {
	LocationID uuid.UUID
	SpaceID    uuid.UUID
	Intervals  []business.Interval
}

// SpaceHours returns the hours of a space. It needs location.view at the location; an unknown location, and a space that
// is not there, is not found.
func (s *Service) SpaceHours(ctx context.Context, sc tenancy.Scope, location, space uuid.UUID) (SpaceHours, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return SpaceHours{}, err
	}
	v := s.db.View(sc.Tenant)
	if _, err := placeOf(ctx, v, sc, policy.LocationView, location); err != nil {
		return SpaceHours{}, err
	}
	if _, err := business.SpaceOf(ctx, v, location, space); err != nil {
		return SpaceHours{}, err
	}
	return spaceHours(ctx, v, location, space)
}

// PutSpaceHours replaces the hours of a space; none lets it open with its location again. The last one to write wins, and
// bookings that exist stay. It needs location.manage at the location; an unknown location or space is not found, an
// archived space business.ErrSpaceArchived.
func (s *Service) PutSpaceHours(ctx context.Context, sc tenancy.Scope, in SpaceHours) (SpaceHours, error) {
	if err := policy.RequireAny(sc, policy.LocationManage); err != nil {
		return SpaceHours{}, err
	}
	var c fault.Checks
	business.CheckWeek(&c, "intervals", in.Intervals)
	if err := c.Err(); err != nil {
		return SpaceHours{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (SpaceHours, error) {
		if err := lockSpace(ctx, tx, sc, policy.LocationManage, in.LocationID, in.SpaceID); err != nil {
			return SpaceHours{}, err
		}
		if err := replaceSpaceHours(ctx, tx, in); err != nil {
			return SpaceHours{}, err
		}
		return spaceHours(ctx, tx, in.LocationID, in.SpaceID)
	})
}

// placeOf reads a location for somebody who needs a feature there. An id the business does not have is not found.
func placeOf(ctx context.Context, r pg.Reader, sc tenancy.Scope, feature tenancy.Feature, location uuid.UUID) (business.Location, error) {
	l, err := business.LocationOf(ctx, r, location)
	if err != nil {
		return business.Location{}, err
	}
	return l, policy.RequireAt(sc, feature, location)
}

// lockSpace keeps the row of a space in use for a change by somebody who needs a feature at its location: who is about to
// book the space waits, or was there before.
func lockSpace(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, feature tenancy.Feature, location, space uuid.UUID) error {
	if _, err := placeOf(ctx, tx, sc, feature, location); err != nil {
		return err
	}
	if _, err := claim.LockTx(ctx, tx, nil, []uuid.UUID{space}); err != nil {
		return err
	}
	found, err := business.SpaceOf(ctx, tx, location, space)
	if err == nil && found.ArchivedAt != nil {
		err = business.ErrSpaceArchived
	}
	return err
}
