package claim

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// Claim makes a person or a space busy for a time, buffers included. It belongs to an occurrence and ends with it.
type Claim struct {
	OccurrenceID uuid.UUID `json:"occurrence_id"`
	MemberID     uuid.UUID `json:"member_id"` // the person; Nil when a space is claimed
	SpaceID      uuid.UUID `json:"space_id"`  // the space, with all of its parts; Nil when a person is claimed
	StartsAt     time.Time `json:"starts_at"`
	EndsAt       time.Time `json:"ends_at"`
	Seats        int       `json:"seats"`  // of a shared space; 0 claims the whole of it
	Forced       bool      `json:"forced"` // the overlap was allowed by an override
}

// Of returns the claims of an occurrence on its person and its space, if any, for a time; seats are those of a shared
// space.
func Of(occurrence uuid.UUID, from, to time.Time, member, space *uuid.UUID, seats int) []Claim {
	var out []Claim
	if member != nil {
		out = append(out, Claim{OccurrenceID: occurrence, MemberID: *member, StartsAt: from, EndsAt: to})
	}
	if space != nil {
		out = append(out, Claim{OccurrenceID: occurrence, SpaceID: *space, StartsAt: from, EndsAt: to, Seats: seats})
	}
	return out
}

// Clash is a claim with one of its conflicts.
type Clash struct {
	Claim        Claim     `db:"-"`
	Of           int       // index of the claim
	Kind         string    // kind of the conflict: "occurrence", "time_off" or "block"
	OccurrenceID uuid.UUID // of the conflict; the id of time off and of a block
	Name         string    // of its offering; the note of a block; "Time off", whose note is private
	StartsAt     time.Time
	EndsAt       time.Time
}

// Reason returns BusySpace if a space was claimed, and else BusyStaff.
func (c Clash) Reason() string {
	if c.Claim.SpaceID != uuid.Nil {
		return BusySpace
	}
	return BusyStaff
}

// The reasons of a clash, as in details.reason.
const (
	BusyStaff = "staff_busy"
	BusySpace = "space_busy"
)

// Reasons why a time cannot be claimed. details.conflicts lists the conflicts, see ConflictsShown.
var (
	ErrStaffBusy = fault.New(fault.Conflict, BusyStaff, "The instructor is busy at this time.")
	ErrSpaceBusy = fault.New(fault.Conflict, BusySpace, "The room is in use at this time.")
)

// ConflictsShown is the maximum number of clashes in a refusal.
const ConflictsShown = 20

// claimMax limits a claim: a day, with buffers before and after. It lets the reads use a window instead of all later
// claims.
const claimMax = 48 * time.Hour

// backstop maps the constraints against two claims of the same time that were not seen before.
var backstop = map[string]error{"claims_member_once": ErrStaffBusy, "claims_space_once": ErrSpaceBusy}

// CheckTx locks the people and then the spaces that claims name, each in the order of their ids, and finds conflicts
// in later statements, so that of two transactions claiming the same time the second sees the first: claims, time off
// and blocks. A space is claimed with all its parts. The rows are to be written by InsertTx; those in conflict with
// another claim are forced, so that the caller refuses them (Refusal). A claim that is forced already is not checked.
func CheckTx(ctx context.Context, tx *pg.Tx, claims []Claim) ([]Clash, []Row, error) {
	clashes, rows, err := look(ctx, tx, claims)
	if err != nil || len(rows) == 0 {
		return nil, nil, err
	}
	away, err := awayOf(ctx, tx, rows, claims)
	return append(clashes, away...), rows, err
}

// look is CheckTx without time off and blocks.
func look(ctx context.Context, tx *pg.Tx, claims []Claim) ([]Clash, []Row, error) {
	if len(claims) == 0 {
		return nil, nil, nil
	}
	members, spaces := named(claims)
	parts, err := LockTx(ctx, tx, members, spaces)
	if err != nil {
		return nil, nil, err
	}
	rows, err := expand(claims, parts)
	if err != nil {
		return nil, nil, err
	}
	clashes, err := clashesOf(ctx, tx, rows, claims)
	force(rows, clashes)
	return clashes, rows, err
}

// ForceTx claims people and spaces despite conflicts.
func ForceTx(ctx context.Context, tx *pg.Tx, claims []Claim) error {
	_, rows, err := look(ctx, tx, claims)
	if err != nil {
		return err
	}
	return InsertTx(ctx, tx, rows)
}

// TakeLockedTx writes claims of people and spaces that the caller has locked and checked. For unseen conflicts the
// database's own guard returns ErrStaffBusy, ErrSpaceBusy.
func TakeLockedTx(ctx context.Context, tx *pg.Tx, claims []Claim) error {
	_, spaces := named(claims)
	parts, err := spaceParts(ctx, tx, spaces, "")
	if err != nil {
		return err
	}
	rows, err := expand(claims, parts)
	if err != nil {
		return err
	}
	return InsertTx(ctx, tx, rows)
}

