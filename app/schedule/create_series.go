package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// StartMaxDays is the maximum number of days before the start of a new series: two years.
const StartMaxDays = 2 * 365

// CreateSeriesInput is a new series of a class. Rule.Minutes 0 means the offering's length.
type CreateSeriesInput struct {
	OfferingID     uuid.UUID
	Rule           Rule
	MemberID       *uuid.UUID // the instructor: an active member of the team
	SpaceID        *uuid.UUID // a space of the offering's location that is in use
	Capacity       *int       // nil: the offering's, or the space's when that is less
	OnlineCapacity *int       // nil: all seats if the offering sells all online, else its number
	AllowConflicts bool       // the instructor and the space may be double-booked
}

// NewSeries is a new series, with the dates written at once.
type NewSeries struct {
	Series
	First Written
}

// Effects returns the dates.
func (s NewSeries) Effects() any { return s.First }

// Written are written dates, and their double bookings.
type Written struct {
	Dates     []PlannedDate
	Conflicts []claim.ConflictDetail
}

// Validate checks the input without the database. The error names every wrong field: those of Rule.Check under body,
// body.capacity and body.onlineCapacity.
func (in CreateSeriesInput) Validate() error {
	var checks fault.Checks
	rule := in.Rule
	if rule.Minutes == 0 {
		rule.Minutes = MinutesMin // in place of the offering's
	}
	rule.Check(&checks)
	in.checkSeats(&checks)
	return checks.Err()
}

// CreateSeries makes a series and writes its dates of the next 26 weeks, or all dates of a series of a course, which
// has to end. The dates claim the instructor and the space. It needs catalog.manage at the offering's location.
//
// Errors:
//   - not found for an unknown offering
//   - ErrNotAClass
//   - catalog.ErrArchived, catalog.ErrLocationArchived
//   - ErrStaffBusy and ErrSpaceBusy with details.conflicts, unless AllowConflicts
//   - Validation, with all wrong fields, for everything else
func (s *Service) CreateSeries(ctx context.Context, sc tenancy.Scope, in CreateSeriesInput) (NewSeries, error) {
	return begin(ctx, s, sc, policy.CatalogManage, in.Validate(), "", func(tx *pg.Tx) (NewSeries, error) {
		g, err := groundOf(ctx, tx, in)
		if err != nil {
			return NewSeries{}, err
		}
		if err := policy.RequireAt(sc, policy.CatalogManage, g.LocationID); err != nil {
			return NewSeries{}, err
		}
		series, dates, err := in.series(g, tx.Now())
		if err != nil {
			return NewSeries{}, err
		}
		return in.write(ctx, tx, series, dates)
	})
}

// write writes the series, its dates and their claims.
func (in CreateSeriesInput) write(ctx context.Context, tx *pg.Tx, series Series, dates []placed) (NewSeries, error) {
	out := NewSeries{Series: series}
	var claims []claim.Claim
	for i := range dates {
		d := &dates[i]
		d.id = pg.NewID()
		claims = append(claims, d.claims(series)...)
		out.First.Dates = append(out.First.Dates, PlannedDate{StartsAt: d.StartsAt, EndsAt: d.EndsAt})
	}
	clashes, rows, err := claim.CheckTx(ctx, tx, claims)
	if err != nil {
		return NewSeries{}, err
	}
	if len(clashes) > 0 && !in.AllowConflicts {
		return NewSeries{}, claim.Refusal(clashes)
	}
	out.First.Conflicts = claim.ConflictDetails(clashes)
	if err := insertSeries(ctx, tx, series); err != nil {
		return NewSeries{}, err
	}
	if err := insertDates(ctx, tx, series, dates); err != nil {
		return NewSeries{}, err
	}
	return out, claim.InsertTx(ctx, tx, rows)
}

func (in CreateSeriesInput) checkSeats(checks *fault.Checks) {
	if in.Capacity != nil {
		checks.That(*in.Capacity >= 1 && *in.Capacity <= catalog.CapacityMax, "capacity",
			fmt.Sprintf("Must be between 1 and %d seats.", catalog.CapacityMax))
	}
	if in.OnlineCapacity != nil {
		checks.That(*in.OnlineCapacity >= 0, "onlineCapacity", "Must be 0 or more.")
	}
}

