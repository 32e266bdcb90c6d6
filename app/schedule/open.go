package schedule

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// OpenTx writes the occurrences of appointments and rentals that PlaceTx has found room for in this transaction, in the
// order of placed, and claims their people and spaces, buffers included. Nobody has a seat of them yet. Errors:
// ErrStaffBusy, ErrSpaceBusy from the database's own guard.
func OpenTx(ctx context.Context, tx *pg.Tx, placed []Placement) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(placed))
	for i := range ids {
		ids[i] = pg.NewID()
	}
	if err := insertPlaced(ctx, tx, ids, placed); err != nil {
		return nil, err
	}
	return ids, claimPlaced(ctx, tx, ids, placed)
}

// ReopenTx gives times that were let go their people and spaces back, the same ones: for money that comes after the hold
// was over. ok is false when one of them is not to be had any more; nothing has changed then.
func ReopenTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) (ok bool, err error) {
	if len(occurrences) == 0 {
		return true, nil
	}
	asks, closed, err := closedSlots(ctx, tx, occurrences)
	if err != nil || len(closed) == 0 {
		return err == nil, err
	}
	placed, err := PlaceTx(ctx, tx, asks, StaffOverride)
	if e := fault.From(err); e != nil && e.Kind == fault.Conflict {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := claimPlaced(ctx, tx, closed, placed); err != nil {
		return false, err
	}
	return true, reopenSlots(ctx, tx, closed)
}

// ReplaceTx moves an appointment or a rental to where PlaceTx has found room for it: the occurrence keeps its id.
func ReplaceTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, p Placement) error {
	if err := deleteClaims(ctx, tx, []uuid.UUID{occurrence}); err != nil {
		return err
	}
	if err := movePlaced(ctx, tx, occurrence, p); err != nil {
		return err
	}
	return claimPlaced(ctx, tx, []uuid.UUID{occurrence}, []Placement{p})
}

// claimPlaced writes the claims of placements. PlaceTx has locked the people and spaces and looked already.
func claimPlaced(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID, placed []Placement) error {
	var claims []Claim
	for i, p := range placed {
		claims = append(claims, p.claims(occurrences[i])...)
	}
	parts, err := partsOf(ctx, tx, claims)
	if err != nil {
		return err
	}
	rows, err := expand(claims, parts)
	if err != nil || len(rows) == 0 {
		return err
	}
	return pg.Map(insertClaims(ctx, tx, rows), backstop)
}

// claims are what a placement keeps busy.
func (p Placement) claims(occurrence uuid.UUID) []Claim {
	var out []Claim
	c := Claim{OccurrenceID: occurrence, StartsAt: p.BlockedFrom, EndsAt: p.BlockedTo, Forced: p.Forced}
	if p.MemberID != nil {
		c.MemberID = *p.MemberID
		out = append(out, c)
	}
	if p.SpaceID != nil {
		c.MemberID, c.SpaceID = uuid.Nil, *p.SpaceID
		if p.Shared {
			c.Seats = p.Party
		}
		out = append(out, c)
	}
	return out
}

// errGone: an occurrence that was there is not.
var errGone = errors.New("schedule: an occurrence is gone")
