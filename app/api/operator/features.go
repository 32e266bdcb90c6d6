package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/policy"
)

// FeatureTable is every feature, in the order of the published table (docs/roles.md). A65.
type FeatureTable struct {
	Features []Feature `json:"features"`
}

// Feature is a permission, who has it by role, and what the caller has of it.
type Feature struct {
	Name        string         `json:"name" example:"booking.manage"`
	Description string         `json:"description" doc:"What it lets somebody do."`
	Limit       string         `json:"limit" doc:"What its limited form allows; empty when it has none."`
	Own         string         `json:"own" doc:"What a person's own rows are; empty when no role has it for own rows."`
	Keys        policy.KeyRule `json:"keys" doc:"Whether an API key may have it: by default, if the person who makes the key has it, or never."`
	Roles       []RoleReach    `json:"roles" doc:"The roles that have it."`
	Held        HeldFeature    `json:"held"`
}

// RoleReach says how far a role reaches with a feature.
type RoleReach struct {
	Role    policy.Role `json:"role"`
	Reach   string      `json:"reach" enum:"own,location,all"`
	Limited bool        `json:"limited"`
}

// HeldFeature is what the caller has of a feature.
type HeldFeature struct {
	Everywhere bool        `json:"everywhere"`
	Locations  []uuid.UUID `json:"locations" doc:"Where, when not everywhere."`
	Own        bool        `json:"own" doc:"For own rows."`
}

func (a *surface) listFeatures(_ context.Context, sc tenancy.Scope, _ *wire.Nothing) (FeatureTable, error) {
	return FeatureTable{Features: wire.Show(a.Business.Features(sc), showFeature)}, nil
}

func showFeature(f business.FeatureAccess) Feature {
	return Feature{
		Name: string(f.Feature), Description: f.Description.Description, Limit: f.Limit, Own: f.Own, Keys: f.Key,
		Roles: wire.Show(f.Roles, func(r business.RoleReach) RoleReach {
			return RoleReach{Role: r.Role, Reach: r.Reach.String(), Limited: r.Limited}
		}),
		Held: HeldFeature{Everywhere: f.Held.Everywhere, Locations: f.Held.Locations, Own: f.Held.Own},
	}
}
