package availability

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Closure is a run of days on which a location is closed, or has special hours. Its name is shown to the public.
type Closure struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	Name       string
	StartsOn   civil.Date
	EndsOn     civil.Date // the last day
	Hours      []DayHours // of each of the days, in order; none: closed
	CreatedAt  time.Time
}

// The limits of closures.
const (
	ClosureMaxDays  = 366
	ClosureMaxHours = 10 // intervals of a day
)

// ErrClosureOverlaps refuses a closure on a day that has one. details has its id, name, startsOn and endsOn.
var ErrClosureOverlaps = fault.New(fault.Conflict, "closure_overlaps", "There is a closure on one of these days. Remove it first.")

// ClosureInput is a new closure.
type ClosureInput struct {
	LocationID       uuid.UUID
	Name             string
	StartsOn, EndsOn civil.Date
	Hours            []DayHours // none: closed
}

// Validate trims and checks the input, without the location's date.
func (in *ClosureInput) Validate() error {
	var c fault.Checks
	in.Name = names.Clean(in.Name)
	c.That(in.Name != "", "name", "Enter a name for the public, like Christmas.")
	checkNote(&c, "name", in.Name)
	c.That(in.StartsOn.Valid(), "startsOn", "This date does not exist.")
	c.That(in.EndsOn.Valid(), "endsOn", "This date does not exist.")
	c.That(!in.EndsOn.Before(in.StartsOn), "endsOn", "The last day must not be before the first.")
	c.That(in.StartsOn.DaysUntil(in.EndsOn) < ClosureMaxDays, "endsOn", fmt.Sprintf("Use at most %d days.", ClosureMaxDays))
	c.That(len(in.Hours) <= ClosureMaxHours, "hours", fmt.Sprintf("Use at most %d intervals.", ClosureMaxHours))
	in.Hours = append([]DayHours{}, in.Hours...) // not nil, which would be no list in the table
	for i, h := range in.Hours {
		at := fmt.Sprintf("hours[%d]", i)
		c.That(h.Opens >= 0 && h.Opens < 24*60, at+".opens", "This is not a time of day.")
		c.That(h.Closes > h.Opens && h.Closes <= 24*60, at+".closes", "Closing must be after opening, and by midnight at the latest.")
		for _, before := range in.Hours[:i] {
			c.That(h.Opens >= before.Closes || before.Opens >= h.Closes, at+".opens", "This overlaps another time of the day.")
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	slices.SortFunc(in.Hours, func(a, b DayHours) int { return cmp.Compare(a.Opens, b.Opens) })
	return nil
}

// checkDays checks the days against the location's date.
func (in ClosureInput) checkDays(today civil.Date) error {
	var c fault.Checks
	c.That(!in.EndsOn.Before(today), "endsOn", "This has ended already.")
	c.That(today.DaysUntil(in.StartsOn) <= schedule.StartMaxDays, "startsOn", "Use a first day within two years.")
	return c.Err()
}

// always is a week without an end.
var always = func() (week []business.Interval) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		week = append(week, business.Interval{Weekday: day, Closes: minutesPerDay})
	}
	return week
}()

// leavesOpen reports whether a time is possible in spite of the closure: outside its days, or wholly inside its
// hours, on the wall clock in loc.
func (c Closure) leavesOpen(from, to time.Time, loc *time.Location) bool {
	over := stretch{floor(from), ceil(to)}
	days := newCalendar(&Facts{Zone: loc, Week: always, Special: []SpecialDays{{From: c.StartsOn, To: c.EndsOn, Hours: c.Hours}}}, over)
	open := cursor{set: setOf(days.ofLocation())}
	return open.covers(over.from, over.to)
}

// AddedClosure is a closure, with the affected bookings.
type AddedClosure struct {
	Closure Closure
	Hits    Hits
}

// Effects returns the affected bookings: those on the days and not inside the special hours.
func (a AddedClosure) Effects() any { return a.Hits }

// CloseDays closes a location on some days, or gives these special hours. It needs location.manage there; an unknown
// location is not found, a day that has a closure ErrClosureOverlaps. Affected dates and bookings stay as they are
// and are returned.
//
// The people and spaces of the location are locked before bookings are read: a concurrent booking comes wholly
// before, and is returned, or wholly after, and finds the location closed.
func (s *Service) CloseDays(ctx context.Context, sc tenancy.Scope, in ClosureInput) (AddedClosure, error) {
	wrong := in.Validate()
	return begin(ctx, s, sc, policy.LocationManage, wrong, func(tx *pg.Tx) (AddedClosure, error) {
		place, err := placeOf(ctx, tx, sc, policy.LocationManage, in.LocationID)
		if err != nil {
			return AddedClosure{}, err
		}
		loc := civil.ZoneOrUTC(place.Zone)
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
		from, to := civil.StartOfDay(c.StartsOn, loc), civil.StartOfDay(c.EndsOn.AddDays(1), loc)
		open := func(o standing) bool { return c.leavesOpen(o.StartsAt, o.EndsAt, loc) }
		hits, err := s.hitsOf(ctx, tx, from, to, open, `l.id = $6`, in.LocationID)
		return AddedClosure{Closure: c, Hits: hits}, err
	})
}

// RemoveClosure removes a closure of a location. It needs location.manage there; an unknown location, and a closure
// of another location, is not found.
func (s *Service) RemoveClosure(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.LocationManage); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		if _, err := placeOf(ctx, tx, sc, policy.LocationManage, location); err != nil {
			return err
		}
		return deleteClosure(ctx, tx, location, id)
	})
}

// ClosuresInput chooses closures of a location, in the order of their last day.
type ClosuresInput struct {
	LocationID uuid.UUID
	From       civil.Date // those that end on it or later; zero: the location's today
	Page       paging.In[ClosureKey]
}

// ClosureKey is the end of a page of closures.
type ClosureKey struct {
	EndsOn civil.Date
	ID     uuid.UUID
}

// Closures lists the closures of a location that have not ended. It needs location.view there; an unknown location is
// not found.
func (s *Service) Closures(ctx context.Context, sc tenancy.Scope, in ClosuresInput) (page paging.Page[Closure, ClosureKey], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.From.IsZero() || in.From.Valid(), "from", "This date does not exist.")
	if err := c.Err(); err != nil {
		return page, err
	}
	v := s.db.View(sc.Tenant)
	place, err := placeOf(ctx, v, sc, policy.LocationView, in.LocationID)
	if err != nil {
		return page, err
	}
	key := ClosureKey{EndsOn: in.From}
	if in.From.IsZero() {
		key.EndsOn = civil.LocalDate(v.Now(), civil.ZoneOrUTC(place.Zone))
	}
	if in.Page.After != nil && !in.Page.After.EndsOn.Before(key.EndsOn) {
		key = *in.Page.After
	}
	rows, err := listClosures(ctx, v, in.LocationID, key, in.Page.Size()+1)
	return paging.Of(rows, in.Page.Size(), func(c Closure) ClosureKey { return ClosureKey{c.EndsOn, c.ID} }), err
}

// ClosuresOf returns the next closures of a location, those that end on a day or later, for its public pages.
func ClosuresOf(ctx context.Context, r pg.Reader, location uuid.UUID, from civil.Date, most int) ([]Closure, error) {
	return listClosures(ctx, r, location, ClosureKey{EndsOn: from}, most)
}
