package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Get returns the business. Every member and key of the business may read it. Errors: policy.ErrMissingFeature.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope) (Business, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Business{}, err
	}
	return BusinessOf(ctx, s.o.DB.View(sc.Tenant))
}

// Membership is a business of a person, with their roles and features there.
type Membership struct {
	Business Business
	Roles    []RoleAt
	Features []tenancy.Feature // at any location of the business, in alphabetical order
}

// Mine lists the businesses in which the signed-in person has a role, in the order of creation; for an assistant, the
// one that it is connected to. It takes one round trip to find them and one for each, as each tenant is read on its
// own. A32. Errors:
//
//   - identity.ErrSignIn
//   - identity.ErrKeyRefused
//   - Validation on limit
func (s *Service) Mine(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[Membership, uuid.UUID], err error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	ids, err := businessesOf(ctx, s.o.DB.View(uuid.Nil), person, in)
	if err != nil {
		return page, err
	}
	found := paging.Of(ids, in.Size(), func(id uuid.UUID) uuid.UUID { return id })
	page.Next = found.Next
	for _, id := range found.Items {
		if !sc.Reaches(id) {
			continue
		}
		m, ok, err := readMembership(ctx, s.o.DB.View(id), person)
		if err != nil {
			return paging.Page[Membership, uuid.UUID]{}, err
		}
		if ok && len(m.Roles) > 0 {
			m.Features = heldAnywhere(policy.GrantsFor(assignments(m.Roles)))
			page.Items = append(page.Items, m)
		}
	}
	return page, nil
}

func heldAnywhere(g tenancy.Grants) []tenancy.Feature {
	held := tenancy.FeatureSet{}
	for _, d := range policy.All {
		if g.Any(d.Feature) {
			held[d.Feature] = struct{}{}
		}
	}
	return held.List()
}
