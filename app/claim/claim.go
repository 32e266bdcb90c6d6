package claim

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// Claim makes a person or a space busy for a time, buffers included. It belongs to an occurrence and goes with it.
type Claim struct {
	OccurrenceID uuid.UUID
	MemberID     uuid.UUID // the person; Nil when a space is claimed
	SpaceID      uuid.UUID // the space, with everything that is a part of it; Nil when a person is claimed
	StartsAt     time.Time
	EndsAt       time.Time
	Seats        int  // of a space that others may share; 0 claims the whole of it
	Forced       bool // somebody decided that it may overlap
}

// Clash is a claim that does not fit, with one thing that is in its way.
type Clash struct {
	OccurrenceID uuid.UUID // of the claim that does not fit
	Reason       string    // BusyStaff or BusySpace
	MemberID     uuid.UUID // the person or the space that was claimed; the other is Nil
	SpaceID      uuid.UUID
	StartsAt     time.Time // of the claim
	EndsAt       time.Time
	With         Obstacle
}

// Obstacle is what keeps a person or a space busy.
type Obstacle struct {
	Kind         string    // "occurrence", "time_off" or "block"
	OccurrenceID uuid.UUID // Nil for time off and blocks
	Name         string    // of its offering; the note of a block; "Time off", whose note is the person's own
	StartsAt     time.Time
	EndsAt       time.Time
}

// The reasons of a clash, as they stand in details.reason.
const (
	BusyStaff = "staff_busy"
	BusySpace = "space_busy"
)

// The kinds of obstacles.
const (
	obstacleDate  = "occurrence"
	obstacleAway  = "time_off"
	obstacleBlock = "block"
)

// Why a time cannot be claimed. details.conflicts lists what is in the way, see ConflictsShown.
var (
	ErrStaffBusy = fault.New(fault.Conflict, BusyStaff, "The person is busy at this time.")
	ErrSpaceBusy = fault.New(fault.Conflict, BusySpace, "The space is in use at this time.")
)

// ConflictsShown is how many clashes a refusal lists.
const ConflictsShown = 20

// claimMax bounds a claim: a day, with buffers before and after. It lets the reads look at a window and not at all that
// comes later.
const claimMax = 48 * time.Hour

// Backstop maps what the database refuses when two claims of the same time were not seen before.
var Backstop = map[string]error{"claims_member_once": ErrStaffBusy, "claims_space_once": ErrSpaceBusy}

// TakeTx makes people and spaces busy, all of the claims or none. It locks the people and then the spaces, each in the
// order of their ids, and looks at what is there in a later statement, so that of two who claim the same time the second
// sees the first. A space is claimed with all its parts. Errors: ErrStaffBusy or ErrSpaceBusy with details.conflicts; a
// forced claim is not looked at and never refused.
func TakeTx(ctx context.Context, tx *pg.Tx, claims []Claim) error {
	return claimThese(ctx, tx, claims, Refusal)
}

// ForceTx is TakeTx that does not refuse: what clashes is claimed by force.
func ForceTx(ctx context.Context, tx *pg.Tx, claims []Claim) error {
	return claimThese(ctx, tx, claims, func([]Clash) error { return nil })
}

// claimThese lets decide say whether claims that clash are written, by force then.
func claimThese(ctx context.Context, tx *pg.Tx, claims []Claim, decide func([]Clash) error) error {
	if len(claims) == 0 {
		return nil
	}
	parts, err := LockClaimedTx(ctx, tx, claims)
	if err != nil {
		return err
	}
	rows, err := Expand(claims, parts)
	if err != nil {
		return err
	}
	clashes, err := ClashesOf(ctx, tx, Unforced(rows), claims)
	if err != nil {
		return err
	}
	if len(clashes) > 0 {
		if err := decide(clashes); err != nil {
			return err
		}
		Force(rows, clashes)
	}
	return pg.Map(InsertTx(ctx, tx, rows), Backstop)
}

// TakeLockedTx writes claims of people and spaces that the caller has locked and looked at. What the caller has not seen
// the database's own guard refuses: ErrStaffBusy, ErrSpaceBusy.
func TakeLockedTx(ctx context.Context, tx *pg.Tx, claims []Claim) error {
	parts, err := partsOf(ctx, tx, claims)
	if err != nil {
		return err
	}
	rows, err := Expand(claims, parts)
	if err != nil || len(rows) == 0 {
		return err
	}
	return pg.Map(InsertTx(ctx, tx, rows), Backstop)
}

// ReleaseTx takes the claims of these occurrences away: their people and spaces are free again.
func ReleaseTx(ctx context.Context, tx *pg.Tx, occurrences ...uuid.UUID) error {
	if len(occurrences) == 0 {
		return nil
	}
	return deleteClaims(ctx, tx, occurrences)
}

