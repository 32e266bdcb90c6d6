package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Admit tells what a principal may do in a business: for a person what their roles add up to, for an API key the features
// it was made with. exists is false when there is no such business; member is false for somebody without a role in it, a
// deactivated member, and a key of another business or one that is revoked or over.
//
// It is one statement and nothing is remembered between calls, so a role or key that is taken away is gone at the next
// request. A47, A53, A55. A request whose credential has yet to be read asks both at once (QueueMember, QueueKey).
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

// Caller is who a credential stands for, and what they may do in one business: what Admit answers about them.
type Caller struct {
	tenancy.Principal
	Grants         tenancy.Grants
	Exists, Member bool
}

// QueueMember adds to a batch of v the question who is behind the session of a token's hash, and what they may do in the
// business of v. Once the batch was sent, who answers; its only refusal is identity.ErrSession.
func QueueMember(b *pg.Batch, v *pg.View, hash []byte) (who func() (Caller, error)) {
	var rows []callerRow
	pg.QueueAll(b, &rows, selectCaller, append(identity.SessionArgs(hash, v.Now()), v.Business())...)
	return func() (Caller, error) {
		if len(rows) == 0 {
			return Caller{}, identity.ErrSession
		}
		c := Caller{Principal: rows[0].Who(), Exists: rows[0].Exists, Member: rows[0].Role != ""}
		if !c.Member {
			return c, nil
		}
		roles := make([]RoleAt, len(rows))
		for i, r := range rows {
			roles[i] = r.RoleAt
		}
		c.Grants = policy.GrantsFor(assignments(roles))
		return c, nil
	}
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
