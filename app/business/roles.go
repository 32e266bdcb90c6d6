package business

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// checkRoles checks the form of a list of roles: known ones, without duplicates. mayGive checks the right to grant
// them.
func checkRoles(c *fault.Checks, roles []RoleAt) {
	c.That(len(roles) <= MaxRoles, "roles", fmt.Sprintf("Use at most %d roles.", MaxRoles))
	for i, r := range roles[:min(len(roles), MaxRoles)] { // each is compared with those before it
		field := fmt.Sprintf("roles[%d]", i)
		c.That(slices.Contains(policy.Roles(), r.Role), field+".role", "This role does not exist.")
		c.That((r.Role != policy.Owner && r.Role != policy.Admin) || r.LocationID == nil, field+".locationId",
			"This role is for the whole business. Omit the location.")
		c.That(!slices.ContainsFunc(roles[:i], r.same), field+".role", "This role is listed twice.")
	}
}

// granter returns the grants that the caller may pass on. The system holds every feature although its grants are
// empty.
func granter(sc tenancy.Scope) tenancy.Grants {
	if sc.Kind == tenancy.ActorSystem {
		return policy.GrantsFor([]policy.Assignment{{Role: policy.Owner}})
	}
	return sc.Grants
}

// mayGive refuses a change of a role that the caller may not grant: its features must be the caller's, and only an
// owner adds or removes an owner.
func mayGive(sc tenancy.Scope, roles []RoleAt) error {
	for _, r := range roles {
		if err := policy.CanAssign(granter(sc), r.Role, r.place()); err != nil {
			return err
		}
	}
	return nil
}

// placesExist refuses roles at a location that the business does not have, or has archived.
func placesExist(ctx context.Context, tx *pg.Tx, roles []RoleAt) error {
	var ids []uuid.UUID
	for _, r := range roles {
		if r.LocationID != nil && !slices.Contains(ids, *r.LocationID) {
			ids = append(ids, *r.LocationID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	n, err := countLive(ctx, tx, ids)
	return fault.When(n < len(ids), fault.Missing(), err)
}

// without returns the roles of a that b does not have.
func without(a, b []RoleAt) []RoleAt {
	return slices.DeleteFunc(slices.Clone(a), func(r RoleAt) bool { return slices.ContainsFunc(b, r.same) })
}
