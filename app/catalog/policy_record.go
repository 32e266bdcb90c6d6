package catalog

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Policy is a row of rules that offerings and locations share by referring to it.
type Policy struct {
	ID         uuid.UUID
	Name       string // unique among those in use
	Rules      Rules
	Currency   money.Currency // the business's; at a location the amounts are in its own currency
	ArchivedAt *time.Time
	Version    int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// PolicyNameMax is the maximum length of a policy's name, in characters.
const PolicyNameMax = 80

// StandardName is the name of the default rules.
const StandardName = "Standard"

// The errors of policies.
var (
	ErrPolicyName     = fault.New(fault.Conflict, "policy_name_taken", "Another policy has this name. Use another one.")
	ErrPolicyInUse    = fault.New(fault.Conflict, "policy_in_use", "Offerings or locations use this policy. Choose another one there first.")
	ErrPolicyArchived = fault.New(fault.Conflict, "policy_archived", "This policy is archived.")
)

// check trims the name and records everything that is wrong.
func (p *Policy) check(c *fault.Checks) {
	p.Name = names.Clean(p.Name)
	c.That(p.Name != "", "name", "Enter a name.")
	c.That(!names.Same(p.Name, StandardName), "name", "This is the name of the default rules. Use another one.")
	checkText(c, "name", p.Name, PolicyNameMax, "")
	p.Rules.Check(c, "rules.")
}

// Policies lists the policies of the business in the order they were made; archived ones are left out. It needs
// catalog.manage at some location: managers of one location choose from the same list.
func (s *Service) Policies(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[Policy, uuid.UUID], err error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listPolicies(ctx, s.o.DB.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(p Policy) uuid.UUID { return p.ID }), err
}

// Policy returns one policy, archived or not. It needs catalog.manage at some location.
func (s *Service) Policy(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Policy, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Policy{}, err
	}
	return findPolicy(ctx, s.o.DB.View(sc.Tenant), id)
}

// CreatePolicyInput is a new policy.
type CreatePolicyInput struct {
	Name  string
	Rules Rules
}

// CreatePolicy adds a policy; nothing uses it yet. It needs catalog.manage in the whole business, as policies are
// shared. A name in use is ErrPolicyName.
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
		if err := chargeableRules(ctx, tx, StandardRules(), p.Rules); err != nil {
			return Policy{}, err
		}
		return p, insertPolicy(ctx, tx, p)
	})
}

// UpdatePolicyInput changes a policy; nil leaves a field unchanged.
type UpdatePolicyInput struct {
	ID      uuid.UUID
	Version int64 // the version the caller has read
	Name    *string
	Rules   *Rules // as a whole
}

// UpdatePolicy changes a policy and with it the rules of all locations and offerings with it. Existing bookings keep
// the rules they were made under. It needs catalog.manage in the whole business; further errors are fault.ErrStale,
// ErrPolicyArchived and ErrPolicyName.
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
		if err := chargeableRules(ctx, tx, was.Rules, p.Rules); err != nil {
			return Policy{}, err
		}
		return p, savePolicy(ctx, tx, &p)
	})
}

// ArchivePolicy archives a policy. It needs catalog.manage in the whole business. While a location or an offering
// uses it, archived ones aside, it returns ErrPolicyInUse. Archiving an archived policy changes nothing.
//
// The row is locked FOR UPDATE: assigning a policy holds a share lock of it, and so comes wholly before, and is seen,
// or wholly after, and finds it archived.
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
