package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Membership is a business that a person belongs to, with what they are and may do there.
type Membership struct {
	Business Business
	Roles    []RoleAt
	Features []tenancy.Feature // held somewhere in the business, in alphabetical order
}

// Mine lists the businesses where the signed-in person has a role, in the order they were made. It takes one round trip
// to find them and one for each: their rows are behind different walls. Errors: identity.ErrSignIn,
// identity.ErrKeyRefused, Validation on query.limit. A32.
func (s *Service) Mine(ctx context.Context, sc tenancy.Scope, in PageInput) (Page[Membership], error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Page[Membership]{}, err
	}
	size, err := in.size()
	if err != nil {
		return Page[Membership]{}, err
	}
	ids, err := businessesOf(ctx, s.o.DB.View(uuid.Nil), person, in.After, size+1)
	if err != nil {
		return Page[Membership]{}, err
	}
	found := pageOf(ids, size, func(id uuid.UUID) uuid.UUID { return id })
	page := Page[Membership]{Items: make([]Membership, 0, len(found.Items)), Next: found.Next}
	for _, id := range found.Items {
		m, ok, err := readMembership(ctx, s.o.DB.View(id), person)
		if err != nil {
			return Page[Membership]{}, err
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
