package business

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Member is a person on the team.
type Member struct {
	ID        uuid.UUID
	PersonID  uuid.UUID
	Name      string // the member's name in the studio
	Bookable  bool   // can be booked as an instructor
	Active    bool
	DailyCap  *int    // most appointments a day; nil: no limit
	WeeklyCap *int    // most appointments a week, Monday to Sunday
	Access    *Access // nil for a caller without the right to see it
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Access is the part of a member that only team managers and the member see.
type Access struct {
	Email         string
	Roles         []RoleAt // empty: on the team's page only
	DeactivatedAt *time.Time
}

// RoleAt is a role, at one location or in the whole business.
type RoleAt struct {
	Role       policy.Role `json:"role"`
	LocationID *uuid.UUID  `json:"location_id"` // nil: the whole business
}

func (r RoleAt) place() uuid.UUID {
	if r.LocationID == nil {
		return uuid.Nil
	}
	return *r.LocationID
}

func (r RoleAt) same(other RoleAt) bool { return r.Role == other.Role && r.place() == other.place() }

// Errors about the team.
var (
	ErrLastOwner    = fault.New(fault.Conflict, "last_owner", "A business needs an owner. Make another member an owner first.")
	ErrMemberExists = fault.New(fault.Conflict, "member_exists", "This person is already on the team.")
)

// public returns the member without the fields that the caller may not see.
func (m Member) public(sc tenancy.Scope) Member {
	if policy.Require(sc, policy.TeamManage) != nil && m.PersonID != sc.Person() {
		m.Access = nil
	}
	return m
}

func (m Member) owns() bool {
	return slices.ContainsFunc(m.Access.Roles, func(r RoleAt) bool { return r.Role == policy.Owner })
}

// assignments converts roles to policy's type.
func assignments(roles []RoleAt) []policy.Assignment {
	out := make([]policy.Assignment, len(roles))
	for i, r := range roles {
		out[i] = policy.Assignment{Role: r.Role, Location: r.place()}
	}
	return out
}

// Members lists the team, deactivated members included. A caller without team.manage sees only their own access.
// Errors: policy.ErrMissingFeature (location.view), Validation on limit.
func (s *Service) Members(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[Member, uuid.UUID], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listMembers(ctx, s.o.DB.View(sc.Tenant), in)
	for i := range rows {
		rows[i] = rows[i].public(sc)
	}
	return paging.Of(rows, in.Size(), func(m Member) uuid.UUID { return m.ID }), err
}

// Member returns one member, like Members. Errors: policy.ErrMissingFeature (location.view), fault.Missing.
func (s *Service) Member(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Member, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Member{}, err
	}
	m, err := MemberOf(ctx, s.o.DB.View(sc.Tenant), id)
	return m.public(sc), err
}
