package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// LocationPolicy is the policy of a location for offerings without one of their own. There is always one.
type LocationPolicy struct {
	LocationID uuid.UUID
	PolicyID   *uuid.UUID // nil: the standard rules
	Name       string
	Rules      Rules
	Currency   money.Currency // of the amounts: the location's
	Version    int64          // the location's
}

// LocationPolicy returns the default policy of a location. It needs location.view there; an unknown location is not
// found.
func (s *Service) LocationPolicy(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (LocationPolicy, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return LocationPolicy{}, err
	}
	p, err := placePolicy(ctx, s.o.DB.View(sc.Tenant), location)
	if err != nil {
		return LocationPolicy{}, err
	}
	return p, policy.RequireAt(sc, policy.LocationView, location)
}

// PutLocationPolicyInput chooses the default policy of a location.
type PutLocationPolicyInput struct {
	LocationID uuid.UUID
	PolicyID   *uuid.UUID // nil: the standard rules
	Version    int64      // of the location that was read; 0: any
}

// PutLocationPolicy sets the default policy of a location. It needs catalog.manage there.
//
// Errors:
//   - not found for an unknown location
//   - ErrLocationArchived
//   - fault.ErrStale
//   - a wrong field for an unknown or archived policy
func (s *Service) PutLocationPolicy(ctx context.Context, sc tenancy.Scope, in PutLocationPolicyInput) (LocationPolicy, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return LocationPolicy{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (LocationPolicy, error) {
		place, err := lockPlace(ctx, tx, in.LocationID)
		if err != nil {
			return LocationPolicy{}, err
		}
		if err := policy.RequireAt(sc, policy.CatalogManage, in.LocationID); err != nil {
			return LocationPolicy{}, err
		}
		switch {
		case place.Archived:
			return LocationPolicy{}, ErrLocationArchived
		case in.Version != 0 && in.Version != place.Version:
			return LocationPolicy{}, fault.ErrStale.With("version", place.Version)
		}
		if same(place.PolicyID, in.PolicyID) {
			return placePolicy(ctx, tx, in.LocationID)
		}
		if err := choosable(ctx, tx, in.PolicyID); err != nil {
			return LocationPolicy{}, err
		}
		if err := business.SetPolicyTx(ctx, tx, in.LocationID, in.PolicyID); err != nil {
			return LocationPolicy{}, err
		}
		return placePolicy(ctx, tx, in.LocationID)
	})
}

// choosable refuses a policy that is not there or is archived, and keeps the row from being archived until the
// transaction ends.
func choosable(ctx context.Context, tx *pg.Tx, id *uuid.UUID) error {
	if id == nil {
		return nil
	}
	ok, err := policyInForce(ctx, tx, *id)
	return fault.When(!ok, fault.Invalid("policyId", "There is no such policy."), err)
}

// same reports whether two references name the same record, or none.
func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
