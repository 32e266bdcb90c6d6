package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// Assignment is one role of one person.
type Assignment struct {
	Role     Role
	Location uuid.UUID // uuid.Nil: the whole business
}

// GrantsFor returns the sum of a person's assignments. doc.go has the rule: the location of the assignment decides,
// own rows follow the person, and nothing is wider than one of the assignments made it. An unknown role adds nothing,
// and an owner of one location is no owner.
func GrantsFor(assignments []Assignment) tenancy.Grants {
	g := tenancy.Grants{
		All: tenancy.FeatureSet{}, AtLocation: map[uuid.UUID]tenancy.FeatureSet{},
		Own: tenancy.FeatureSet{}, Limited: map[uuid.UUID]tenancy.FeatureSet{},
	}
	for _, a := range assignments {
		g.Owner = g.Owner || a == Assignment{Role: Owner}
		for f, permit := range builtIn()[a.Role] {
			if permit.Reach == ReachOwn {
				g.Own[f] = struct{}{}
			} else {
				give(g, f, a.Location, permit.Limited)
			}
		}
	}
	return g
}

// give adds f at a place. The limited form never removes the full one, and the full one lifts the limit.
func give(g tenancy.Grants, f tenancy.Feature, place uuid.UUID, limited bool) {
	set := g.All
	if place != uuid.Nil {
		set = ensure(g.AtLocation, place)
	}
	if limited && !set.Has(f) {
		ensure(g.Limited, place)[f] = struct{}{}
	} else if !limited {
		delete(g.Limited[place], f)
	}
	set[f] = struct{}{}
}

func ensure(m map[uuid.UUID]tenancy.FeatureSet, place uuid.UUID) tenancy.FeatureSet {
	if m[place] == nil {
		m[place] = tenancy.FeatureSet{}
	}
	return m[place]
}

// CanAssign checks whether a person with these grants may assign role at location (uuid.Nil: the whole business), or
// remove it. Only an owner makes owners, and an owner always owns the whole business. Every other role needs
// team.manage there, and the granter must hold all features of the role, at that location and without the limit. A
// feature that the role has for own rows they must hold there for all rows, or for own rows too. Errors: Validation
// on role or location, ErrOwnerOnly, ErrMissingFeature.
func CanAssign(granter tenancy.Grants, role Role, location uuid.UUID) error {
	bundle, known := builtIn()[role]
	switch {
	case !known:
		return fault.Invalid("role", "There is no such role.")
	case role == Owner && location != uuid.Nil:
		return fault.Invalid("location", "An owner owns the whole business. Give another role at one location.")
	case role == Owner && !granter.Owner:
		return ErrOwnerOnly
	case !granter.At(TeamManage, location):
		return missing(TeamManage)
	}
	for _, f := range slices.Sorted(maps.Keys(bundle)) { // a refusal is the same every time
		if !mayPass(granter, f, bundle[f], location) {
			return missing(f)
		}
	}
	return nil
}

// mayPass reports whether granter holds at least this permit at that place.
func mayPass(granter tenancy.Grants, f tenancy.Feature, permit Permit, location uuid.UUID) bool {
	switch {
	case permit.Reach == ReachOwn:
		return granter.At(f, location) || granter.Own.Has(f)
	case permit.Limited:
		return granter.At(f, location)
	}
	return granter.Unlimited(f, location)
}

// KeyDefault returns the rule of f for API keys; Never for an unknown feature.
func KeyDefault(f tenancy.Feature) KeyRule {
	if d, ok := described[f]; ok {
		return d.Key
	}
	return Never
}

// KeyGrants returns the features of a new API key (A216). With asked nil: all that its creator holds in the whole
// business, except those that keys may never hold. Otherwise exactly asked, as a narrower set. A key acts in the
// whole business and without limits, so features that the creator holds only at some locations, for own rows or in
// the limited form are not passed on. Errors:
//
//   - Validation on features for an empty list, an unknown feature or one that keys may never hold
//   - ErrMissingFeature for a feature that the creator does not hold
func KeyGrants(creator tenancy.Grants, asked []tenancy.Feature) (tenancy.FeatureSet, error) {
	if asked == nil {
		set := tenancy.FeatureSet{}
		for _, d := range All {
			if d.Key != Never && creator.Unlimited(d.Feature, uuid.Nil) {
				set[d.Feature] = struct{}{}
			}
		}
		return set, nil
	}
	var checks fault.Checks
	checks.That(len(asked) > 0, "features", "Name at least one feature, or leave features out.")
	for i, f := range asked {
		field := fmt.Sprintf("features[%d]", i)
		checks.That(Known(f), field, "There is no such feature.")
		checks.That(!Known(f) || KeyDefault(f) != Never, field, "An API key cannot have this feature.")
	}
	if err := checks.Err(); err != nil {
		return nil, err
	}
	for _, f := range asked {
		if !creator.Unlimited(f, uuid.Nil) {
			return nil, missing(f)
		}
	}
	return tenancy.NewFeatureSet(asked...), nil
}
