package schedule

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/pg"
)

// keeping collects what an edit has to remember to be taken back.
type keeping struct {
	series Series
	before keptBefore
	after  keptAfter
}

// keptBefore are the rows as they were.
type keptBefore struct {
	Series []json.RawMessage `json:"series"`
	Dates  []json.RawMessage `json:"dates"`
	Claims []json.RawMessage `json:"claims"`
}

// keptAfter is how the edit left them.
type keptAfter struct {
	Series   map[uuid.UUID]int64       `json:"series"` // versions
	Dates    map[uuid.UUID]int64       `json:"dates"`  // versions
	Added    []uuid.UUID               `json:"added"`
	Claims   []uuid.UUID               `json:"claims"` // that the edit wrote
	Split    *uuid.UUID                `json:"split,omitempty"`
	Bookings map[uuid.UUID][]uuid.UUID `json:"bookings"` // of the dates that moved
	Plan     Plan                      `json:"plan"`
}

func newKeeping(s Series, booked map[uuid.UUID]Booked) *keeping {
	k := &keeping{series: s, after: keptAfter{
		Series: map[uuid.UUID]int64{}, Dates: map[uuid.UUID]int64{}, Bookings: map[uuid.UUID][]uuid.UUID{},
	}}
	for id, b := range booked {
		k.after.Bookings[id] = b.Bookings
	}
	return k
}

// rows keeps the rows that are about to change.
func (k *keeping) rows(ctx context.Context, tx *pg.Tx, e edit, w work) (err error) {
	for _, st := range slices.Concat(w.steps, w.displaced) {
		k.before.Dates = append(k.before.Dates, st.was.Row)
	}
	k.before.Series, err = rawSeries(ctx, tx, e.before.ID)
	return err
}

// claim writes claims and keeps their ids.
func (k *keeping) claim(ctx context.Context, tx *pg.Tx, rows []claim.Row) error {
	for i := range rows {
		rows[i].ID = pg.NewID()
		k.after.Claims = append(k.after.Claims, rows[i].ID)
	}
	return pg.Map(claim.InsertTx(ctx, tx, rows), claim.Backstop)
}

// dates are the kept rows of dates, read.
func (b keptBefore) dates() ([]written, error) {
	out := make([]written, len(b.Dates))
	for i, raw := range b.Dates {
		if err := json.Unmarshal(raw, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// claims are the kept rows of claims, as claims and as rows.
func (b keptBefore) claims() (claims []claim.Claim, rows []claim.Row, err error) {
	type row struct {
		OccurrenceID uuid.UUID `json:"occurrence_id"`
		MemberID     uuid.UUID `json:"member_id"`
		SpaceID      uuid.UUID `json:"space_id"`
		StartsAt     time.Time `json:"starts_at"`
		EndsAt       time.Time `json:"ends_at"`
		Forced       bool      `json:"forced"`
		Direct       bool      `json:"direct"`
		Seats        int       `json:"seats"`
	}
	for i, raw := range b.Claims {
		var r row
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, nil, err
		}
		c := claim.Claim{OccurrenceID: r.OccurrenceID, MemberID: r.MemberID, SpaceID: r.SpaceID, StartsAt: r.StartsAt, EndsAt: r.EndsAt,
			Seats: r.Seats, Forced: r.Forced}
		claims, rows = append(claims, c), append(rows, claim.Row{Claim: c, Of: i, Direct: r.Direct})
	}
	return claims, rows, nil
}