// Clashes returns what is in the way of these claims: one Clash for each obstacle, in the order of the claims and of the
// obstacles' start. Claims of the same occurrence are in nobody's way, and neither is what is forced looked at.
func Clashes(ctx context.Context, r pg.Reader, claims []Claim) ([]Clash, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	parts, err := partsOf(ctx, r, claims)
	if err != nil {
		return nil, err
	}
	rows, err := Expand(claims, parts)
	if err != nil {
		return nil, err
	}
	return ClashesOf(ctx, r, Unforced(rows), claims)
}

// Refusal is the refusal of clashing claims; nil without any.
func Refusal(clashes []Clash) error {
	if len(clashes) == 0 {
		return nil
	}
	refusal := ErrStaffBusy
	if clashes[0].Reason == BusySpace {
		refusal = ErrSpaceBusy
	}
	return refusal.With("conflicts", ConflictDetails(clashes))
}

// Row is a claim as the table keeps it: one person or one space.
type Row struct {
	Claim
	ID     uuid.UUID // Nil: insertClaims makes one
	Of     int       // index of the claim it stands for
	Direct bool      // false: a part of the space that is claimed
}

func (r Row) exclusive() bool { return r.Seats == 0 }

// resource is the person or space that the row makes busy.
func (r Row) resource() uuid.UUID {
	if r.MemberID != uuid.Nil {
		return r.MemberID
	}
	return r.SpaceID
}

// Expand makes the rows of claims: one for each, and one for every part of a claimed space.
func Expand(claims []Claim, parts map[uuid.UUID][]uuid.UUID) ([]Row, error) {
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

func Unforced(rows []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Forced })
}

// Force marks the rows of claims that clash.
func Force(rows []Row, clashes []Clash) {
	type key struct{ occurrence, resource uuid.UUID }
	clashing := map[key]bool{}
	for _, c := range clashes {
		clashing[key{c.OccurrenceID, c.MemberID}], clashing[key{c.OccurrenceID, c.SpaceID}] = true, true
	}
	by := map[int]bool{}
	for _, r := range rows {
		if r.Direct && clashing[key{r.OccurrenceID, r.resource()}] {
			by[r.Of] = true
		}
	}
	for i := range rows {
		rows[i].Forced = rows[i].Forced || by[rows[i].Of]
	}
}

// among finds claims that are in each other's way: the later of two is the one that does not fit. Classes of a whole day
// overlap on the day that has only 23 hours.
func among(rows []Row) []hit {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b Row) int {
		ra, rb := a.resource(), b.resource()
		return cmp.Or(slices.Compare(ra[:], rb[:]), a.StartsAt.Compare(b.StartsAt))
	})
	var hits []hit
	for i, r := range sorted {
		for _, before := range slices.Backward(sorted[:i]) {
			if before.resource() != r.resource() || before.StartsAt.Add(claimMax).Before(r.StartsAt) {
				break
			}
			if before.EndsAt.After(r.StartsAt) && before.OccurrenceID != r.OccurrenceID && (r.exclusive() || before.exclusive()) {
				hits = append(hits, hit{Of: r.Of, Kind: obstacleDate, OccurrenceID: before.OccurrenceID,
					StartsAt: before.StartsAt, EndsAt: before.EndsAt})
				break
			}
		}
	}
	return hits
}

// clash tells what is in the way of a claim.
func (h hit) clash(claims []Claim) Clash {
	c := claims[h.Of]
	out := Clash{OccurrenceID: c.OccurrenceID, Reason: BusyStaff, MemberID: c.MemberID, SpaceID: c.SpaceID,
		StartsAt: c.StartsAt, EndsAt: c.EndsAt,
		With: Obstacle{Kind: h.Kind, OccurrenceID: h.OccurrenceID, Name: h.Name, StartsAt: h.StartsAt.UTC(), EndsAt: h.EndsAt.UTC()}}
	if c.SpaceID != uuid.Nil {
		out.Reason = BusySpace
	}
	return out
}

// ConflictDetail is a clash as details.conflicts of a refusal shows it.
type ConflictDetail struct {
	Reason   string    `json:"reason"` // staff_busy or space_busy
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
	With     string    `json:"with"` // the other offering, or the note of time off or a block
	WithFrom time.Time `json:"withStartsAt"`
	WithTo   time.Time `json:"withEndsAt"`
}

// ConflictDetails shows the first ConflictsShown of clashes.
func ConflictDetails(clashes []Clash) []ConflictDetail {
	out := []ConflictDetail{}
	for _, c := range clashes[:min(len(clashes), ConflictsShown)] {
		out = append(out, ConflictDetail{
			Reason: c.Reason, StartsAt: c.StartsAt.UTC(), EndsAt: c.EndsAt.UTC(),
			With: c.With.Name, WithFrom: c.With.StartsAt, WithTo: c.With.EndsAt,
		})
	}
	return out
}
