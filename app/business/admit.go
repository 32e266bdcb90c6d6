package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/policy"
)

// Admit tells what a principal may do in a business: for a person what their roles add up to, for an API key the features
// it was made with. exists is false when there is no such business; member is false for somebody without a role in it, a
// deactivated member, and a key of another business or one that is revoked or over.
//
// It is one statement and nothing is remembered between calls, so a role or key that is taken away is gone at the next
// request. A47, A53, A55.
func (s *Service) Admit(ctx context.Context, p tenancy.Principal, business uuid.UUID) (g tenancy.Grants, exists, member bool, err error) {
	if business == uuid.Nil {
		return tenancy.Grants{}, false, false, nil // no tenant has this id, and no view
	}
	v := s.o.DB.View(business)
	if p.Kind == tenancy.ActorKey {
		features, exists, found, err := keyFeatures(ctx, v, p.ID)
		if err != nil || !found || p.Business != business {
			return tenancy.Grants{}, exists, false, err
		}
		return tenancy.Grants{All: features}, true, true, nil
	}
	roles, exists, err := rolesOf(ctx, v, p.Person())
	if err != nil || len(roles) == 0 {
		return tenancy.Grants{}, exists, false, err
	}
	return policy.GrantsFor(assignments(roles)), true, true, nil
}

// FeatureAccess is a feature, who has it by role, and what the caller has of it.
type FeatureAccess struct {
	policy.Description
	Roles []RoleReach // the published table (A65): the built-in roles that have it
	Held  policy.Cover
}

// RoleReach says how far a built-in role reaches with a feature.
type RoleReach struct {
	Role policy.Role
	policy.Permit
}

// Features lists all features in the order of the published table, with the caller's own set. Any member and any key of
// the business may see it; it reads nothing. A54, A65, A218.
func (s *Service) Features(sc tenancy.Scope) []FeatureAccess {
	out := make([]FeatureAccess, 0, len(policy.All))
	for _, d := range policy.All {
		f := FeatureAccess{Description: d, Roles: []RoleReach{}}
		for _, role := range policy.Roles() {
			if permit, ok := policy.RoleBundle(role)[d.Feature]; ok {
				f.Roles = append(f.Roles, RoleReach{role, permit})
			}
		}
		f.Held, _ = policy.Where(sc, d.Feature) // who is refused holds nothing
		out = append(out, f)
	}
	return out
}
