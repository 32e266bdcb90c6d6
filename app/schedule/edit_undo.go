package schedule

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// UndoEditInput takes an edit back.
type UndoEditInput struct {
	OfferingID uuid.UUID
	SeriesID   uuid.UUID
	EditID     uuid.UUID
}

// Undone is what taking an edit back has done.
type Undone struct {
	Series       // the one that was edited, as it was before
	Dates   int  // dates that are as they were
	Removed int  // dates that the edit had made, and that are gone
	Joined  bool // the series that the edit had split are one again
	Notices int  // messages to customers: those who were notified of the edit are of its end
}

// UndoEdit takes an edit of a series or of one of its dates back, within a day: every row is what it was before, to the
// byte, seats apart, which are as they are now. Dates that the edit made are deleted, which is the only case in which a
// date is. It needs catalog.manage at the location. Conflicts: ErrNotUndoable when the edit sent people away, ErrUndone,
// ErrUndoExpired, and ErrEditedSince when anything was done to these rows since, when somebody has booked a date that would
// move or go, or when an instructor or a space is busy by now.
func (s *Service) UndoEdit(ctx context.Context, sc tenancy.Scope, in UndoEditInput) (Undone, error) {
	of := seriesRef{in.OfferingID, in.SeriesID}
	return changeSeries(ctx, s, sc, nil, of, "", func(tx *pg.Tx, _ Series) (Undone, error) {
		e, err := lockEdit(ctx, tx, in)
		if err != nil {
			return Undone{}, err
		}
		if err := e.refusal(tx.Now()); err != nil {
			return Undone{}, err
		}
		out, err := s.undo(ctx, tx, e)
		if err != nil {
			return Undone{}, err
		}
		out.Series, err = lockSeries(ctx, tx, of)
		return out, err
	})
}

// keptEdit is an edit as it was written down.
type keptEdit struct {
	ID        uuid.UUID
	SeriesID  uuid.UUID
	Before    keptBefore
	Was       struct{ Dates []written } // the dates of Before, to be read
	After     keptAfter
	CreatedAt time.Time
	UndoUntil time.Time
	UndoneAt  *time.Time
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
	Silent   bool                      `json:"silent,omitempty"` // nobody was notified
}

func (e keptEdit) refusal(now time.Time) error {
	switch {
	case e.UndoneAt != nil:
		return ErrUndone
	case !e.After.Plan.Undoable:
		return ErrNotUndoable
	case !now.Before(e.UndoUntil):
		return ErrUndoExpired
	}
	return nil
}

func (s *Service) undo(ctx context.Context, tx *pg.Tx, e keptEdit) (Undone, error) {
	if err := lockVersions(ctx, tx, e.After.Series); err != nil {
		return Undone{}, err
	}
	members, spaces := edit{}.resources(e.Was.Dates)
	if _, err := claim.LockTx(ctx, tx, members, spaces); err != nil {
		return Undone{}, err
	}
	now, w, moved, err := s.unchanged(ctx, tx, e)
	if err != nil {
		return Undone{}, err
	}
	removed, err := e.restore(ctx, tx, now)
	if err != nil {
		return Undone{}, err
	}
	dates := make([]uuid.UUID, len(e.Was.Dates))
	for i, w := range e.Was.Dates {
		dates[i] = w.ID
	}
	if err := s.follow(ctx, tx, moved, dates); err != nil {
		return Undone{}, err
	}
	out := Undone{Dates: len(dates), Removed: removed, Joined: e.After.Split != nil}
	if e.After.Plan.Notices > 0 { // who has not heard of the edit has nothing to hear now
		if out.Notices, err = s.notify(ctx, tx, w.notices("")...); err != nil {
			return Undone{}, err
		}
	}
	if _, err := s.tellTeam(ctx, tx, w, Because{Silent: e.After.Silent}.team()); err != nil {
		return Undone{}, err
	}
	return out, markUndone(ctx, tx, e.ID)
}

