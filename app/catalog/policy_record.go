package catalog

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Policy is a row of rules that offerings and locations share by pointing at it.
type Policy struct {
	ID         uuid.UUID
	Name       string // unique among those in use
	Rules      Rules
	Currency   money.Currency // the business's; what a location makes of the amounts is in its own
	ArchivedAt *time.Time
	Version    int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// PolicyNameMax is the longest name of a policy, in characters.
const PolicyNameMax = 80

// StandardName is what the rules are called that hold where nothing is chosen.
const StandardName = "Standard"

// The refusals about policies.
var (
	ErrPolicyName     = fault.New(fault.Conflict, "policy_name_taken", "There is a policy of that name.")
	ErrPolicyInUse    = fault.New(fault.Conflict, "policy_in_use", "Offerings or locations use this policy. Choose another one there first.")
	ErrPolicyArchived = fault.New(fault.Conflict, "policy_archived", "This policy is archived.")
)

// check trims the name and records everything that is wrong.
func (p *Policy) check(c *fault.Checks) {
	p.Name = strings.TrimSpace(p.Name)
	c.That(p.Name != "", "name", "Give it a name.")
	c.That(!strings.EqualFold(p.Name, StandardName), "name", "This is the name of the rules that hold where none are chosen. Use another one.")
	checkText(c, "name", p.Name, PolicyNameMax, "")
	p.Rules.Check(c, "rules.")
}

// Policies lists the policies of the business in the order they were made; archived ones are left out. It needs
// catalog.manage somewhere: who looks after one location's offerings chooses from the same list.
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

// Policy returns one policy, archived or not. It needs catalog.manage somewhere.
func (s *Service) Policy(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Policy, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Policy{}, err
	}
	return findPolicy(ctx, s.o.DB.View(sc.Tenant), id)
}
