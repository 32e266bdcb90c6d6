package business

import (
	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/policy"
)

// FeatureAccess is a feature, who has it by role, and what the caller has of it.
type FeatureAccess struct {
	policy.Description
	Roles []RoleReach // the published table (A65): the built-in roles that have it
	Held  Held
}

// RoleReach says how far a built-in role reaches with a feature.
type RoleReach struct {
	Role    policy.Role
	Reach   policy.Reach
	Limited bool
}

// Held is what the caller has of a feature.
type Held struct {
	Everywhere bool
	Locations  []uuid.UUID // where, when not everywhere
	Own        bool        // for their own rows
}

// Features lists all features in the order of the published table, with the caller's own set. Any member and any key of
// the business may see it; it reads nothing. A54, A65, A218.
func (s *Service) Features(sc tenancy.Scope) []FeatureAccess {
	out := make([]FeatureAccess, 0, len(policy.All))
	for _, d := range policy.All {
		f := FeatureAccess{Description: d, Roles: []RoleReach{}}
		for _, role := range policy.Roles() {
			if permit, ok := policy.RoleBundle(role)[d.Feature]; ok {
				f.Roles = append(f.Roles, RoleReach{Role: role, Reach: permit.Reach, Limited: permit.Limited})
			}
		}
		if cover, err := policy.Where(sc, d.Feature); err == nil {
			f.Held = Held{Everywhere: cover.Everywhere, Locations: cover.Locations, Own: cover.Own}
		}
		out = append(out, f)
	}
	return out
}
