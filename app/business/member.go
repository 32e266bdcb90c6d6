package business

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Member is a person on the team.
type Member struct {
	ID        uuid.UUID
	PersonID  uuid.UUID
	Name      string // what the studio calls them
	Bookable  bool   // may teach or be booked
	Active    bool
	DailyCap  *int    // most appointments a day; nil: no limit
	WeeklyCap *int    // most appointments a week, Monday to Sunday
	Access    *Access // nil for a caller who may not see it
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Access is what only those who run the team see of a member, and the member themselves.
type Access struct {
	Email         string
	Roles         []RoleAt // none: on the team's page only
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

// The refusals about the team.
var (
	ErrLastOwner    = fault.New(fault.Conflict, "last_owner", "A business needs an owner. Make somebody else one first.")
	ErrMemberExists = fault.New(fault.Conflict, "member_exists", "This person is on the team already.")
)

// public is the member without what the caller may not see.
func (m Member) public(sc tenancy.Scope) Member {
	if policy.Require(sc, policy.TeamManage) != nil && m.PersonID != sc.Person() {
		m.Access = nil
	}
	return m
}

func (m Member) owns() bool {
	for _, r := range m.Access.Roles {
		if r.Role == policy.Owner {
			return true
		}
	}
	return false
}

// assignments puts roles into policy's words.
func assignments(roles []RoleAt) []policy.Assignment {
	out := make([]policy.Assignment, len(roles))
	for i, r := range roles {
		out[i] = policy.Assignment{Role: r.Role, Location: r.place()}
	}
	return out
}
