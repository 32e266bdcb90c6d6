package availability

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// LocationHours is a week at one location, on its wall clock.
type LocationHours struct {
	LocationID uuid.UUID
	Intervals  []business.Interval
}

// MemberHours are the hours at which a member can be booked, location by location. A location without hours has no
// appointments with them.
type MemberHours struct {
	MemberID  uuid.UUID
	Locations []LocationHours
}

// LocationsMax is the maximum number of locations with hours of one person.
const LocationsMax = 100

// Validate checks the weeks without the database. Fields are body.locations[0].locationId and, in
// body.locations[0].hours, those of business.CheckWeek.
func (in MemberHours) Validate() error {
	var c fault.Checks
	c.That(len(in.Locations) <= LocationsMax, "locations", fmt.Sprintf("Use at most %d locations.", LocationsMax))
	seen := map[uuid.UUID]bool{}
	for i, p := range in.Locations[:min(len(in.Locations), LocationsMax)] {
		at := fmt.Sprintf("locations[%d]", i)
		c.That(!seen[p.LocationID], at+".locationId", "This location is named twice.")
		seen[p.LocationID] = true
		business.CheckWeek(&c, at+".hours", p.Intervals)
	}
	return c.Err()
}

// ownOrTeam allows members to change their own records, and managers of the team all records.
func ownOrTeam(sc tenancy.Scope, m business.Member) error {
	if isOwn(sc, m) {
		return policy.RequireAny(sc, policy.LocationView)
	}
	return policy.Require(sc, policy.TeamManage)
}

func isOwn(sc tenancy.Scope, m business.Member) bool {
	return sc.Person() != uuid.Nil && sc.Person() == m.PersonID
}

// MemberHours returns the hours of a member. It needs location.view and returns the locations where the caller has
// it, for the member's own all of them. An unknown member is not found.
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

// MembersAt returns the members with hours at a location. It needs location.view there.
func (s *Service) MembersAt(ctx context.Context, sc tenancy.Scope, location uuid.UUID) ([]uuid.UUID, error) {
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return nil, err
	}
	return membersAt(ctx, s.db.View(sc.Tenant), location)
}

// PutMemberHours replaces the hours of a member, at all locations at once; the last write wins. Existing bookings
// stay. It needs location.view for one's own hours and team.manage for others'. An unknown member is not found; an
// unknown or archived location is a wrong field.
func (s *Service) PutMemberHours(ctx context.Context, sc tenancy.Scope, in MemberHours) (MemberHours, error) {
	return begin(ctx, s, sc, policy.LocationView, in.Validate(), func(tx *pg.Tx) (MemberHours, error) {
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

// lockMember checks the caller's grants for a member's own records. It locks the row: a concurrent booking of the
// member waits, or came before.
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
		c.That(slices.Contains(live, id), fmt.Sprintf("locations[%d].locationId", i), "There is no such location.")
	}
	return c.Err()
}

// SpaceHours is the week of a space on its location's wall clock. A space without intervals is open with its location.
type SpaceHours struct {
	LocationID uuid.UUID
	SpaceID    uuid.UUID
	Intervals  []business.Interval
}

// SpaceHours returns the hours of a space. It needs location.view at the location; an unknown location or space is
// not found.
func (s *Service) SpaceHours(ctx context.Context, sc tenancy.Scope, location, space uuid.UUID) (SpaceHours, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return SpaceHours{}, err
	}
	v := s.db.View(sc.Tenant)
	if _, err := placeOf(ctx, v, sc, policy.LocationView, location); err != nil {
		return SpaceHours{}, err
	}
	if _, err := business.SpaceOf(ctx, v, location, space); err != nil {
		return SpaceHours{}, err
	}
	return spaceHours(ctx, v, location, space)
}

// PutSpaceHours replaces the hours of a space; none opens it with its location again. The last write wins, and
// existing bookings stay. It needs location.manage at the location; an unknown location or space is not found, an
// archived space business.ErrSpaceArchived.
func (s *Service) PutSpaceHours(ctx context.Context, sc tenancy.Scope, in SpaceHours) (SpaceHours, error) {
	var c fault.Checks
	business.CheckWeek(&c, "intervals", in.Intervals)
	return begin(ctx, s, sc, policy.LocationManage, c.Err(), func(tx *pg.Tx) (SpaceHours, error) {
		if err := lockSpace(ctx, tx, sc, policy.LocationManage, in.LocationID, in.SpaceID); err != nil {
			return SpaceHours{}, err
		}
		if err := replaceSpaceHours(ctx, tx, in); err != nil {
			return SpaceHours{}, err
		}
		return spaceHours(ctx, tx, in.LocationID, in.SpaceID)
	})
}

// placeOf reads a location and checks a feature there. An id the business does not have is not found.
func placeOf(ctx context.Context, r pg.Reader, sc tenancy.Scope, feature tenancy.Feature, location uuid.UUID) (business.Location, error) {
	l, err := business.LocationOf(ctx, r, location)
	if err != nil {
		return business.Location{}, err
	}
	return l, policy.RequireAt(sc, feature, location)
}

// lockSpace locks the row of a space in use for a change, and checks a feature at its location: a concurrent booking
// of the space waits, or came before.
func lockSpace(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, feature tenancy.Feature, location, space uuid.UUID) error {
	if _, err := placeOf(ctx, tx, sc, feature, location); err != nil {
		return err
	}
	if _, err := claim.LockTx(ctx, tx, nil, []uuid.UUID{space}); err != nil {
		return err
	}
	found, err := business.SpaceOf(ctx, tx, location, space)
	if err == nil && found.ArchivedAt != nil {
		err = business.ErrSpaceArchived
	}
	return err
}