// unchanged says whether the rows are as the edit left them, and locks them. w is the work of taking it back, and moved are
// the dates with bookings that will take place at another time.
func (s *Service) unchanged(ctx context.Context, tx *pg.Tx, e keptEdit) (now []written, w work, moved []uuid.UUID, err error) {
	if now, err = lockTouched(ctx, tx, e); err != nil {
		return nil, w, nil, err
	}
	before := map[uuid.UUID]written{}
	for _, w := range e.Was.Dates {
		before[w.ID] = w
	}
	for _, n := range now {
		b, known := before[n.ID]
		if !n.asLeft(b, known, e, tx.Now()) {
			return nil, w, nil, ErrEditedSince
		}
		if known {
			w.steps = append(w.steps, step{n, b})
		}
	}
	if len(w.steps) != len(e.Was.Dates) {
		return nil, w, nil, ErrEditedSince
	}
	booked, err := s.bookedOn(ctx, tx, w)
	if err != nil {
		return nil, w, nil, err
	}
	for id, b := range booked {
		if !sameIDs(b, e.After.Bookings[id]) {
			return nil, w, nil, ErrEditedSince // who booked since has booked another time
		}
		moved = append(moved, id)
	}
	return now, w, moved, nil
}

// asLeft tells whether a row can go back to what it was, b, or, when it was nothing, go. A row that the sweep has written
// since goes, too.
func (n written) asLeft(b written, known bool, e keptEdit, now time.Time) bool {
	if !n.StartsAt.After(now) {
		return false
	}
	if !known {
		return n.Version == 1 && n.seats() == 0
	}
	return n.Version == e.After.Dates[n.ID] && b.StartsAt.After(now) && b.Capacity >= n.seats()
}

func sameIDs(a, b []uuid.UUID) bool {
	order := func(ids []uuid.UUID) []uuid.UUID {
		return slices.SortedFunc(slices.Values(ids), func(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) })
	}
	return slices.Equal(order(a), order(b))
}

// restore puts the rows back: the claims of the edit go first, and those of before come last, when their dates are there.
func (e keptEdit) restore(ctx context.Context, tx *pg.Tx, now []written) (removed int, err error) {
	added, parked := e.misplaced(now)
	if err := claim.DeleteTx(ctx, tx, e.After.Claims, added); err != nil {
		return 0, err
	}
	clashes, err := claim.ClashesWith(ctx, tx, e.Before.Claims)
	if err != nil {
		return 0, err
	}
	if len(clashes) > 0 {
		return 0, ErrEditedSince.With("conflicts", claim.ConflictDetails(clashes))
	}
	return len(added), pg.Map(e.restoreRows(ctx, tx, added, parked), inUse)
}

// misplaced are the dates that were not there before the edit, and those that have the place in the rule that another one
// goes back to.
func (e keptEdit) misplaced(now []written) (added, parked []uuid.UUID) {
	type place struct {
		series uuid.UUID
		date   civil.Date
	}
	was, of := map[uuid.UUID]bool{}, map[place]uuid.UUID{}
	for _, w := range e.Was.Dates {
		was[w.ID], of[place{w.SeriesID, w.RuleDate}] = true, w.ID
	}
	for _, n := range now {
		if !was[n.ID] {
			added = append(added, n.ID)
		} else if id, is := of[place{n.SeriesID, n.RuleDate}]; is && id != n.ID {
			parked = append(parked, n.ID)
		}
	}
	return added, parked
}

// inUse maps what keeps a date, or the series of a split, from being deleted: somebody has it in a cart, or had it.
var inUse = map[string]error{
	"bookings_occurrence_fkey": ErrEditedSince, "cart_items_occurrence_fkey": ErrEditedSince,
	"waitlist_entries_occurrence_fkey": ErrEditedSince, "waitlist_rounds_occurrence_fkey": ErrEditedSince,
	"occurrences_series_fkey": ErrEditedSince, "series_edits_series_fkey": ErrEditedSince, "series_split_fkey": ErrEditedSince,
	"claims_member_once": ErrEditedSince, "claims_space_once": ErrEditedSince,
}
