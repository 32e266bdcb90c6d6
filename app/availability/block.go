package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Block is a time at which a space, with its parts, is out of use: maintenance, a private event.
type Block struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	SpaceID    uuid.UUID
	StartsAt   time.Time
	EndsAt     time.Time
	Note       string // why
	CreatedAt  time.Time
}

// BlockInput is a new block.
type BlockInput struct {
	LocationID, SpaceID uuid.UUID
	StartsAt, EndsAt    time.Time
	Note                string
}

// AddedBlock is a block with whom it hits.
type AddedBlock struct {
	Block Block
	Hits  Hits
}

// Effects are the bookings that are hit: those in the space, in a whole it is a part of, and in its parts.
func (a AddedBlock) Effects() any { return a.Hits }

// BlockSpace takes a space out of use for a time. It needs booking.manage at the location; an unknown location or space is
// not found, an archived space business.ErrSpaceArchived. Bookings it hits stay as they are and are told; like TakeTimeOff
// it locks before it looks. Blocks may overlap.
func (s *Service) BlockSpace(ctx context.Context, sc tenancy.Scope, in BlockInput) (AddedBlock, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return AddedBlock{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (AddedBlock, error) {
		if _, err := lockSpace(ctx, tx, sc, policy.BookingManage, in.LocationID, in.SpaceID); err != nil {
			return AddedBlock{}, err
		}
		var c fault.Checks
		checkAway(&c, in.StartsAt, in.EndsAt, tx.Now(), &in.Note)
		if err := c.Err(); err != nil {
			return AddedBlock{}, err
		}
		b := Block{ID: pg.NewID(), LocationID: in.LocationID, SpaceID: in.SpaceID, StartsAt: in.StartsAt.UTC(),
			EndsAt: in.EndsAt.UTC(), Note: in.Note, CreatedAt: tx.Now()}
		if err := insertBlock(ctx, tx, b); err != nil {
			return AddedBlock{}, err
		}
		hit, err := standingInSpace(ctx, tx, in.LocationID, in.SpaceID, in.StartsAt, in.EndsAt)
		if err != nil {
			return AddedBlock{}, err
		}
		hits, err := s.hitsOf(ctx, tx, hit)
		return AddedBlock{Block: b, Hits: hits}, err
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
func (s *Service) Blocks(ctx context.Context, sc tenancy.Scope, location, space uuid.UUID, in AwayInput) (AwayPage[Block], error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return AwayPage[Block]{}, err
	}
	var c fault.Checks
	schedule.CheckLimit(&c, in.Limit)
	if err := c.Err(); err != nil {
		return AwayPage[Block]{}, err
	}
	v := s.db.View(sc.Tenant)
	if _, err := placeOf(ctx, v, sc, policy.BookingManage, location); err != nil {
		return AwayPage[Block]{}, err
	}
	if _, err := business.SpaceOf(ctx, v, location, space); err != nil {
		return AwayPage[Block]{}, err
	}
	limit := schedule.LimitOf(in.Limit)
	rows, err := listBlocks(ctx, v, location, space, in.start(v.Now()), limit+1)
	return awayPage(rows, limit, func(b Block) AwayKey { return AwayKey{b.EndsAt, b.ID} }), err
}
