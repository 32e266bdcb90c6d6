package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EditKey is where a page of edits ended: the newest come first.
type EditKey struct {
	CreatedAt time.Time
	ID        uuid.UUID
}

// EditsInput chooses the edits of a series, those of its single dates too.
type EditsInput struct {
	OfferingID uuid.UUID
	SeriesID   uuid.UUID
	After      *EditKey // nil: from the newest on
	Limit      int      // 0: PageDefault
}

// Edit is what was done to a series.
type Edit struct {
	ID        uuid.UUID
	SeriesID  uuid.UUID
	CreatedAt time.Time
	UndoUntil time.Time
	UndoneAt  *time.Time
	Undoable  bool // now; whether the rows have changed since is seen when it is tried
	Added     int  // dates
	Removed   int
	Moved     int
	Changed   int // dates with another teacher, space or number of seats
	Split     bool
}

// EditPage is a part of a list. Next is nil on the last page, and only there.
type EditPage struct {
	Items []Edit
	Next  *EditKey
}

// Edits returns the edits of a series, in one round trip. It needs location.view at the location; an unknown series is not
// found.
func (s *Service) Edits(ctx context.Context, sc tenancy.Scope, in EditsInput) (EditPage, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return EditPage{}, err
	}
	var c fault.Checks
	CheckLimit(&c, in.Limit)
	if err := c.Err(); err != nil {
		return EditPage{}, err
	}
	limit := LimitOf(in.Limit)
	rows, location, found, err := listEdits(ctx, s.db.View(sc.Tenant), in, limit+1)
	if err != nil {
		return EditPage{}, err
	}
	if !found {
		return EditPage{}, fault.Missing()
	}
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return EditPage{}, err
	}
	page := EditPage{Items: rows}
	if len(rows) > limit {
		page.Items = rows[:limit]
		page.Next = &EditKey{rows[limit-1].CreatedAt, rows[limit-1].ID}
	}
	return page, nil
}
