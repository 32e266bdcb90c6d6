package walkin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Live returns the public walk-in state of a location right now, in one round trip. slugs are the listings to count;
// none counts all. A location that is unknown or archived, and any of a closed business, is not found; a list without
// a listing that takes walk-ins is ErrUnknownListing. also adds further reads to the trip. E62 to E69, E109, E110.
func (s *Service) Live(ctx context.Context, business, location uuid.UUID, slugs []string, also ...func(*pg.Batch)) (Walkins, error) {
	v := s.db.View(business)
	p, err := walkinFacts(ctx, v, location, 0, also...)
	if err != nil {
		return Walkins{}, err
	}
	if p.Gone {
		return Walkins{}, fault.Missing()
	}
	return LiveOf(p.Facts, slugs, v.Now())
}

// LiveRead is Live, for all listings, as part of another read's trip: In, then Walkins.
type LiveRead struct {
	row   walkinRow
	found bool
	now   time.Time
}

// In adds the read to a batch.
func (r *LiveRead) In(v *pg.View, location uuid.UUID) func(*pg.Batch) {
	r.now = v.Now()
	return func(b *pg.Batch) {
		pg.QueueOne(b, &r.row, &r.found, walkinSQL, v.Business(), location, minuteOf(r.now), 0)
	}
}

// Walkins returns what was read, as Live does.
func (r *LiveRead) Walkins() (Walkins, error) {
	if !r.found {
		return Walkins{}, fault.Missing()
	}
	p, err := r.row.place()
	if err != nil {
		return Walkins{}, err
	}
	if p.Gone {
		return Walkins{}, fault.Missing()
	}
	return LiveOf(p.Facts, nil, r.now)
}

// Desk is the desk's view of walk-ins, with the switch.
type Desk struct {
	Walkins
	On          bool
	PausedUntil *time.Time // nil: not paused
	Version     int64      // of the location
}

// Desk returns the walk-in state in the desk's view, in one round trip. Errors: fault.Missing for the location,
// policy.ErrMissingFeature (location.view there).
func (s *Service) Desk(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (Desk, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Desk{}, err
	}
	v := s.db.View(sc.Tenant)
	p, err := walkinFacts(ctx, v, location, 0)
	if err != nil {
		return Desk{}, err
	}
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return Desk{}, err
	}
	return p.desk(v.Now())
}

func (p walkinPlace) desk(now time.Time) (Desk, error) {
	w, err := LiveOf(p.Facts, nil, now)
	d := Desk{Walkins: w, On: !p.Off, Version: p.Version}
	if p.PausedUntil != nil && now.Before(*p.PausedUntil) {
		d.PausedUntil = p.PausedUntil
	}
	return d, err
}
