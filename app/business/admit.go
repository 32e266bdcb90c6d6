package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Admit returns the grants of a principal in a business: of a person, the sum of their roles; of an API key, the
// features of the key. exists is false when there is no such business. member is false for a person without a role in
// it, a deactivated member, a key or an assistant of another business, and a revoked or expired key.
//
// It runs one statement and caches nothing between calls, so a revoked role or key is refused at the next request.
// A47, A53, A55. A request with a credential that has not been read yet queues both reads in one batch (QueueMember,
// QueueKey).
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
	if err != nil || len(roles) == 0 || !p.Reaches(business) {
		return tenancy.Grants{}, exists, false, err
	}
	return policy.GrantsFor(assignments(roles)), true, true, nil
}

// Caller is the principal of a credential, with their grants in one business, as Admit returns them.
type Caller struct {
	tenancy.Principal
	Grants         tenancy.Grants
	Exists, Member bool
}

// QueueMember queues in a batch of v the read of the session of a token's hash, with the person's grants in the
// business of v. After the batch was sent, the returned function returns the caller. Its only error is
// identity.ErrSession.
func QueueMember(b *pg.Batch, v *pg.View, hash []byte) (who func() (Caller, error)) {
	var rows []callerRow
	pg.QueueAll(b, &rows, selectCaller, append(identity.SessionArgs(hash, v.Now()), v.Business())...)
	return func() (Caller, error) {
		if len(rows) == 0 {
			return Caller{}, identity.ErrSession
		}
		roles := make([]RolesRow, len(rows))
		for i, r := range rows {
			roles[i] = r.RolesRow
		}
		return CallerOf(rows[0].Who(), roles), nil
	}
}

// FeatureAccess is a feature with the built-in roles that have it, and the caller's own access to it.
type FeatureAccess struct {
	policy.Description
	Roles []RoleReach // published table (A65): built-in roles with the feature
	Held  policy.Cover
}

// RoleReach is the reach of a feature in a built-in role.
type RoleReach struct {
	Role policy.Role
	policy.Permit
}

// Features lists all features in the order of the published table, with the caller's own access. Every member and
// every key of the business may read it. It makes no round trip. A54, A65, A218.
func (s *Service) Features(sc tenancy.Scope) []FeatureAccess {
	out := make([]FeatureAccess, 0, len(policy.All))
	for _, d := range policy.All {
		f := FeatureAccess{Description: d, Roles: []RoleReach{}}
		for _, role := range policy.Roles() {
			if permit, ok := policy.RoleBundle(role)[d.Feature]; ok {
				f.Roles = append(f.Roles, RoleReach{role, permit})
			}
		}
		f.Held, _ = policy.Where(sc, d.Feature) // a refused caller has none
		out = append(out, f)
	}
	return out
}