// Refusal returns the error for clashing claims; nil without any.
func Refusal(clashes []Clash) error {
	if len(clashes) == 0 {
		return nil
	}
	refusal := ErrStaffBusy
	if clashes[0].Reason() == BusySpace {
		refusal = ErrSpaceBusy
	}
	return refusal.With("conflicts", ConflictDetails(clashes))
}

// Row is a claim in the table: one person or one space.
type Row struct {
	Claim
	ID     uuid.UUID `json:"id"`     // Nil: InsertTx makes one
	Of     int       `json:"-"`      // index of its claim
	Direct bool      `json:"direct"` // false: a part of the claimed space
}

func (r Row) exclusive() bool { return r.Seats == 0 }

// resource is the person or space that the row makes busy.
func (r Row) resource() uuid.UUID { return cmp.Or(r.MemberID, r.SpaceID) }

// expand makes the rows of claims: one for each, and one for every part of a claimed space.
func expand(claims []Claim, parts map[uuid.UUID][]uuid.UUID) ([]Row, error) {
	var rows []Row
	for i, c := range claims {
		if (c.MemberID == uuid.Nil) == (c.SpaceID == uuid.Nil) || !c.StartsAt.Before(c.EndsAt) || c.EndsAt.Sub(c.StartsAt) > claimMax {
			return nil, fmt.Errorf("claim: not a claim: %+v", c)
		}
		rows = append(rows, Row{Claim: c, Of: i, Direct: true})
		for _, part := range parts[c.SpaceID] {
			c.SpaceID = part
			rows = append(rows, Row{Claim: c, Of: i})
		}
	}
	return rows, nil
}

// force marks the rows of claims that clash.
func force(rows []Row, clashes []Clash) {
	by := map[int]bool{}
	for _, c := range clashes {
		by[c.Of] = true
	}
	for i := range rows {
		rows[i].Forced = rows[i].Forced || by[rows[i].Of]
	}
}

// among finds claims in conflict with each other: the later of two is the one that does not fit. Classes of a whole
// day overlap on the day that has only 23 hours.
func among(rows []Row) []Clash {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b Row) int {
		ra, rb := a.resource(), b.resource()
		return cmp.Or(slices.Compare(ra[:], rb[:]), a.StartsAt.Compare(b.StartsAt))
	})
	var clashes []Clash
	for i, r := range sorted {
		for _, before := range slices.Backward(sorted[:i]) {
			if before.resource() != r.resource() || before.StartsAt.Add(claimMax).Before(r.StartsAt) {
				break
			}
			if before.EndsAt.After(r.StartsAt) && before.OccurrenceID != r.OccurrenceID && (r.exclusive() || before.exclusive()) {
				clashes = append(clashes, Clash{Of: r.Of, Kind: "occurrence", OccurrenceID: before.OccurrenceID,
					StartsAt: before.StartsAt, EndsAt: before.EndsAt})
				break
			}
		}
	}
	return clashes
}

// ConflictDetail is a clash in details.conflicts of a refusal.
type ConflictDetail struct {
	Reason   string    `json:"reason"` // staff_busy or space_busy
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
	With     string    `json:"with"` // the other offering, or the note of time off or a block
	WithFrom time.Time `json:"withStartsAt"`
	WithTo   time.Time `json:"withEndsAt"`
}

// ConflictDetails converts the first ConflictsShown of clashes.
func ConflictDetails(clashes []Clash) []ConflictDetail {
	out := []ConflictDetail{}
	for _, c := range clashes[:min(len(clashes), ConflictsShown)] {
		out = append(out, ConflictDetail{
			Reason: c.Reason(), StartsAt: c.Claim.StartsAt.UTC(), EndsAt: c.Claim.EndsAt.UTC(),
			With: c.Name, WithFrom: c.StartsAt.UTC(), WithTo: c.EndsAt.UTC(),
		})
	}
	return out
}

// ChangeSpacesTx changes the spaces of dates, for the same time. to returns the new space; Nil releases a space. It
// returns the conflicts there, for the caller to refuse (Refusal).
func ChangeSpacesTx(
	ctx context.Context, tx *pg.Tx, dates []uuid.UUID, to func(space uuid.UUID) uuid.UUID,
) ([]Clash, error) {
	kept, err := WithdrawTx(ctx, tx, nil, dates)
	if err != nil {
		return nil, err
	}
	var claims []Claim
	var spaces []uuid.UUID
	for _, raw := range kept {
		var r Row
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, err
		}
		if !r.Direct { // a part of a space that is claimed: expand makes those of the other
			continue
		}
		if r.SpaceID = to(r.SpaceID); r.SpaceID != uuid.Nil {
			claims, spaces = append(claims, r.Claim), append(spaces, r.SpaceID)
		}
	}
	clashes, rows, err := CheckTx(ctx, tx, claims)
	if err != nil || len(clashes) > 0 {
		return clashes, err
	}
	if err := InsertTx(ctx, tx, rows); err != nil {
		return nil, err
	}
	return crowded(ctx, tx, spaces)
}