// ground is the offering, location, member and space of a new series, read and locked in one statement.
type ground struct {
	LocationID       uuid.UUID
	Kind             catalog.Kind
	State            catalog.State
	Course           bool // a booking is for all dates, so the series has to have an end
	DurationMinutes  int
	Capacity         int
	OnlineCapacity   int
	Zone             string
	LocationArchived bool
	Instructor       *string // nil: no such active member
	Space            *string // nil: no such space in use at the location
	SpaceCapacity    *int
}

// refusal is why there can be no series here; nil when there can.
func (g ground) refusal() error {
	switch {
	case g.Kind != catalog.Class:
		return ErrNotAClass
	case g.State == catalog.Archived:
		return catalog.ErrArchived
	case g.LocationArchived:
		return catalog.ErrLocationArchived
	}
	return nil
}

// check records a member or a space of the input that does not exist.
func (g ground) check(c *fault.Checks, member, space *uuid.UUID) {
	c.That(member == nil || g.Instructor != nil, "memberId", "There is no such active member of the team.")
	c.That(space == nil || g.Space != nil, "spaceId", "There is no such space at this location.")
}

// series is the row to write, with its first dates.
func (in CreateSeriesInput) series(g ground, now time.Time) (Series, []placed, error) {
	if err := g.refusal(); err != nil {
		return Series{}, nil, err
	}
	loc, err := civil.LoadZone(g.Zone)
	if err != nil {
		return Series{}, nil, err
	}
	rule := in.Rule.tidy()
	if rule.Minutes == 0 {
		rule.Minutes = g.DurationMinutes
	}
	var checks fault.Checks
	rule.checkStart(&checks, civil.LocalDate(now, loc))
	g.checkCourse(&checks, rule, civil.LocalDate(now, loc))
	capacity, online := in.seats(g, &checks)
	g.check(&checks, in.MemberID, in.SpaceID)
	if err := checks.Err(); err != nil {
		return Series{}, nil, err
	}
	h := rule.horizon(loc, nil, now, g.Course)
	return Series{
		ID: pg.NewID(), OfferingID: in.OfferingID, LocationID: g.LocationID, Rule: rule, Zone: g.Zone,
		MemberID: in.MemberID, Instructor: deref(g.Instructor), SpaceID: in.SpaceID, Space: deref(g.Space),
		Capacity: capacity, OnlineCapacity: online, WrittenTo: &h.to, DueAt: h.due,
		Version: 1, CreatedAt: now, UpdatedAt: now,
	}, h.dates, nil
}

func (r Rule) checkStart(c *fault.Checks, today civil.Date) {
	c.That(!r.Start.Before(today), "start", "The first date must not be in the past.")
	c.That(today.DaysUntil(r.Start) <= StartMaxDays, "start", "The first date must be within two years.")
	for i, d := range r.Extra {
		c.That(!d.Before(today) && today.DaysUntil(d) <= StartMaxDays, fmt.Sprintf("extraDates[%d]", i),
			"The date must not be in the past, and within two years.")
	}
	_, any := r.first()
	c.That(any, "weekdays", "This rule has no dates.")
}

// seats computes the number of seats, and the number sold online. Given numbers must fit. Missing ones follow the
// ground: all seats if all of its seats are sold online, else as many as there, capped by the number of seats, since
// that number is a maximum.
func (in CreateSeriesInput) seats(g ground, c *fault.Checks) (capacity, online int) {
	capacity = g.Capacity
	if in.Capacity != nil {
		capacity = *in.Capacity
	}
	if g.SpaceCapacity != nil {
		holds := *g.SpaceCapacity
		c.That(in.Capacity == nil || capacity <= holds, "capacity", fmt.Sprintf("The space has a capacity of %d.", holds))
		capacity = min(capacity, holds)
	}
	if in.OnlineCapacity == nil {
		if g.OnlineCapacity == g.Capacity { // all are sold online, however many there are
			return capacity, capacity
		}
		return capacity, min(g.OnlineCapacity, capacity)
	}
	c.That(*in.OnlineCapacity <= capacity, "onlineCapacity", fmt.Sprintf("There are %d seats.", capacity))
	return capacity, *in.OnlineCapacity
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
