package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// BlockInput is a new block: a time at which a space is out of use for maintenance, a private event.
type BlockInput struct {
	LocationID, SpaceID uuid.UUID
	StartsAt, EndsAt    time.Time
	Note                string
}

// BlockSpace takes a space out of use for a time. It needs booking.manage at the location; an unknown location or space is
// not found, an archived space business.ErrSpaceArchived. Bookings it hits, in the space, in a whole it is a part of and in
// its parts, stay as they are and are told; like TakeTimeOff it locks before it looks. Blocks may overlap.
func (s *Service) BlockSpace(ctx context.Context, sc tenancy.Scope, in BlockInput) (AddedAbsence, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return AddedAbsence{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (AddedAbsence, error) {
		if err := lockSpace(ctx, tx, sc, policy.BookingManage, in.LocationID, in.SpaceID); err != nil {
			return AddedAbsence{}, err
		}
		block, err := newAbsence(pg.NewID(), in.StartsAt, in.EndsAt, in.Note, tx.Now())
		if err != nil {
			return AddedAbsence{}, err
		}
		if err := insertBlock(ctx, tx, in.LocationID, in.SpaceID, block); err != nil {
			return AddedAbsence{}, err
		}
		hits, err := s.hitsOf(ctx, tx, block.StartsAt, block.EndsAt, nil, inSpace, in.LocationID, in.SpaceID)
		return AddedAbsence{block, hits}, err
	})
}

// RemoveBlock puts a space back into use. It needs booking.manage at the location; an unknown location or space, and a
// block that is not the space's, is not found.
func (s *Service) RemoveBlock(ctx context.Context, sc tenancy.Scope, location, space, id uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return err
	}
	_, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		if _, err := placeOf(ctx, tx, sc, policy.BookingManage, location); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, deleteBlock(ctx, tx, location, space, id)
	})
	return err
}

// Blocks lists when a space is out of use by its own blocks, not by those of its whole. It needs booking.manage at the
// location; an unknown location or space is not found.
func (s *Service) Blocks(ctx context.Context, sc tenancy.Scope, location, space uuid.UUID, in AwayInput) (paging.Page[Absence, paging.Moment], error) {
	var none paging.Page[Absence, paging.Moment]
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return none, err
	}
	if err := in.check(); err != nil {
		return none, err
	}
	v := s.db.View(sc.Tenant)
	if _, err := placeOf(ctx, v, sc, policy.BookingManage, location); err != nil {
		return none, err
	}
	if _, err := business.SpaceOf(ctx, v, location, space); err != nil {
		return none, err
	}
	rows, err := listBlocks(ctx, v, location, space, in.start(v.Now()), in.Page.Size()+1)
	return in.page(rows), err
}
