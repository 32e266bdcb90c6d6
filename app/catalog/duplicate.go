package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Duplicate makes a draft like another offering, archived or not, at the same location: with its settings, people and
// spaces, under the first free slug that its name gives. Dates and bookings stay with the original. It needs
// catalog.manage at the location; an unknown id is not found, an archived location ErrLocationArchived.
func (s *Service) Duplicate(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		place, err := business.LocationOf(ctx, tx, o.LocationID)
		if err != nil {
			return Offering{}, err
		}
		if place.ArchivedAt != nil {
			return Offering{}, ErrLocationArchived
		}
		return copied(ctx, tx, o)
	})
}

// copied writes the copy. What it points at may have gone out of use since the original chose it; it keeps pointing there
// until somebody chooses anew, as the original does.
func copied(ctx context.Context, tx *pg.Tx, o Offering) (Offering, error) {
	o.ID, o.State, o.PublishedAt, o.Version = pg.NewID(), Draft, nil, 1
	o.CreatedAt, o.UpdatedAt = tx.Now(), tx.Now()
	if err := insertNamed(ctx, tx, &o); err != nil {
		return Offering{}, err
	}
	if err := replaceMembers(ctx, tx, o, o.MemberIDs); err != nil {
		return Offering{}, err
	}
	if err := replaceSpaces(ctx, tx, o, o.SpaceIDs); err != nil {
		return Offering{}, err
	}
	return o, nil
}
