package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/availability"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Block is a time at which a space, with its parts, is out of use.
type Block struct {
	ID        uuid.UUID `json:"id"`
	StartsAt  time.Time `json:"startsAt"`
	EndsAt    time.Time `json:"endsAt"`
	Note      string    `json:"note"`
	CreatedAt time.Time `json:"createdAt"`
}

// AddedBlock is a block with the bookings in its time.
type AddedBlock struct {
	Block
	Hits Hits `json:"hits"`
}

type listBlocksIn struct {
	SpacePath
	AbsenceFilter
}

type addBlockIn struct {
	SpacePath
	Body addAwayBody
}

// BlockPath is the path of a block of a space.
type BlockPath struct {
	SpacePath
	BlockID uuid.UUID `path:"blockId" doc:"The block."`
}

func (a *surface) blocks() {
	declare(a, op.Spec{
		ID: "listBlocks", Method: "GET", Path: "/locations/{id}/spaces/{spaceId}/blocks", Tag: "locations", Feature: "booking.manage",
		Summary:     "List blocks",
		Description: "Returns the blocks of a space, sorted by end. A block of an enclosing space is listed there.",
	}, a.listBlocks)
	declare(a, op.Spec{
		ID: "addBlock", Method: "POST", Path: "/locations/{id}/spaces/{spaceId}/blocks", Tag: "locations",
		Summary: "Create a block",
		Description: "Takes a space and its parts out of use. The response lists the bookings in this time; they do not " +
			"change.",
		Feature: "booking.manage", Success: 201, Quoted: true,
	}, a.addBlock)
	declare(a, op.Spec{
		ID: "deleteBlock", Method: "DELETE", Path: "/locations/{id}/spaces/{spaceId}/blocks/{blockId}", Tag: "locations", Feature: "booking.manage",
		Summary: "Delete a block", Description: "Puts the space back into use.",
	}, func(ctx context.Context, sc tenancy.Scope, in *BlockPath) (op.NoContent, error) {
		return op.NoContent{}, a.Availability.RemoveBlock(ctx, sc, sc.Location, in.SpaceID, in.BlockID)
	})
}

func (a *surface) listBlocks(ctx context.Context, sc tenancy.Scope, in *listBlocksIn) (op.List[Block], error) {
	list := op.ListKey("blocks", in.SpaceID, in.From)
	away, err := a.away(sc, list, in.AbsenceFilter)
	if err != nil {
		return op.List[Block]{}, err
	}
	page, err := a.Availability.Blocks(ctx, sc, sc.Location, in.SpaceID, away)
	return wire.List(a.Cursors, sc, list, page, showBlock), err
}

func (a *surface) addBlock(ctx context.Context, sc tenancy.Scope, in *addBlockIn) (op.Quoted[AddedBlock, Hits], error) {
	b := in.Body
	added, err := a.Availability.BlockSpace(ctx, sc, availability.BlockInput{
		LocationID: sc.Location, SpaceID: in.SpaceID, StartsAt: b.StartsAt, EndsAt: b.EndsAt, Note: b.Note,
	})
	hits := showHits(added.Hits)
	return op.Quoted[AddedBlock, Hits]{Done: AddedBlock{Block: showBlock(added.Absence), Hits: hits}, Effects: hits}, err
}

func showBlock(b availability.Absence) Block { return Block(b) }
