package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CreatePolicyInput is a new policy.
type CreatePolicyInput struct {
	Name  string
	Rules Rules
}

// CreatePolicy adds a policy; nothing uses it yet. It needs catalog.manage in the whole business, as policies are shared.
// A name that another one has is ErrPolicyName.
func (s *Service) CreatePolicy(ctx context.Context, sc tenancy.Scope, in CreatePolicyInput) (Policy, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Policy{}, err
	}
	p := Policy{Name: in.Name, Rules: in.Rules, Version: 1}
	var checks fault.Checks
	p.check(&checks)
	if err := checks.Err(); err != nil {
		return Policy{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Policy, error) {
		house, err := business.BusinessOf(ctx, tx)
		if err != nil {
			return Policy{}, err
		}
		p.ID, p.Currency, p.CreatedAt, p.UpdatedAt = pg.NewID(), house.Currency, tx.Now(), tx.Now()
		return p, insertPolicy(ctx, tx, p)
	})
}

// UpdatePolicyInput changes a policy: a nil field stays as it is.
type UpdatePolicyInput struct {
	ID      uuid.UUID
	Version int64 // the version the caller has read
	Name    *string
	Rules   *Rules // as a whole
}

// UpdatePolicy changes a policy and with it the rules of whatever points at it. Bookings that exist keep the rules they
// were made under. It needs catalog.manage in the whole business; further refusals are fault.ErrStale, ErrPolicyArchived and
// ErrPolicyName.
func (s *Service) UpdatePolicy(ctx context.Context, sc tenancy.Scope, in UpdatePolicyInput) (Policy, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Policy{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Policy, error) {
		p, err := lockPolicy(ctx, tx, in.ID)
		if err != nil {
			return Policy{}, err
		}
		if err := fault.Stale(in.Version, p.Version); err != nil {
			return Policy{}, err
		}
		if p.ArchivedAt != nil {
			return Policy{}, ErrPolicyArchived
		}
		was := p
		patch.Set(&p.Name, in.Name)
		patch.Set(&p.Rules, in.Rules)
		var checks fault.Checks
		p.check(&checks)
		if err := checks.Err(); err != nil || p == was {
			return p, err
		}
		return p, savePolicy(ctx, tx, &p)
	})
}

// ArchivePolicy takes a policy out of use. It needs catalog.manage in the whole business. While a location or an offering
// points at it, other than archived ones, it is ErrPolicyInUse. Archiving what is archived changes nothing.
//
// The row is locked FOR UPDATE: who points something at a policy holds a share lock of it, and so comes wholly before,
// and is seen, or wholly after, and finds it archived.
func (s *Service) ArchivePolicy(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Policy, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Policy{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Policy, error) {
		p, err := lockPolicy(ctx, tx, id)
		if err != nil || p.ArchivedAt != nil {
			return p, err
		}
		used, err := policyInUse(ctx, tx, id)
		if err != nil {
			return Policy{}, err
		}
		if used {
			return Policy{}, ErrPolicyInUse
		}
		now := tx.Now()
		p.ArchivedAt = &now
		return p, savePolicy(ctx, tx, &p)
	})
}
