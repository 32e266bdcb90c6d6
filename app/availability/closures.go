package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// AddedClosure is a closure with whom it hits.
type AddedClosure struct {
	Closure Closure
	Hits    Hits
}

// Effects are the bookings that are hit: those on the days, as far as they are not inside the special hours.
func (a AddedClosure) Effects() any { return a.Hits }

// CloseDays closes a location on some days, or gives these hours of their own. It needs location.manage there; an
// unknown location is not found, a day that has a closure ErrClosureOverlaps. Dates and bookings it hits stay as they are
// and are told.
//
// The people and spaces of the location are locked before anybody asks who is booked: a booking that is being made comes
// wholly before, and is told, or wholly after, and finds the location closed.
func (s *Service) CloseDays(ctx context.Context, sc tenancy.Scope, in ClosureInput) (AddedClosure, error) {
	if err := policy.RequireAny(sc, policy.LocationManage); err != nil {
		return AddedClosure{}, err
	}
	if err := in.Validate(); err != nil {
		return AddedClosure{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (AddedClosure, error) {
		place, err := placeOf(ctx, tx, sc, policy.LocationManage, in.LocationID)
		if err != nil {
			return AddedClosure{}, err
		}
		loc, err := civil.LoadZone(place.Zone)
		if err != nil {
			return AddedClosure{}, err
		}
		if err := in.checkDays(civil.LocalDate(tx.Now(), loc)); err != nil {
			return AddedClosure{}, err
		}
		if err := lockPlace(ctx, tx, in.LocationID); err != nil {
			return AddedClosure{}, err
		}
		if err := noOtherClosure(ctx, tx, in); err != nil {
			return AddedClosure{}, err
		}
		c := Closure{ID: pg.NewID(), LocationID: in.LocationID, Name: in.Name, StartsOn: in.StartsOn, EndsOn: in.EndsOn,
			Hours: in.Hours, CreatedAt: tx.Now()}
		if err := insertClosure(ctx, tx, c); err != nil {
			return AddedClosure{}, err
		}
		from, _ := civil.DayBounds(c.StartsOn, loc)
		_, to := civil.DayBounds(c.EndsOn, loc)
		open := func(o standing) bool { return c.leavesOpen(o.StartsAt, o.EndsAt, loc) }
		hits, err := s.hitsOf(ctx, tx, from, to, open, `l.id = $6`, in.LocationID)
		return AddedClosure{Closure: c, Hits: hits}, err
	})
}

// RemoveClosure opens a location again. It needs location.manage there; an unknown location, and a closure that is not
// the location's, is not found.
func (s *Service) RemoveClosure(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.LocationManage); err != nil {
		return err
	}
	_, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		if _, err := placeOf(ctx, tx, sc, policy.LocationManage, location); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, deleteClosure(ctx, tx, location, id)
	})
	return err
}

// ClosuresInput chooses closures of a location, in the order of their last day.
type ClosuresInput struct {
	LocationID uuid.UUID
	From       civil.Date // those that end on it or later; zero: the location's today
	Page       paging.In[ClosureKey]
}

// ClosureKey is where a page of closures ended.
type ClosureKey struct {
	EndsOn civil.Date
	ID     uuid.UUID
}

// Closures lists the closures of a location that are not over. It needs location.view there; an unknown location is not
// found.
func (s *Service) Closures(ctx context.Context, sc tenancy.Scope, in ClosuresInput) (paging.Page[Closure, ClosureKey], error) {
	var none paging.Page[Closure, ClosureKey]
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return none, err
	}
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.From.IsZero() || in.From.Valid(), "from", "This date does not exist.")
	if err := c.Err(); err != nil {
		return none, err
	}
	v := s.db.View(sc.Tenant)
	place, err := placeOf(ctx, v, sc, policy.LocationView, in.LocationID)
	if err != nil {
		return none, err
	}
	loc, err := civil.LoadZone(place.Zone)
	if err != nil {
		return none, err
	}
	key := ClosureKey{EndsOn: in.From}
	if in.From.IsZero() {
		key.EndsOn = civil.LocalDate(v.Now(), loc)
	}
	if in.Page.After != nil && !in.Page.After.EndsOn.Before(key.EndsOn) {
		key = *in.Page.After
	}
	rows, err := listClosures(ctx, v, in.LocationID, key, in.Page.Size()+1)
	return paging.Of(rows, in.Page.Size(), func(c Closure) ClosureKey { return ClosureKey{c.EndsOn, c.ID} }), err
}

// ClosuresOf returns the next closures of a location, those that end on a day or later: what its pages tell the public.
func ClosuresOf(ctx context.Context, r pg.Reader, location uuid.UUID, from civil.Date, most int) ([]Closure, error) {
	return listClosures(ctx, r, location, ClosureKey{EndsOn: from}, most)
}
