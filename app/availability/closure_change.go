package availability

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
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
		others, err := closuresBetween(ctx, tx, in.LocationID, in.StartsOn, in.EndsOn)
		if err != nil {
			return AddedClosure{}, err
		}
		if len(others) > 0 {
			return AddedClosure{}, overlaps(others[0])
		}
		c := Closure{ID: pg.NewID(), LocationID: in.LocationID, Name: in.Name, StartsOn: in.StartsOn, EndsOn: in.EndsOn,
			Hours: in.Hours, CreatedAt: tx.Now()}
		if err := insertClosure(ctx, tx, c); err != nil {
			return AddedClosure{}, err
		}
		from, _ := civil.DayBounds(c.StartsOn, loc)
		_, to := civil.DayBounds(c.EndsOn, loc)
		hit, err := standingAt(ctx, tx, in.LocationID, from, to)
		if err != nil {
			return AddedClosure{}, err
		}
		hit = slices.DeleteFunc(hit, func(o standing) bool { return c.leavesOpen(o.StartsAt, o.EndsAt, loc) })
		hits, err := s.hitsOf(ctx, tx, hit)
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
