package availability

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// PlaceHours is a week at one location, on its wall clock.
type PlaceHours struct {
	LocationID uuid.UUID
	Intervals  []business.Interval
}

// MemberHours is when somebody can be booked, location by location. Where they have no hours they give no appointments.
type MemberHours struct {
	MemberID  uuid.UUID
	Locations []PlaceHours
}

// PlacesMax is how many locations one person can have hours at.
const PlacesMax = 100

// Validate checks the weeks as far as it goes without the database. Fields are body.locations[0].locationId and, in
// body.locations[0].hours, those of business.CheckWeek.
func (in MemberHours) Validate() error {
	var c fault.Checks
	c.That(len(in.Locations) <= PlacesMax, "locations", fmt.Sprintf("Use at most %d locations.", PlacesMax))
	seen := map[uuid.UUID]bool{}
	for i, p := range in.Locations[:min(len(in.Locations), PlacesMax)] {
		at := fmt.Sprintf("locations[%d]", i)
		c.That(!seen[p.LocationID], at+".locationId", "This location is named twice.")
		seen[p.LocationID] = true
		business.CheckWeek(&c, at+".hours", p.Intervals)
	}
	return c.Err()
}

// ownOrTeam lets a member through on what is their own, and whoever runs the team on everybody's.
func ownOrTeam(sc tenancy.Scope, m business.Member) error {
	if isOwn(sc, m) {
		return policy.RequireAny(sc, policy.LocationView)
	}
	return policy.Require(sc, policy.TeamManage)
}

func isOwn(sc tenancy.Scope, m business.Member) bool {
	return sc.Person() != uuid.Nil && sc.Person() == m.PersonID
}

// MemberHours returns when a member can be booked. It needs location.view and shows the locations where the caller has
// it, the member themselves all of them. An unknown member is not found.
func (s *Service) MemberHours(ctx context.Context, sc tenancy.Scope, member uuid.UUID) (MemberHours, error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return MemberHours{}, err
	}
	v := s.db.View(sc.Tenant)
	m, err := business.MemberOf(ctx, v, member)
	if err != nil {
		return MemberHours{}, err
	}
	if isOwn(sc, m) {
		cover = policy.Cover{Everywhere: true}
	}
	return memberHours(ctx, v, member, cover)
}

// PutMemberHours replaces when a member can be booked, at all locations at once; the last one to write wins. Bookings that
// exist stay. It needs location.view for one's own hours and team.manage for others'. An unknown member is not found; a
// location that is not there or archived is a wrong field.
func (s *Service) PutMemberHours(ctx context.Context, sc tenancy.Scope, in MemberHours) (MemberHours, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return MemberHours{}, err
	}
	if err := in.Validate(); err != nil {
		return MemberHours{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (MemberHours, error) {
		if err := lockMember(ctx, tx, sc, in.MemberID); err != nil {
			return MemberHours{}, err
		}
		if err := in.placesExist(ctx, tx); err != nil {
			return MemberHours{}, err
		}
		if err := replaceMemberHours(ctx, tx, in); err != nil {
			return MemberHours{}, err
		}
		return memberHours(ctx, tx, in.MemberID, policy.Cover{Everywhere: true})
	})
}

// lockMember admits the caller to what is a member's own. It keeps the row: who is about to book the member waits, or was
// there before.
func lockMember(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID) error {
	m, err := business.MemberOf(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := ownOrTeam(sc, m); err != nil {
		return err
	}
	_, err = claim.LockTx(ctx, tx, []uuid.UUID{id}, nil)
	return err
}

func (in MemberHours) placesExist(ctx context.Context, tx *pg.Tx) error {
	ids := make([]uuid.UUID, len(in.Locations))
	for i, p := range in.Locations {
		ids[i] = p.LocationID
	}
	live, err := placesInUse(ctx, tx, ids)
	if err != nil {
		return err
	}
	var c fault.Checks
	for i, id := range ids {
		c.That(live[id], fmt.Sprintf("locations[%d].locationId", i), "There is no such location.")
	}
	return c.Err()
}
