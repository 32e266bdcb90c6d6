package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// OpenTx writes the occurrences of appointments and rentals that AssignTx has found room for in this transaction, in
// the order of placed, and claims their people and spaces, buffers included. They have no occupied seat yet. Errors:
// ErrStaffBusy, ErrSpaceBusy from the database's own guard.
func OpenTx(ctx context.Context, tx *pg.Tx, placed []Placement) ([]uuid.UUID, error) {
	singles := make([]schedule.Single, len(placed))
	for i, p := range placed {
		singles[i] = p.single()
	}
	ids, err := schedule.AddSinglesTx(ctx, tx, singles)
	if err != nil {
		return nil, err
	}
	return ids, claimPlaced(ctx, tx, ids, placed)
}

// ReopenTx claims the people and spaces of released times again, the same ones: for a payment that arrives after its
// hold has expired. ok is false when one of them is not available any more; nothing has changed then.
func ReopenTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) (ok bool, err error) {
	if len(occurrences) == 0 {
		return true, nil
	}
	gone, err := schedule.CancelledSinglesTx(ctx, tx, occurrences)
	if err != nil || len(gone) == 0 {
		return err == nil, err
	}
	asks, ids := make([]SlotRequestAt, len(gone)), make([]uuid.UUID, len(gone))
	for i, g := range gone {
		ids[i] = g.ID
		asks[i] = SlotRequestAt{OfferingID: g.OfferingID, StartsAt: g.StartsAt, Minutes: int(g.EndsAt.Sub(g.StartsAt) / time.Minute),
			MemberID: g.MemberID, SpaceID: g.SpaceID, Party: g.Seats, ExcludeOccurrence: g.ID}
	}
	placed, err := AssignTx(ctx, tx, asks, StaffOverride)
	if e := fault.From(err); e != nil && e.Kind == fault.Conflict {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := claimPlaced(ctx, tx, ids, placed); err != nil {
		return false, err
	}
	return true, schedule.RestoreSinglesTx(ctx, tx, ids)
}

// ReplaceTx reschedules an appointment or a rental to the placement of AssignTx: the occurrence keeps its id.
func ReplaceTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, p Placement) error {
	if err := claim.ReleaseTx(ctx, tx, occurrence); err != nil {
		return err
	}
	if err := schedule.RescheduleSingleTx(ctx, tx, occurrence, p.single()); err != nil {
		return err
	}
	return claimPlaced(ctx, tx, []uuid.UUID{occurrence}, []Placement{p})
}

// claimPlaced writes the claims of placements. AssignTx has locked the people and spaces and looked already.
func claimPlaced(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID, placed []Placement) error {
	var claims []claim.Claim
	for i, p := range placed {
		claims = append(claims, p.claims(occurrences[i])...)
	}
	return claim.TakeLockedTx(ctx, tx, claims)
}

// single is the occurrence of a placement.
func (p Placement) single() schedule.Single {
	return schedule.Single{OfferingID: p.OfferingID, LocationID: p.LocationID, StartsAt: p.StartsAt, EndsAt: p.EndsAt,
		MemberID: p.MemberID, SpaceID: p.SpaceID, Seats: p.Party}
}

// claims returns the claims of a placement.
func (p Placement) claims(occurrence uuid.UUID) []claim.Claim {
	seats := 0
	if p.Shared {
		seats = p.Party
	}
	return claim.Of(occurrence, p.BlockedFrom, p.BlockedTo, p.MemberID, p.SpaceID, seats)
}
