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

// UndoEditInput undoes an edit.
type UndoEditInput struct {
	OfferingID uuid.UUID
	SeriesID   uuid.UUID
	EditID     uuid.UUID
}

// Undone is the result of undoing an edit.
type Undone struct {
	Series       // the edited series, as it was before
	Dates   int  // dates that are as they were
	Removed int  // dates made by the edit and now deleted
	Joined  bool // the series that the edit had split are one again
	Notices int  // messages to customers: those notified of the edit are notified of its undoing
}

// UndoEdit undoes an edit of a series or of one of its dates, within a day: every row is as it was before, to the
// byte, except for seats, which are as they are now. Dates that the edit made are deleted, the only case in which a
// date is. It needs catalog.manage at the location.
//
// Conflicts:
//   - ErrNotUndoable when the edit cancelled or rescheduled bookings
//   - ErrUndone
//   - ErrUndoExpired
//   - ErrEditedSince when these rows were changed since, when a date to reschedule or remove has a new booking, or
//     when an instructor or a space has become busy
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
	Bookings map[uuid.UUID][]uuid.UUID `json:"bookings"` // of the rescheduled dates
	Plan     Plan                      `json:"plan"`
	Silent   bool                      `json:"silent,omitempty"` // no customer was notified
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
	if e.After.Plan.Notices > 0 { // customers not notified of the edit need no notice now
		if out.Notices, err = s.notify(ctx, tx, w.notices("")...); err != nil {
			return Undone{}, err
		}
	}
	if _, err := s.tellTeam(ctx, tx, w, Because{Silent: e.After.Silent}.team()); err != nil {
		return Undone{}, err
	}
	return out, markUndone(ctx, tx, e.ID)
}

// unchanged checks that the rows are as the edit left them, and locks them. w is the work of undoing it, and moved
// are the dates with bookings that will be rescheduled.
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
			return nil, w, nil, ErrEditedSince // a booking made since is for another time
		}
		moved = append(moved, id)
	}
	return now, w, moved, nil
}

// asLeft reports whether a row can go back to its state before the edit, b, or, if it did not exist, be deleted. A
// row that the sweep has written since is deleted, too.
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

// restore restores the rows: the claims of the edit go first, and those of before come last, when their dates are
// there.
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

// misplaced returns the dates that did not exist before the edit, and those at a position in the rule to which
// another one returns.
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

// inUse maps the constraints that keep a date, or the series of a split, from being deleted: it is or was in a cart.
var inUse = map[string]error{
	"bookings_occurrence_fkey": ErrEditedSince, "cart_items_occurrence_fkey": ErrEditedSince,
	"waitlist_entries_occurrence_fkey": ErrEditedSince, "waitlist_rounds_occurrence_fkey": ErrEditedSince,
	"occurrences_series_fkey": ErrEditedSince, "series_edits_series_fkey": ErrEditedSince, "series_split_fkey": ErrEditedSince,
	"claims_member_once": ErrEditedSince, "claims_space_once": ErrEditedSince,
}
