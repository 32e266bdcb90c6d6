package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ClosureKey is where a page of closures ended: they are in the order of their last day.
type ClosureKey struct {
	EndsOn civil.Date
	ID     uuid.UUID
}

// ClosuresInput chooses closures of a location.
type ClosuresInput struct {
	LocationID uuid.UUID
	From       civil.Date  // those that end on it or later; zero: the location's today
	After      *ClosureKey // nil: from the beginning
	Limit      int         // 0: PageDefault
}

// ClosurePage is a part of a list. Next is nil on the last page, and only there.
type ClosurePage struct {
	Items []Closure
	Next  *ClosureKey
}

// Closures lists the closures of a location that are not over. It needs location.view there; an unknown location is not
// found.
func (s *Service) Closures(ctx context.Context, sc tenancy.Scope, in ClosuresInput) (ClosurePage, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return ClosurePage{}, err
	}
	var c fault.Checks
	schedule.CheckLimit(&c, in.Limit)
	c.That(in.From.IsZero() || in.From.Valid(), "from", "This date does not exist.")
	c.That(in.After == nil || in.After.EndsOn.Valid(), "cursor", "This is not a place in this list.")
	if err := c.Err(); err != nil {
		return ClosurePage{}, err
	}
	v := s.db.View(sc.Tenant)
	place, err := placeOf(ctx, v, sc, policy.LocationView, in.LocationID)
	if err != nil {
		return ClosurePage{}, err
	}
	loc, err := civil.LoadZone(place.Zone)
	if err != nil {
		return ClosurePage{}, err
	}
	key := ClosureKey{EndsOn: in.From}
	if in.From.IsZero() {
		key.EndsOn = civil.LocalDate(v.Now(), loc)
	}
	if in.After != nil && !in.After.EndsOn.Before(key.EndsOn) {
		key = *in.After
	}
	limit := schedule.LimitOf(in.Limit)
	rows, err := listClosures(ctx, v, in.LocationID, key, limit+1)
	if err != nil || len(rows) <= limit {
		return ClosurePage{Items: rows}, err
	}
	last := rows[limit-1]
	return ClosurePage{Items: rows[:limit], Next: &ClosureKey{last.EndsOn, last.ID}}, nil
}

// ClosuresOf returns the next closures of a location, those that end on a day or later: what its pages tell the public.
func ClosuresOf(ctx context.Context, r pg.Reader, location uuid.UUID, from civil.Date, most int) ([]Closure, error) {
	return listClosures(ctx, r, location, ClosureKey{EndsOn: from}, most)
}
